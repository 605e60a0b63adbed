/* SPDX-License-Identifier: MIT */
#include "backend/opencl/functions.h"

#include <string.h>

#include "backend/opencl/apicalls.h"
#include "backend/opencl/opencl.h"

#define ROW(function, entry)                                                                       \
	{                                                                                          \
		.name = #function, .wrapper = entry, .called = (void (*)(void))called_##function,  \
		.next_offset = offsetof(struct opencl_functions, function),                        \
		.dispatch_offset = offsetof(cl_icd_dispatch, function),                            \
	},

const struct opencl_function opencl_functions[] = {
#define WRAP(name) ROW(name, (void (*)(void))profiled_##name)
#define USE(name) ROW(name, NULL)
#include "backend/opencl/functions.def"
	{.name = ""},
};

const struct opencl_function opencl_extensions[] = {
#define EXTENSION(function)                                                                        \
	{                                                                                          \
		.name = #function, .wrapper = (void (*)(void))extension_##function,                \
		.called = (void (*)(void))called_##function,                                       \
	},
#include "backend/opencl/functions.def"
};

const struct opencl_function *functions_find(const char *name)
{
	for (const struct opencl_function *row = opencl_functions; *row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

void (*functions_entry(const struct opencl_function *function))(void)
{
	if (opencl_is_refused())
		return strncmp(function->name, "clCreateContext", 15) ? NULL : function->wrapper;
	return functions_extension_entry(function);
}

void (*functions_extension_entry(const struct opencl_function *extension))(void)
{
	const struct settings *settings = opencl_settings();

	if (settings->values != VALUES_NONE)
		return apicalls_with_uses(extension->called);
	return settings_need_calls(settings) ? extension->called : extension->wrapper;
}

void functions_set_next(const struct opencl_function *function, void *address)
{
	memcpy((char *)&next + function->next_offset, &address, sizeof(address));
}

void *functions_next(const struct opencl_function *function)
{
	void *address;

	memcpy(&address, (const char *)&next + function->next_offset, sizeof(address));
	return address;
}

bool functions_has_next(const struct opencl_function *function)
{
	return functions_next(function) != NULL;
}

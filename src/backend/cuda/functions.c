/* SPDX-License-Identifier: MIT */
#include "backend/cuda/functions.h"

#include <dlfcn.h>
#include <string.h>

struct cupti_functions cupti;
struct driver_functions driver;
static void *source; /* of `cupti` */

/* clang-format off */
static const struct function_row cupti_rows[] = {
#define NEED(function, parameters) \
	{.name = "cupti" #function, .offset = offsetof(struct cupti_functions, function)},
#define MAY(function, parameters) \
	{.name = "cupti" #function, .offset = offsetof(struct cupti_functions, function), \
	 .optional = true},
#include "backend/cuda/cupti.def"
#undef NEED
#undef MAY
	{.name = NULL},
};

static const struct function_row driver_rows[] = {
#define FUNCTION(function, parameters) \
	{.name = #function, .offset = offsetof(struct driver_functions, function), \
	 .optional = true},
#include "backend/cuda/driver.def"
#undef FUNCTION
	{.name = NULL},
};
/* clang-format on */

const char *functions_fill(void *functions, const struct function_row *row, void *library)
{
	const char *missing = NULL;

	for (; row->name; row++) {
		void *address = dlsym(library, row->name);

		if (!address && !row->optional && !missing)
			missing = row->name;
		memcpy((char *)functions + row->offset, &address, sizeof(address));
	}
	return missing;
}

const char *functions_of_cupti(void *library)
{
	source = library;
	return functions_fill(&cupti, cupti_rows, library);
}

uint32_t functions_version_by_exports(void *library)
{
	if (dlsym(library, "cuptiGetTimestamp_v2"))
		return CUPTI_OF_13_3;
	return dlsym(library, "cuptiActivityRegisterCallbacks_v2") ? CUPTI_OF_13_2 : 0;
}

void *functions_library(void)
{
	return source;
}

void functions_of_driver(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);

	if (library)
		functions_fill(&driver, driver_rows, library);
}

/* SPDX-License-Identifier: MIT */
#include "backend/cuda/functions.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct cupti_functions cupti;
struct driver_functions driver;
static void *source; /* of `cupti` */

struct row {
	const char *name;
	size_t offset;
	bool optional;
};

/* clang-format off */
static const struct row cupti_rows[] = {
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

static const struct row driver_rows[] = {
#define FUNCTION(function, parameters) \
	{.name = #function, .offset = offsetof(struct driver_functions, function), \
	 .optional = true},
#include "backend/cuda/driver.def"
#undef FUNCTION
	{.name = NULL},
};
/* clang-format on */

static const char *fill(void *functions, const struct row *row, void *library)
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
	return fill(&cupti, cupti_rows, library);
}

void *functions_library(void)
{
	return source;
}

void functions_of_driver(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);

	if (library)
		fill(&driver, driver_rows, library);
}

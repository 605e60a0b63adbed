/* SPDX-License-Identifier: MIT */
#include "backend/opencl/driver_code.h"

#include <stdint.h>

#include "base/linkage.h"

enum { PLACES = 64 }; /* of the results that are kept */

struct search {
	uintptr_t address;
	bool found;
};

static int look(struct dl_phdr_info *object, size_t size, void *argument)
{
	struct search *search = argument;
	struct linkage linkage;

	(void)size;
	if (linkage_read(&linkage, object) || !linkage_has(&linkage, search->address))
		return 0;
	search->found = !linkage_has(&linkage, (uintptr_t)look) &&
			(linkage_function(&linkage, "clIcdGetPlatformIDsKHR") ||
			 linkage_function(&linkage, "clGetExtensionFunctionAddress"));
	return 1;
}

bool driver_code_has(const void *address)
{
	/* Twice the address, plus 1 if it is the driver's; 0 if the place is free. */
	static _Atomic uintptr_t results[PLACES];
	struct search search = {.address = (uintptr_t)address};
	_Atomic uintptr_t *place = &results[search.address / 16 % PLACES];
	uintptr_t result = *place;

	if (result >> 1 == search.address)
		return result & 1;
	dl_iterate_phdr(look, &search);
	*place = search.address << 1 | search.found;
	return search.found;
}

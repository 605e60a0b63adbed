/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/opencl/extension.h"
#include "backend/opencl/functions.h"

/* Lookups of functions by name: the program gets the wrappers. */

static void *address_of(void (*entry)(void))
{
	void *address;

	memcpy(&address, &entry, sizeof(address));
	return address;
}

/* Returns the function for the program if the driver returns `address` for `name`. */
static void *hand_out(const char *name, cl_platform_id platform, void *address)
{
	const struct opencl_function *row;
	void (*entry)(void);

	if (!address || !name)
		return address;
	for (int id = 0; id < EXTENSION_COUNT; id++) {
		if (strcmp(opencl_extensions[id].name, name))
			continue;
		extension_keep((enum extension_id)id, platform, address);
		return address_of(functions_extension_entry(&opencl_extensions[id]));
	}
	/* Some drivers also return the functions of the dispatch table here. */
	row = functions_find(name);
	entry = row && functions_has_next(row) ? functions_entry(row) : NULL;
	return entry ? address_of(entry) : address;
}

void *profiled_clGetExtensionFunctionAddress(const char *name)
{
	return hand_out(name, NULL, next.clGetExtensionFunctionAddress(name));
}

void *profiled_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
	return hand_out(name, platform,
			next.clGetExtensionFunctionAddressForPlatform(platform, name));
}

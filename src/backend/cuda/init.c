/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "backend/cuda/cuda.h"
#include "settings/environ.h"

/*
 * The second door, for programs that are linked with the driver: it may have read its environment
 * before we could change it, or another tool may be named there. Programs that open the driver
 * themselves do not come by here.
 */
enum { NO_DEVICE = 100 }; /* CUDA_ERROR_NO_DEVICE */

static int (*find_next(void))(unsigned int flags)
{
	int (*next)(unsigned int flags);
	void *library;

	*(void **)&next = dlsym(RTLD_NEXT, "cuInit");
	if (next)
		return next;
	library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	if (library)
		*(void **)&next = dlsym(library, "cuInit");
	return next;
}

__attribute__((visibility("default"))) int cuInit(unsigned int flags)
{
	int (*next)(unsigned int flags) = find_next();
	int result = next ? next(flags) : NO_DEVICE;

	if (!result && environ_any_set())
		InitializeInjection();
	return result;
}

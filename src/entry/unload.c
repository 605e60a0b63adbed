/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif

#include <dlfcn.h>
#include <stddef.h>

#include "session/stacks.h"

/* The program's dlclose: afterwards other code may be at the same addresses, so cached results of
 * stacks are dropped. */

#define ENTRY_POINT __attribute__((visibility("default")))

ENTRY_POINT int dlclose(void *handle)
{
	int (*next)(void *);
	int result;

	*(void **)&next = dlsym(RTLD_NEXT, "dlclose");
	if (!next)
		return -1;
	/* Called again after the unload, since another thread may have walked the code
	 * meanwhile. */
	stacks_forget();
	result = next(handle);
	stacks_forget();
	return result;
}

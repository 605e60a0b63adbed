/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <sys/auxv.h>

#include "base/env.h"

/* Weak: the library must also load with C libraries that lack it. */
#pragma weak secure_getenv

const char *env_get(const char *name)
{
	if (secure_getenv)
		return secure_getenv(name);
	return getauxval(AT_SECURE) ? NULL : getenv(name);
}

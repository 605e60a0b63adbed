/* SPDX-License-Identifier: MIT */
#include "backend/cuda/injection.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/cuda/cuda.h"
#include "base/env.h"
#include "base/say.h"
#include "session/manifest.h"
#include "settings/environ.h"

#define ENTRY_POINT	 __attribute__((visibility("default")))
#define VARIABLE "CUDA_INJECTION64_PATH"

enum { NO_DEVICE = 100 }; /* CUDA_ERROR_NO_DEVICE */

static char stranger[4096]; /* the library that the user has named instead, or "" */
static pid_t named_in;
static int came; /* an entry point was called */

void cuda_arm(const char *library)
{
	const char *value = getenv(VARIABLE);

	if (!value || !*value) {
		if (setenv(VARIABLE, library, 1))
			say_no_memory();
	} else if (strcmp(value, library) && strlen(value) < sizeof(stranger)) {
		strcpy(stranger, value);
		named_in = getpid();
	}
}

static void initialize(void)
{
	__atomic_store_n(&came, 1, __ATOMIC_RELAXED);
	cuda_attach();
}

ENTRY_POINT int InitializeInjection(void)
{
	initialize();
	return 1;
}

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

ENTRY_POINT int cuInit(unsigned int flags)
{
	int (*next)(unsigned int flags) = find_next();
	int result = next ? next(flags) : NO_DEVICE;

	if (!result && environ_any_set())
		initialize();
	return result;
}

/* Only a program that has loaded the driver lacks a log. `computeprof` itself prints this before
 * the run. */
__attribute__((destructor)) static void say_other_injection(void)
{
	struct environ_values values;

	if (!*stranger || __atomic_load_n(&came, __ATOMIC_RELAXED) || named_in != getpid() ||
	    env_kept(MANIFEST_VARIABLE) || !dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD))
		return;
	environ_read(&values, API_CUDA);
	if (environ_on(&values, ENVIRON_PROFILE))
		say("CUDA is not logged: " VARIABLE " has made the driver load %s instead of the "
		    "profiler", stranger);
}

/* SPDX-License-Identifier: MIT */
#ifndef COMPUTEPROF_H
#define COMPUTEPROF_H

/*
 * For programs that say themselves what is recorded of them, when they run as
 *
 *	computeprof --profile-from-start off ./program
 *
 * (COMPUTE_PROFILE_WAIT=1): from computeprof_start() on everything is, from computeprof_stop() on
 * nothing, for OpenCL and CUDA, in all threads; any number of times. A command belongs to the
 * moment at which it was enqueued. Both keep errno, and may be called from any thread.
 *
 * Nothing is linked: in a program that runs without the profiler both do nothing.
 */
#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

void computeprof_start(void) __attribute__((__weak__));
void computeprof_stop(void) __attribute__((__weak__));

/* In programs that are not position independent, linkers make NULL of a weak name for good; and a
 * library that a loader has opened gives its names to nobody. So it is asked for. */
#pragma weak dlopen
#pragma weak dlsym
static inline void computeprof_call(void (*function)(void), const char *name)
{
	union {
		void *address;
		void (*function)(void);
	} found;

	found.function = function;
	if (!function && dlopen && dlsym)
		found.address = dlsym(dlopen("libcomputeprof.so", RTLD_LAZY | RTLD_NOLOAD), name);
	if (found.function)
		found.function();
}

#define computeprof_start() computeprof_call(computeprof_start, "computeprof_start")
#define computeprof_stop() computeprof_call(computeprof_stop, "computeprof_stop")

#ifdef __cplusplus
}
#endif

#endif

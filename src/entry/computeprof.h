/* SPDX-License-Identifier: MIT */
#ifndef COMPUTEPROF_H
#define COMPUTEPROF_H

/*
 * For programs that control what is recorded, when they run as
 *
 *	computeprof --profile-from-start off ./program
 *
 * or with COMPUTE_PROFILE_WAIT=1. computeprof_start() switches recording on, computeprof_stop()
 * switches it off, for OpenCL and CUDA, in all threads, any number of times. The time of the
 * enqueue decides whether a command is recorded. Both keep errno and may be called on any thread.
 *
 * Nothing is linked: in a program that runs without the profiler both do nothing.
 */
#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

void computeprof_start(void) __attribute__((__weak__));
void computeprof_stop(void) __attribute__((__weak__));

/* In programs that are not position independent, linkers resolve a weak symbol to NULL permanently;
 * and the symbols of a library opened by a loader are not global. So the function is looked up. */
#pragma weak dlopen
#pragma weak dlsym
static __inline__ void computeprof_call(void (*function)(void), const char *name)
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

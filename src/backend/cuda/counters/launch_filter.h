/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_LAUNCH_FILTER_H
#define BACKEND_CUDA_COUNTERS_LAUNCH_FILTER_H

#include "backend/cuda/calls.h"
#include "backend/cuda/cupti.h"

/*
 * Which launches are measured. CUPTI keeps the launch of a measured kernel until the kernel has
 * ended, so a kernel that waits for a kernel of a later launch would never end. Such kernels are
 * not measured: cooperative ones (in this way NVSHMEM and others launch kernels that wait for other
 * GPUs), those of communication libraries, which are known by name, and those that were passed to
 * launch_filter_add. Kernels that section [filter] excludes have no rows and are not measured
 * either.
 *
 * All functions are thread-safe. The first reason of each kind is printed once.
 */
enum launch_class {
	LAUNCH_MEASURED,
	LAUNCH_UNWANTED, /* it has no row */
	LAUNCH_WAITS,	 /* it may wait for kernels of other launches */
};

/* Call at the entry of the driver's call. `kind`: CALL_GRAPH or one of calls_launch(). */
enum launch_class launch_filter_class(const struct cupti_call *call, enum call_kind kind);

/* A launch of LAUNCH_WAITS was captured: from now on graphs are LAUNCH_WAITS, too, since it is
 * unknown which of them has its kernel. */
void launch_filter_captured(void);

/* Kernels of this name are LAUNCH_WAITS from now on. */
void launch_filter_add(const char *kernel);

#endif

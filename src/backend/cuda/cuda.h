/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CUDA_H
#define BACKEND_CUDA_CUDA_H

#include <stdbool.h>

#include "backend/cuda/cupti.h"

/*
 * The CUDA back end. The driver loads us when it starts, since CUDA_INJECTION64_PATH says so; where
 * something else is named there, we stand before the program's call of cuInit. Then CUPTI is opened
 * and records what the program does.
 */

/* From the library's constructor, with profiling wanted: names `library`, our path, to the CUDA
 * driver as what it is to load, unless the user named something else. */
void cuda_arm(const char *library);

/* Called by the CUDA driver when it starts. Returns 1, which is success. */
int InitializeInjection(void);

/* In the place of the driver's, for programs that are linked with it. */
int cuInit(unsigned int flags);

/* Whether this is the process that CUPTI was started in, and not a child that it has forked. */
bool cuda_is_ours(void);

/* Whether CUPTI may be asked: it works, and the process is ours (in a child it hangs). */
bool cuda_is_here(void);

/* cuProfilerStart: what the device does is recorded from now on. */
void cuda_start(void);

/* cuProfilerInitialize: the program says what is recorded, and where to. */
void cuda_initialize(const struct cupti_profiler_initialize *wish);

/* CUPTI has given up: it is asked for nothing any more. */
void cuda_fail(void);

#endif

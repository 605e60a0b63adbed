/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_INJECTION_H
#define BACKEND_CUDA_INJECTION_H

/*
 * The driver loads us when it starts, since CUDA_INJECTION64_PATH says so. Where something else is
 * named there, or the driver has read the variable before we could set it, we stand before the
 * program's own call of cuInit.
 */

/* From the library's constructor, with profiling wanted: names `library`, our path, to the CUDA
 * driver as what it is to load, unless the user named something else. */
void cuda_arm(const char *library);

/* Called by the CUDA driver when it starts. Returns 1, which is success. */
int InitializeInjection(void);

/* In the place of the driver's, for programs that are linked with it; those that open the driver
 * themselves do not come by here. */
int cuInit(unsigned int flags);

#endif

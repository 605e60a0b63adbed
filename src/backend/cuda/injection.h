/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_INJECTION_H
#define BACKEND_CUDA_INJECTION_H

/*
 * The CUDA driver loads the library at its initialization, since CUDA_INJECTION64_PATH names it. If
 * the variable names another library, or the driver has read it too early, the wrapper of cuInit is
 * used.
 */

/* Called by the library's constructor when profiling is on: sets CUDA_INJECTION64_PATH to
 * `library`, the path of this library, unless the user has set it. */
void cuda_arm(const char *library);

/* Called by the CUDA driver when it starts. Returns 1, which is success. */
int InitializeInjection(void);

/* Wraps the driver's function in programs that are linked with it. Programs that load the driver
 * themselves do not call it. */
int cuInit(unsigned int flags);

#endif

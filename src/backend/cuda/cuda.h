/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CUDA_H
#define BACKEND_CUDA_CUDA_H

/* From the library's constructor, with profiling wanted: names `library`, our path, to the CUDA
 * driver as what it is to load, unless the user named something else. */
void cuda_arm(const char *library);

/* Called by the CUDA driver when it starts. Returns 1, which is success. */
int InitializeInjection(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_ARGUMENTS_H
#define BACKEND_OPENCL_ARGUMENTS_H

#include "backend/opencl/used.h"

/*
 * The memory that the arguments of kernels refer to, as the program has set them. They are looked
 * up by the kernel, so that a new kernel with the handle of a released one has none.
 */

/* A use of each argument's memory, and of the other pointers that the kernel uses. */
void arguments_used(struct used *used, cl_kernel handle);

#endif

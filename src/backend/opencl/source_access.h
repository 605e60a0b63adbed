/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_SOURCE_ACCESS_H
#define BACKEND_OPENCL_SOURCE_ACCESS_H

#include <stdint.h>

#include "backend/opencl/cl.h"

enum { SOURCE_ARGUMENTS = 64 /* further ones are not known */ };

/* How a kernel uses its arguments, as its source shows (kernel_access.h): a bit for each. */
struct source_access {
	uint64_t known;
	uint64_t reads;
	uint64_t writes;
};

/* Nothing is known if the driver does not have the source. */
struct source_access source_access(cl_kernel handle);

#endif

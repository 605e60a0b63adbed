/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_EXTENSION_H
#define BACKEND_OPENCL_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>

#include "backend/opencl/cl.h"

/* The work-group size that the device of `queue` would choose for this launch, into `size`. False
 * where it does not say. */
bool extension_suggested_size(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
			      const size_t *offset, const size_t *global, size_t size[3]);

/* What a program gets that looks an extension function up. */
#define EXTENSION(name, type, parameters) type extension_##name parameters;
#include "backend/opencl/extensions.def"
#undef EXTENSION

#endif

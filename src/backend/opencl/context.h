/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_CONTEXT_H
#define BACKEND_OPENCL_CONTEXT_H

#include <stdint.h>

#include "backend/opencl/cl.h"

struct opencl_context {
	uint32_t id; /* in the session's catalog */
	uint32_t only_device; /* id, UINT32_MAX if there are several */
};

/* Returns the context. If its creation was not seen, it is queried and added. NULL for an invalid
 * handle, or without memory. */
const struct opencl_context *context_of(cl_context handle);

#endif

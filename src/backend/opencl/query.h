/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_QUERY_H
#define BACKEND_OPENCL_QUERY_H

#include <string.h>

#include "backend/opencl/cl.h"

/* Answers a question as OpenCL's clGet...Info functions do: `need` bytes at `from` into `value` of
 * `size` bytes, how many these are into *size_ret; both may be NULL. */
static inline cl_int query_answer(const void *from, size_t need, size_t size, void *value,
				  size_t *size_ret)
{
	if (value && size < need)
		return CL_INVALID_VALUE;
	if (value && need)
		memcpy(value, from, need);
	if (size_ret)
		*size_ret = need;
	return CL_SUCCESS;
}

#endif

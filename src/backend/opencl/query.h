/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_QUERY_H
#define BACKEND_OPENCL_QUERY_H

#include <string.h>

#include "backend/opencl/cl.h"

/* Answers a query as OpenCL's clGet...Info functions do: copies `need` bytes from `from` to `value`
 * of `size` bytes and sets *size_ret to `need`; `value` and `size_ret` may be NULL. */
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

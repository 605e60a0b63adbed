/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_ALLOCATION_H
#define BACKEND_OPENCL_ALLOCATION_H

#include "backend/opencl/object.h"
#include "model/event.h"

/* Memory objects of the program: struct allocation in the trace, at their start and end. `enter` is
 * the time at which the program entered the call. */

/* Describes `bytes` of this kind in the context, for allocation_made. */
struct opencl_memory allocation_in(cl_context context, enum memory_kind kind, uint64_t bytes);

/* Records a new object. If an older one with this handle still exists, it has ended now. */
void allocation_made(const void *handle, struct opencl_memory memory, uint64_t enter);

/* Records a sub-buffer, or an image over a buffer: it allocates nothing, but keeps `parent` until
 * its own end. `part` has its flags, and its origin and extent in the parent. */
void allocation_part(cl_mem child, cl_mem parent, struct opencl_memory part, uint64_t enter);

#endif

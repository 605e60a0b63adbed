/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_ALLOCATION_H
#define BACKEND_OPENCL_ALLOCATION_H

#include "backend/opencl/object.h"
#include "model/event.h"

/* Memory that the program has the driver make: struct allocation in the trace, at its beginning and
 * at its end. `enter` is when the program called for it. */

/* `bytes` of this kind in the context: what allocation_made takes. */
struct opencl_memory allocation_in(cl_context context, enum memory_kind kind, uint64_t bytes);

/* A new one. If an older one of this handle seems to be there still, it has ended now. */
void allocation_made(const void *handle, struct opencl_memory memory, uint64_t enter);

/* A part of a buffer, or an image over one: allocates nothing, but keeps `parent` for as long as it
 * is there itself. */
void allocation_part(cl_mem child, cl_mem parent, uint64_t enter);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_ALLOCATION_H
#define BACKEND_OPENCL_ALLOCATION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/cl.h"
#include "model/event.h"

/* A buffer, an image, a pipe, or shared virtual memory by its address. Known only if calls are
 * recorded. */
struct opencl_memory {
	cl_mem parent; /* the object that it is a part or a view of, or NULL */
	const void *root; /* handle or address of the allocation that it is a part of; NULL: it is
			   * one itself */
	uint64_t origin; /* in `root`, in bytes */
	uint64_t extent; /* bytes from there on; 0: not known */
	cl_mem_flags flags;
	uint64_t bytes;
	uint64_t serial; /* increases with each new object */
	uint32_t device; /* ids in the session's catalog, UINT32_MAX for none */
	uint32_t context;
	uint16_t kind; /* enum memory_kind; MEMORY_KIND_UNKNOWN: no memory of its own */
	bool is_traced; /* its start is in the trace */
	bool is_opaque; /* an image, or memory that other APIs may write */
	atomic_uint references; /* held by the program, and by each part and view; 0: ended. The
				 * last member: copies are without it */
};

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

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/allocation.h"

#include <stddef.h>
#include <string.h>

#include "backend/opencl/callscope.h"
#include "backend/opencl/context.h"
#include "backend/opencl/flow.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/object.h"
#include "backend/opencl/traced.h"
#include "base/clock.h"
#include "model/event.h"

/*
 * Tracks the end of memory objects. An object has ended when the program has released it as often
 * as it has retained it; the back end counts these calls itself. Destructor callbacks are not used:
 * drivers may call them on their own threads with locks held, and old ones abort. The driver's
 * reference count is not used: it may include internal references. Commands that still use the
 * memory are not waited for.
 */

static bool record_allocation(const struct opencl_memory *memory, const void *handle,
			      uint16_t flags, uint64_t enter)
{
	struct traced_event traced;
	struct allocation *event;

	if (memory->kind == MEMORY_KIND_UNKNOWN)
		return false;
	/* The end is recorded even while recording is off, so that the allocation does not stay
	 * open in the trace. */
	if (flags & ALLOCATION_FREED && memory->is_traced)
		event = traced_reserve_end(&traced, FRAME_ALLOCATION, enter);
	else
		event = traced_reserve(&traced, FRAME_ALLOCATION, enter);
	if (!event)
		return false;
	event->frame.flags |= flags;
	event->address = (uintptr_t)handle;
	event->bytes = memory->bytes;
	event->memory = memory->kind;
	event->device = memory->device;
	event->context = memory->context;
	traced_commit(&traced);
	return true;
}

static struct opencl_memory *find(const void *handle)
{
	return callscope_is_drivers() ? NULL : object_find(OBJECT_MEMORY, handle);
}

/* Returns the object without its references. Call it before the object retires: from then on
 * another thread may put a newer object into its place. */
static struct opencl_memory copy_of(const struct opencl_memory *memory)
{
	struct opencl_memory copy = {0};

	memcpy(&copy, memory, offsetof(struct opencl_memory, references));
	return copy;
}

/* Removes one reference; `count` is set to the number before, `gone` to a copy of the object.
 * Returns NULL if the object is unknown or has ended. */
static struct opencl_memory *let_go(const void *handle, struct opencl_memory *gone, unsigned *count)
{
	struct opencl_memory *memory = find(handle);

	*count = 0;
	if (!memory)
		return NULL;
	*gone = copy_of(memory);
	*count = object_release(OBJECT_MEMORY, handle, &memory->references);
	return *count ? memory : NULL;
}

/* Ends the object, and each parent that only this object kept. */
static void ended(struct opencl_memory gone, const void *handle, uint64_t enter)
{
	unsigned count;

	do {
		if (flow_is_on())
			flow_ended(handle, &gone);
		record_allocation(&gone, handle, ALLOCATION_FREED, enter);
		handle = gone.parent;
	} while (handle && let_go(handle, &gone, &count) && count == 1);
}

static _Atomic uint64_t serial; /* serial number of the newest object */

void allocation_made(const void *handle, struct opencl_memory memory, uint64_t enter)
{
	struct opencl_memory *old = find(handle), *placed;

	if (!handle || callscope_is_drivers())
		return;
	if (old && atomic_exchange(&old->references, 0))
		ended(copy_of(old), handle, 0); /* its release was not seen */
	atomic_init(&memory.references, 1);
	memory.serial = atomic_fetch_add(&serial, 1) + 1;
	placed = object_put(OBJECT_MEMORY, handle, &memory, sizeof(memory));
	if (placed)
		placed->is_traced = record_allocation(&memory, handle, 0, enter);
}

struct opencl_memory allocation_in(cl_context handle, enum memory_kind kind, uint64_t bytes)
{
	const struct opencl_context *context = context_of(handle);

	return (struct opencl_memory){
		.bytes = bytes,
		.device = context ? context->only_device : UINT32_MAX,
		.context = context ? context->id : UINT32_MAX,
		.kind = (uint16_t)kind,
	};
}

/* A part that is made without access flags has those of its parent. */
static cl_mem_flags access_of(cl_mem_flags flags, const struct opencl_memory *parent)
{
	const cl_mem_flags all = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;

	return flags & all ? flags : flags | (parent->flags & all);
}

void allocation_part(cl_mem child, cl_mem parent, struct opencl_memory part, uint64_t enter)
{
	struct opencl_memory *known = find(parent);

	if (!child || !known)
		return;
	atomic_fetch_add(&known->references, 1);
	part.parent = parent;
	part.root = known->root ? known->root : parent;
	part.origin += known->origin;
	part.flags = access_of(part.flags, known);
	allocation_made(child, part, enter);
}

/* Counted before the call: meanwhile another thread may release all other references. */
cl_int traced_clRetainMemObject(cl_mem handle)
{
	struct opencl_memory *memory = find(handle);
	cl_int status;

	if (memory)
		atomic_fetch_add(&memory->references, 1);
	status = next.clRetainMemObject(handle);
	if (memory && status != CL_SUCCESS)
		atomic_fetch_sub(&memory->references, 1);
	return status;
}

/* Counted before the call: right after it the handle may be reused. The end of a part may be that
 * of its parent, whose references are counted after it. */
cl_int traced_clReleaseMemObject(cl_mem handle)
{
	uint64_t enter = clock_monotonic();
	unsigned count;
	bool counts = flow_begin_counting();
	struct opencl_memory gone, *memory = let_go(handle, &gone, &count);
	bool has_parent = memory && gone.parent;
	cl_int status;

	if (counts && !has_parent)
		flow_end_counting();
	status = next.clReleaseMemObject(handle);
	if (memory && status != CL_SUCCESS)
		object_undo_release(OBJECT_MEMORY, handle, &memory->references, count);
	else if (count == 1)
		ended(gone, handle, enter);
	if (counts && has_parent)
		flow_end_counting();
	return status;
}

void *traced_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
	uint64_t enter = clock_monotonic();
	void *memory = profiled_clSVMAlloc(context, flags, size, alignment);

	if (memory)
		allocation_made(memory, allocation_in(context, MEMORY_KIND_MANAGED, size), enter);
	return memory;
}

void traced_clSVMFree(cl_context context, void *address)
{
	uint64_t enter = clock_monotonic();
	unsigned count;
	struct opencl_memory gone, *memory = let_go(address, &gone, &count);

	profiled_clSVMFree(context, address);
	if (memory)
		ended(gone, address, enter);
}

/* Memory that the program frees in a callback is freed by clSVMFree. Otherwise the command frees
 * it, and the end is recorded now. After the call the address may already be in newer memory. */
cl_int traced_clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void **addresses,
			       void(CL_CALLBACK *done)(cl_command_queue, cl_uint, void **, void *),
			       void *argument, cl_uint wait_count, const cl_event *wait,
			       cl_event *event)
{
	uint64_t enter = clock_monotonic(), newest = atomic_load(&serial);
	cl_int status = profiled_clEnqueueSVMFree(queue, count, addresses, done, argument,
						  wait_count, wait, event);

	if (status != CL_SUCCESS || done)
		return status;
	for (cl_uint i = 0; i < count; i++) {
		struct opencl_memory gone, *memory = find(addresses[i]);

		if (!memory || memory->serial > newest || !atomic_exchange(&memory->references, 0))
			continue;
		gone = copy_of(memory);
		object_retire(OBJECT_MEMORY, addresses[i], &memory->references);
		ended(gone, addresses[i], enter);
	}
	return status;
}

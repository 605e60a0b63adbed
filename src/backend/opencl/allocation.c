/* SPDX-License-Identifier: MIT */
#include "backend/opencl/allocation.h"

#include "backend/opencl/callwindow.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/noted.h"
#include "base/clock.h"
#include "model/event.h"

/*
 * How memory ends. It is gone when the program has let go of it as often as it took hold: we count
 * that ourselves. Drivers may call destructor callbacks in threads of their own and with locks
 * held, old ones abort when they are asked for one; and the count that a driver tells may have
 * references of its own in it. What commands still do with the memory after that is not waited for.
 */

static bool tell(const struct opencl_memory *memory, const void *handle, uint16_t flags,
		 uint64_t enter)
{
	struct noting noting;
	struct allocation *event;

	if (memory->kind == MEMORY_KIND_UNKNOWN)
		return false;
	/* What is in use in the trace must not stay so because recording is off when it ends. */
	if (flags & ALLOCATION_FREED && memory->told)
		event = noted_end(&noting, FRAME_ALLOCATION, enter);
	else
		event = noted_event(&noting, FRAME_ALLOCATION, enter);
	if (!event)
		return false;
	event->frame.flags |= flags;
	event->address = (uintptr_t)handle;
	event->bytes = memory->bytes;
	event->memory = memory->kind;
	event->device = memory->device;
	event->context = memory->context;
	noted_commit(&noting);
	return true;
}

static struct opencl_memory *find(const void *handle)
{
	return callwindow_is_drivers() ? NULL : object_find(OBJECT_MEMORY, handle);
}

/* One reference less; `count` is how many there were. NULL where nothing is known of it, or it is
 * gone. */
static struct opencl_memory *let_go(const void *handle, unsigned *count)
{
	struct opencl_memory *memory = find(handle);

	*count = memory ? object_release(OBJECT_MEMORY, handle, &memory->references) : 0;
	return *count ? memory : NULL;
}

/* With it goes what only it has kept. */
static void ended(const struct opencl_memory *memory, const void *handle, uint64_t enter)
{
	struct opencl_memory gone = *memory;
	unsigned count;

	for (;;) {
		tell(&gone, handle, ALLOCATION_FREED, enter);
		handle = gone.parent;
		memory = handle ? let_go(handle, &count) : NULL;
		if (!memory || count > 1)
			return;
		gone = *memory;
	}
}

static _Atomic uint64_t serial; /* of the newest */

void allocation_made(const void *handle, struct opencl_memory memory, uint64_t enter)
{
	struct opencl_memory *old = find(handle), *placed;

	if (!handle || callwindow_is_drivers())
		return;
	if (old && atomic_exchange(&old->references, 0))
		ended(old, handle, 0); /* unseen */
	atomic_init(&memory.references, 1);
	memory.serial = atomic_fetch_add(&serial, 1) + 1;
	placed = object_put(OBJECT_MEMORY, handle, &memory, sizeof(memory));
	if (placed)
		placed->told = tell(&memory, handle, 0, enter);
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

void allocation_part(cl_mem child, cl_mem parent, uint64_t enter)
{
	struct opencl_memory *known = find(parent);

	if (!child || !known)
		return;
	atomic_fetch_add(&known->references, 1);
	allocation_made(child, (struct opencl_memory){.parent = parent}, enter);
}

/* Before the call: while it goes on, another thread may let go of the last one but this. */
cl_int noted_clRetainMemObject(cl_mem handle)
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

/* Before the call: the handle may be another's right after it. */
cl_int noted_clReleaseMemObject(cl_mem handle)
{
	uint64_t enter = clock_monotonic();
	unsigned count;
	struct opencl_memory *memory = let_go(handle, &count);
	struct opencl_memory gone = {0};
	cl_int status;

	if (count == 1)
		gone = *memory;
	status = next.clReleaseMemObject(handle);
	if (memory && status != CL_SUCCESS)
		object_undo_release(OBJECT_MEMORY, handle, &memory->references, count);
	else if (count == 1)
		ended(&gone, handle, enter);
	return status;
}

void *noted_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
	uint64_t enter = clock_monotonic();
	void *memory = profiled_clSVMAlloc(context, flags, size, alignment);

	if (memory)
		allocation_made(memory, allocation_in(context, MEMORY_KIND_MANAGED, size), enter);
	return memory;
}

void noted_clSVMFree(cl_context context, void *address)
{
	uint64_t enter = clock_monotonic();
	unsigned count;
	struct opencl_memory *memory = let_go(address, &count);
	struct opencl_memory gone = {0};

	if (memory)
		gone = *memory;
	profiled_clSVMFree(context, address);
	if (memory)
		ended(&gone, address, enter);
}

/* What the program frees itself, in a callback, comes by clSVMFree. Else the command frees it: that
 * is told now. By then the address may be that of memory which is newer. */
cl_int noted_clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void **addresses,
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
		struct opencl_memory *memory = find(addresses[i]);

		if (!memory || memory->serial > newest || !atomic_exchange(&memory->references, 0))
			continue;
		object_retire(OBJECT_MEMORY, addresses[i], &memory->references);
		ended(memory, addresses[i], enter);
	}
	return status;
}

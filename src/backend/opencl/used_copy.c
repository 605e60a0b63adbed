/* SPDX-License-Identifier: MIT */
#include "backend/opencl/functions.h"
#include "backend/opencl/allocation.h"
#include "backend/opencl/object.h"
#include "backend/opencl/used.h"

/* Uses by copies and fills of buffers, and by migrations. */

cl_int used_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				size_t offset, size_t size, void *host, cl_uint wait_count,
				const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueReadBuffer(queue, buffer, blocking, offset, size, host,
					      wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_bytes(&used, buffer, offset, size, USE_READ);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				 size_t offset, size_t size, const void *host, cl_uint wait_count,
				 const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, host,
					       wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_bytes(&used, buffer, offset, size, USE_WRITE);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
				size_t source_offset, size_t target_offset, size_t size,
				cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueCopyBuffer(queue, source, target, source_offset, target_offset,
					      size, wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_bytes(&used, source, source_offset, size, USE_READ);
	used_bytes(&used, target, target_offset, size, USE_WRITE);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				    const size_t *buffer_origin, const size_t *host_origin,
				    const size_t *region, size_t buffer_row, size_t buffer_slice,
				    size_t host_row, size_t host_slice, void *host,
				    cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct used_part box =
		used_box(buffer_origin, region, buffer_row, buffer_slice, USE_READ);
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueReadBufferRect(queue, buffer, blocking, buffer_origin,
						  host_origin, region, buffer_row, buffer_slice,
						  host_row, host_slice, host, wait_count, wait,
						  event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_memory(&used, buffer, &box);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				     const size_t *buffer_origin, const size_t *host_origin,
				     const size_t *region, size_t buffer_row, size_t buffer_slice,
				     size_t host_row, size_t host_slice, const void *host,
				     cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct used_part box =
		used_box(buffer_origin, region, buffer_row, buffer_slice, USE_WRITE);
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueWriteBufferRect(queue, buffer, blocking, buffer_origin,
						   host_origin, region, buffer_row, buffer_slice,
						   host_row, host_slice, host, wait_count, wait,
						   event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_memory(&used, buffer, &box);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target,
				    const size_t *source_origin, const size_t *target_origin,
				    const size_t *region, size_t source_row, size_t source_slice,
				    size_t target_row, size_t target_slice, cl_uint wait_count,
				    const cl_event *wait, cl_event *event)
{
	struct used_part from = used_box(source_origin, region, source_row, source_slice, USE_READ);
	struct used_part to = used_box(target_origin, region, target_row, target_slice, USE_WRITE);
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueCopyBufferRect(queue, source, target, source_origin,
						  target_origin, region, source_row, source_slice,
						  target_row, target_slice, wait_count, wait,
						  event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_memory(&used, source, &from);
	used_memory(&used, target, &to);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
				size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
				const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size,
					      wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_bytes(&used, buffer, offset, size, USE_WRITE);
	used_close(&used);
	return status;
}

/* A migration moves what is in the object, or drops it. */
static enum use_access access_of(cl_mem_migration_flags flags)
{
	return flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED ? USE_WRITE : USE_READ;
}

static uint64_t size_of(cl_mem handle)
{
	const struct opencl_memory *memory = object_find(OBJECT_MEMORY, handle);

	if (!memory)
		return 0;
	return memory->root ? memory->extent : memory->bytes;
}

cl_int used_clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count, const cl_mem *mems,
				       cl_mem_migration_flags flags, cl_uint wait_count,
				       const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueMigrateMemObjects(queue, count, mems, flags, wait_count, wait,
						     event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	for (cl_uint i = 0; mems && i < count; i++)
		used_memory(&used, mems[i],
			    &(struct used_part){.bytes = size_of(mems[i]),
						.access = access_of(flags),
						.argument = USE_NO_ARGUMENT});
	used_close(&used);
	return status;
}

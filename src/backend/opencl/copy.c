/* SPDX-License-Identifier: MIT */
#include "backend/opencl/command.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/opencl.h"

/* Copies and fills of buffers. */

/* Returns the bytes of a box; 0 without one (the driver has rejected it then). */
static uint64_t box(const size_t region[3])
{
	return region ? (uint64_t)region[0] * region[1] * region[2] : 0;
}

cl_int profiled_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				    size_t offset, size_t size, void *host, cl_uint wait_count,
				    const cl_event *wait, cl_event *event)
{
	struct copy copy = copy_between(MEMORY_DEVICE, MEMORY_HOST, host, size);
	struct command command;
	cl_int status;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	status = next.clEnqueueReadBuffer(queue, buffer, blocking, offset, size, host, wait_count,
					  wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				     size_t offset, size_t size, const void *host,
				     cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct copy copy = copy_between(MEMORY_HOST, MEMORY_DEVICE, host, size);
	struct command command;
	cl_int status;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	status = next.clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, host, wait_count,
					   wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
				    size_t source_offset, size_t target_offset, size_t size,
				    cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct copy copy = copy_between(MEMORY_DEVICE, MEMORY_DEVICE, NULL, size);
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueCopyBuffer(queue, source, target, source_offset, target_offset, size,
					  wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
					const size_t *buffer_origin, const size_t *host_origin,
					const size_t *region, size_t buffer_row,
					size_t buffer_slice, size_t host_row, size_t host_slice,
					void *host, cl_uint wait_count, const cl_event *wait,
					cl_event *event)
{
	struct copy copy = copy_between(MEMORY_DEVICE, MEMORY_HOST, host, box(region));
	struct command command;
	cl_int status;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	status = next.clEnqueueReadBufferRect(queue, buffer, blocking, buffer_origin, host_origin,
					      region, buffer_row, buffer_slice, host_row,
					      host_slice, host, wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
					 const size_t *buffer_origin, const size_t *host_origin,
					 const size_t *region, size_t buffer_row,
					 size_t buffer_slice, size_t host_row, size_t host_slice,
					 const void *host, cl_uint wait_count, const cl_event *wait,
					 cl_event *event)
{
	struct copy copy = copy_between(MEMORY_HOST, MEMORY_DEVICE, host, box(region));
	struct command command;
	cl_int status;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	status = next.clEnqueueWriteBufferRect(queue, buffer, blocking, buffer_origin, host_origin,
					       region, buffer_row, buffer_slice, host_row,
					       host_slice, host, wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target,
					const size_t *source_origin, const size_t *target_origin,
					const size_t *region, size_t source_row,
					size_t source_slice, size_t target_row, size_t target_slice,
					cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct copy copy = copy_between(MEMORY_DEVICE, MEMORY_DEVICE, NULL, box(region));
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueCopyBufferRect(queue, source, target, source_origin, target_origin,
					      region, source_row, source_slice, target_row,
					      target_slice, wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
				    size_t pattern_size, size_t offset, size_t size,
				    cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct copy fill = copy_fill(size);
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size,
					  wait_count, wait, command.event);
	command_end_copy(&command, status, &fill);
	return status;
}

/* The driver is not queried while recording is off. */
static uint64_t sizes(cl_uint count, const cl_mem *mems)
{
	uint64_t sum = 0;

	for (cl_uint i = 0; opencl_is_recording() && mems && i < count; i++) {
		size_t size = 0;

		next.clGetMemObjectInfo(mems[i], CL_MEM_SIZE, sizeof(size), &size, NULL);
		sum += size;
	}
	return sum;
}

cl_int profiled_clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count,
					   const cl_mem *mems, cl_mem_migration_flags flags,
					   cl_uint wait_count, const cl_event *wait,
					   cl_event *event)
{
	struct copy copy = copy_migration(flags, sizes(count, mems));
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueMigrateMemObjects(queue, count, mems, flags, wait_count, wait,
						 command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

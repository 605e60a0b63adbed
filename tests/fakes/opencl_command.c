/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <time.h>

#include "opencl.h"

/* Commands and waits. Copies are done at once, whenever their events end. */

/* Waits until everything in the queue, or the event, is complete, except for commands that never
 * complete. */
static void wait_for(cl_command_queue queue, cl_event one)
{
	static const struct timespec pause = {.tv_nsec = 200000};

	for (;;) {
		bool waits = false;

		driver_lock();
		queue_start(queue);
		queue_update(queue, false);
		for (cl_event event = queue->pending; event; event = event->older)
			waits |= event->delay != UINT64_MAX && (!one || event == one);
		driver_unlock(NULL);
		if (!waits)
			return;
		nanosleep(&pause, NULL);
	}
}

cl_int queue_flush(cl_command_queue queue)
{
	LOCKED();

	if (!object_is(queue, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	queue_start(queue);
	return CL_SUCCESS;
}

cl_int fake_clFlush(cl_command_queue queue)
{
	const struct timespec delay = {.tv_nsec = script.dawdle * 1000000};

	if (script.dawdle)
		nanosleep(&delay, NULL);
	return queue_flush(queue);
}

cl_int fake_clFinish(cl_command_queue queue)
{
	if (!object_is(queue, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	wait_for(queue, NULL);
	return CL_SUCCESS;
}

cl_int fake_clWaitForEvents(cl_uint count, const cl_event *events)
{
	cl_int status = CL_SUCCESS;

	for (cl_uint i = 0; i < count; i++) {
		if (!object_is(events[i], KIND_EVENT))
			return CL_INVALID_EVENT;
		wait_for(events[i]->queue, events[i]);
		if (events[i]->result < 0)
			status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	}
	return status;
}

static cl_int command(cl_command_queue queue, cl_command_type type, cl_kernel kernel,
		      cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	LOCKED();

	return command_make(queue, type, kernel, wait_count, wait, event);
}

cl_int fake_clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
					const cl_event *wait, cl_event *event)
{
	return command(queue, CL_COMMAND_MARKER, NULL, wait_count, wait, event);
}

static bool fits(cl_mem mem, size_t offset, size_t size)
{
	return object_is(mem, KIND_MEM) && offset <= mem->size && size <= mem->size - offset;
}

cl_int fake_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,
				size_t size, void *host, cl_uint wait_count, const cl_event *wait,
				cl_event *event)
{
	cl_int status;

	if (!fits(mem, offset, size))
		return CL_INVALID_VALUE;
	status = command(queue, CL_COMMAND_READ_BUFFER, NULL, wait_count, wait, event);
	if (status != CL_SUCCESS)
		return status;
	memcpy(host, mem->bytes + offset, size);
	if (blocking)
		fake_clFinish(queue);
	return CL_SUCCESS;
}

cl_int fake_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
				 size_t offset, size_t size, const void *host, cl_uint wait_count,
				 const cl_event *wait, cl_event *event)
{
	cl_int status;

	if (!fits(mem, offset, size))
		return CL_INVALID_VALUE;
	status = command(queue, CL_COMMAND_WRITE_BUFFER, NULL, wait_count, wait, event);
	if (status != CL_SUCCESS)
		return status;
	memcpy(mem->bytes + offset, host, size);
	if (blocking)
		fake_clFinish(queue);
	return CL_SUCCESS;
}

cl_int fake_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
				size_t source_offset, size_t target_offset, size_t size,
				cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	if (!fits(source, source_offset, size) || !fits(target, target_offset, size))
		return CL_INVALID_VALUE;
	memcpy(target->bytes + target_offset, source->bytes + source_offset, size);
	return command(queue, CL_COMMAND_COPY_BUFFER, NULL, wait_count, wait, event);
}

cl_int fake_clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern,
				size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
				const cl_event *wait, cl_event *event)
{
	if (!fits(mem, offset, size) || !pattern_size)
		return CL_INVALID_VALUE;
	for (size_t i = 0; i < size; i++)
		mem->bytes[offset + i] = ((const char *)pattern)[i % pattern_size];
	return command(queue, CL_COMMAND_FILL_BUFFER, NULL, wait_count, wait, event);
}

void *fake_clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
			      cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
			      const cl_event *wait, cl_event *event, cl_int *error)
{
	cl_int status = CL_INVALID_VALUE;

	if (fits(mem, offset, size))
		status = command(queue, CL_COMMAND_MAP_BUFFER, NULL, wait_count, wait, event);
	if (error)
		*error = status;
	return status == CL_SUCCESS ? mem->bytes + offset : NULL;
}

cl_int fake_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *address,
				    cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	if (!object_is(mem, KIND_MEM))
		return CL_INVALID_MEM_OBJECT;
	return command(queue, CL_COMMAND_UNMAP_MEM_OBJECT, NULL, wait_count, wait, event);
}

cl_int fake_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
				   const size_t *offset, const size_t *global, const size_t *local,
				   cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	if (!object_is(kernel, KIND_KERNEL))
		return CL_INVALID_KERNEL;
	if (!dimensions || dimensions > 3)
		return CL_INVALID_WORK_DIMENSION;
	return command(queue, CL_COMMAND_NDRANGE_KERNEL, kernel, wait_count, wait, event);
}

cl_int fake_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
			  const cl_event *wait, cl_event *event)
{
	if (!object_is(kernel, KIND_KERNEL))
		return CL_INVALID_KERNEL;
	return command(queue, CL_COMMAND_TASK, kernel, wait_count, wait, event);
}

cl_int fake_clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
	return command(queue, CL_COMMAND_MARKER, NULL, 0, NULL, event);
}

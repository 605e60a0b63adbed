/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/opencl/functions.h"
#include "backend/opencl/object.h"
#include "backend/opencl/query.h"
#include "backend/opencl/queue.h"
#include "session/session.h"

/*
 * Wrappers of queries whose answers would reveal the profiler. Reference counts: records hold their
 * events until the commands are complete, and events hold their queue, kernel and memory. So the
 * records of finished commands are written before such a query is passed on.
 */

static cl_int queue_properties(const struct opencl_queue *queue, size_t size, void *value,
			       size_t *size_ret)
{
	cl_command_queue_properties properties = 0;
	cl_int status = next.clGetCommandQueueInfo(queue->handle, CL_QUEUE_PROPERTIES,
						   sizeof(properties), &properties, NULL);

	if (status != CL_SUCCESS)
		return status;
	if (!queue->profiled)
		properties &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
	return query_answer(&properties, sizeof(properties), size, value, size_ret);
}

cl_int profiled_clGetCommandQueueInfo(cl_command_queue handle, cl_command_queue_info what,
				      size_t size, void *value, size_t *size_ret)
{
	const struct opencl_queue *queue = object_find(OBJECT_QUEUE, handle);

	if (queue && what == CL_QUEUE_PROPERTIES)
		return queue_properties(queue, size, value, size_ret);
	if (queue && what == CL_QUEUE_PROPERTIES_ARRAY) {
		size_t need = queue->property_count * sizeof(*queue->properties);
		/* Passed to the driver, which may not support this query. */
		cl_int status = next.clGetCommandQueueInfo(handle, what, 0, NULL, NULL);

		return status == CL_SUCCESS
			       ? query_answer(queue->properties, need, size, value, size_ret)
			       : status;
	}
	if (what == CL_QUEUE_REFERENCE_COUNT)
		session_write_ended(NULL, NULL);
	return next.clGetCommandQueueInfo(handle, what, size, value, size_ret);
}

cl_int profiled_clGetContextInfo(cl_context context, cl_context_info what, size_t size, void *value,
				 size_t *size_ret)
{
	if (what == CL_CONTEXT_REFERENCE_COUNT)
		session_write_ended(NULL, NULL);
	return next.clGetContextInfo(context, what, size, value, size_ret);
}

cl_int profiled_clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t size, void *value,
				   size_t *size_ret)
{
	if (what == CL_MEM_REFERENCE_COUNT)
		session_write_ended(NULL, NULL);
	return next.clGetMemObjectInfo(mem, what, size, value, size_ret);
}

cl_int profiled_clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t size, void *value,
				size_t *size_ret)
{
	if (what == CL_KERNEL_REFERENCE_COUNT)
		session_write_ended(NULL, NULL);
	return next.clGetKernelInfo(kernel, what, size, value, size_ret);
}

struct held {
	uint64_t handle;
	cl_uint count;
};

static void count_held(const struct record *pending, void *argument)
{
	struct held *held = argument;

	held->count += pending->handle == held->handle;
}

cl_int profiled_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value,
			       size_t *size_ret)
{
	struct held held = {.handle = (uint64_t)(uintptr_t)event};
	cl_int status;
	cl_uint count;

	if (what != CL_EVENT_REFERENCE_COUNT)
		return next.clGetEventInfo(event, what, size, value, size_ret);
	session_write_ended(count_held, &held);
	status = next.clGetEventInfo(event, what, size, value, size_ret);
	if (status != CL_SUCCESS || !value || !held.count)
		return status;
	memcpy(&count, value, sizeof(count));
	count -= count > held.count ? held.count : 0;
	memcpy(value, &count, sizeof(count));
	return status;
}

/* Times of a queue that the program made without profiling are hidden, unless the driver always
 * reports them. */
cl_int profiled_clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size,
					void *value, size_t *size_ret)
{
	cl_command_queue handle = NULL;
	const struct opencl_queue *queue;

	next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(handle), &handle, NULL);
	queue = handle ? object_find(OBJECT_QUEUE, handle) : NULL;
	if (queue && !queue->profiled && !queue->device->always_times)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	return next.clGetEventProfilingInfo(event, what, size, value, size_ret);
}

/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "opencl.h"

/* Contexts, queues and buffers. */

static void *fail(cl_int status, cl_int *error)
{
	if (error)
		*error = status;
	return NULL;
}

cl_context fake_clCreateContext(const cl_context_properties *properties, cl_uint count,
				const cl_device_id *devices,
				void(CL_CALLBACK *notify)(const char *, const void *, size_t,
							  void *),
				void *data, cl_int *error)
{
	cl_context context;
	LOCKED();

	if (!count || !object_is(devices[0], KIND_DEVICE))
		return fail(CL_INVALID_DEVICE, error);
	context = object_make(KIND_CONTEXT, sizeof(*context));
	context->device = devices[0];
	fail(CL_SUCCESS, error);
	return context;
}

cl_context fake_clCreateContextFromType(const cl_context_properties *properties,
					cl_device_type type,
					void(CL_CALLBACK *notify)(const char *, const void *,
								  size_t, void *),
					void *data, cl_int *error)
{
	cl_platform_id platform;

	fake_clGetPlatformIDs(1, &platform, NULL);
	return fake_clCreateContext(properties, 1, platform->devices, notify, data, error);
}

cl_int fake_clRetainContext(cl_context context)
{
	return object_count(context, KIND_CONTEXT, 1, CL_INVALID_CONTEXT);
}

cl_int fake_clReleaseContext(cl_context context)
{
	return object_count(context, KIND_CONTEXT, -1, CL_INVALID_CONTEXT);
}

cl_int fake_clGetContextInfo(cl_context context, cl_context_info what, size_t size, void *value,
			     size_t *size_ret)
{
	cl_uint one = 1;
	LOCKED();

	if (!object_is(context, KIND_CONTEXT))
		return CL_INVALID_CONTEXT;
	object_update_queues(false);
	if (what == CL_CONTEXT_REFERENCE_COUNT)
		return answer(&context->object.references, sizeof(cl_uint), size, value, size_ret);
	if (what == CL_CONTEXT_NUM_DEVICES)
		return answer(&one, sizeof(one), size, value, size_ret);
	if (what == CL_CONTEXT_DEVICES)
		return answer(&context->device, sizeof(context->device), size, value, size_ret);
	return CL_INVALID_VALUE;
}

cl_command_queue fake_clCreateCommandQueue(cl_context context, cl_device_id device,
					   cl_command_queue_properties properties, cl_int *error)
{
	cl_command_queue queue;
	LOCKED();

	if (!object_is(context, KIND_CONTEXT))
		return fail(CL_INVALID_CONTEXT, error);
	if (!object_is(device, KIND_DEVICE))
		return fail(CL_INVALID_DEVICE, error);
	if (script.noprofiling && properties & CL_QUEUE_PROFILING_ENABLE)
		return fail(CL_INVALID_QUEUE_PROPERTIES, error);
	queue = object_make(KIND_QUEUE, sizeof(*queue));
	queue->context = context;
	object_retain(context);
	queue->device = device;
	queue->properties = properties;
	fail(CL_SUCCESS, error);
	return queue;
}

cl_command_queue fake_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
							 const cl_queue_properties *properties,
							 cl_int *error)
{
	cl_command_queue_properties flags = 0;

	for (; properties && *properties; properties += 2)
		if (*properties == CL_QUEUE_PROPERTIES)
			flags = properties[1];
	return fake_clCreateCommandQueue(context, device, flags, error);
}

cl_int fake_clRetainCommandQueue(cl_command_queue queue)
{
	return object_count(queue, KIND_QUEUE, 1, CL_INVALID_COMMAND_QUEUE);
}

cl_int fake_clReleaseCommandQueue(cl_command_queue queue)
{
	if (object_is(queue, KIND_QUEUE))
		queue_flush(queue);
	return object_count(queue, KIND_QUEUE, -1, CL_INVALID_COMMAND_QUEUE);
}

cl_int fake_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t size,
				  void *value, size_t *size_ret)
{
	LOCKED();

	if (!object_is(queue, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	queue_update(queue, false);
	switch (what) {
	case CL_QUEUE_CONTEXT:
		return answer(&queue->context, sizeof(queue->context), size, value, size_ret);
	case CL_QUEUE_DEVICE:
		return answer(&queue->device, sizeof(queue->device), size, value, size_ret);
	case CL_QUEUE_PROPERTIES:
		return answer(&queue->properties, sizeof(queue->properties), size, value, size_ret);
	case CL_QUEUE_REFERENCE_COUNT:
		return answer(&queue->object.references, sizeof(cl_uint), size, value, size_ret);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int fake_clSetCommandQueueProperty(cl_command_queue queue,
				      cl_command_queue_properties properties, cl_bool enable,
				      cl_command_queue_properties *old)
{
	LOCKED();

	if (!object_is(queue, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	if (enable && script.noprofiling && properties & CL_QUEUE_PROFILING_ENABLE)
		return CL_INVALID_QUEUE_PROPERTIES;
	if (old)
		*old = queue->properties;
	queue->properties = enable ? queue->properties | properties
				   : queue->properties & ~properties;
	return CL_SUCCESS;
}

cl_mem fake_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
			   cl_int *error)
{
	cl_mem mem;
	LOCKED();

	if (!object_is(context, KIND_CONTEXT))
		return fail(CL_INVALID_CONTEXT, error);
	mem = object_make(KIND_MEM, sizeof(*mem));
	mem->context = context;
	object_retain(context);
	mem->flags = flags;
	mem->size = size;
	mem->bytes = calloc(1, size);
	fail(CL_SUCCESS, error);
	return mem;
}

cl_int fake_clRetainMemObject(cl_mem mem)
{
	return object_count(mem, KIND_MEM, 1, CL_INVALID_MEM_OBJECT);
}

cl_int fake_clReleaseMemObject(cl_mem mem)
{
	return object_count(mem, KIND_MEM, -1, CL_INVALID_MEM_OBJECT);
}

cl_int fake_clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t size, void *value,
			       size_t *size_ret)
{
	cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
	LOCKED();

	if (!object_is(mem, KIND_MEM))
		return CL_INVALID_MEM_OBJECT;
	switch (what) {
	case CL_MEM_TYPE:
		return answer(&type, sizeof(type), size, value, size_ret);
	case CL_MEM_FLAGS:
		return answer(&mem->flags, sizeof(mem->flags), size, value, size_ret);
	case CL_MEM_SIZE:
		return answer(&mem->size, sizeof(mem->size), size, value, size_ret);
	case CL_MEM_REFERENCE_COUNT:
		return answer(&mem->object.references, sizeof(cl_uint), size, value, size_ret);
	default:
		return CL_INVALID_VALUE;
	}
}

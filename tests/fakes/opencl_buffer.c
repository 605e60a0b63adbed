/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "opencl.h"

/*
 * cl_khr_command_buffer, version 0.9.5: the recording functions have `properties` after the queue.
 * They only check that their parameters arrive in the right places: the test program's sizes are
 * 64, and its last parameter is 0.
 */
enum { COMMAND_BUFFER = 0x12a8, SIZE = 64 };

struct command_buffer {
	struct object object;
	cl_command_queue queue;
};

static void *create(cl_uint count, const cl_command_queue *queues, const void *properties,
		    cl_int *error)
{
	struct command_buffer *buffer;
	LOCKED();

	buffer = object_make(KIND_COMMAND_BUFFER, sizeof(*buffer));
	buffer->queue = queues[0];
	if (script.holds)
		object_retain(buffer->queue);
	if (error)
		*error = CL_SUCCESS;
	return buffer;
}

void command_buffer_drop(void *buffer)
{
	if (script.holds)
		object_release(((struct command_buffer *)buffer)->queue);
}

static cl_int finalize(void *buffer)
{
	return object_is(buffer, KIND_COMMAND_BUFFER) ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_int retain(void *buffer)
{
	return object_count(buffer, KIND_COMMAND_BUFFER, 1, CL_INVALID_VALUE);
}

static cl_int release(void *buffer)
{
	return object_count(buffer, KIND_COMMAND_BUFFER, -1, CL_INVALID_VALUE);
}

static cl_int enqueue(cl_uint count, cl_command_queue *queues, void *given, cl_uint wait_count,
		      const cl_event *wait, cl_event *event)
{
	struct command_buffer *buffer = given;
	LOCKED();

	if (!object_is(buffer, KIND_COMMAND_BUFFER))
		return CL_INVALID_VALUE;
	return command_make(buffer->queue, script.buffers == 2 ? CL_COMMAND_MARKER : COMMAND_BUFFER,
			    NULL, wait_count, wait, event);
}

static void *remap(void *given, cl_bool automatic, cl_uint count, const cl_command_queue *queues,
		   cl_uint command_count, const void *commands, void *new_commands, cl_int *error)
{
	return create(1, &((struct command_buffer *)given)->queue, NULL, error);
}

static cl_int check(void *buffer, bool arrived, const char *what)
{
	if (!arrived)
		complain("%s: its parameters do not arrive", what);
	return finalize(buffer);
}

static cl_int launch(void *buffer, void *queue, const void *properties, cl_kernel kernel,
		     cl_uint dimensions, const size_t *offset, const size_t *global,
		     const size_t *local, cl_uint wait_count, const void *wait, void *point,
		     void *handle)
{
	return object_is(kernel, KIND_KERNEL)
		       ? check(buffer, *global == SIZE && !wait_count && !handle, __func__)
		       : CL_INVALID_KERNEL;
}

static cl_int fill(void *buffer, void *queue, const void *properties, cl_mem mem,
		   const void *pattern, size_t pattern_size, size_t offset, size_t size,
		   cl_uint wait_count, const void *wait, void *point, void *handle)
{
	return check(buffer, object_is(mem, KIND_MEM) && size == SIZE && !handle, __func__);
}

static cl_int copy(void *buffer, void *queue, const void *properties, cl_mem source, cl_mem target,
		   size_t source_offset, size_t target_offset, size_t size, cl_uint wait_count,
		   const void *wait, void *point, void *handle)
{
	return check(buffer, object_is(target, KIND_MEM) && size == SIZE && !handle, __func__);
}

static cl_int copy_rect(void *buffer, void *queue, const void *properties, cl_mem source,
			cl_mem target, const size_t *source_origin, const size_t *target_origin,
			const size_t *region, size_t source_row, size_t source_slice,
			size_t target_row, size_t target_slice, cl_uint wait_count,
			const void *wait, void *point, void *handle)
{
	return check(buffer, target_slice == SIZE && !wait_count && !handle, __func__);
}

static cl_int barrier(void *buffer, void *queue, const void *properties, cl_uint wait_count,
		      const void *wait, void *point, void *handle)
{
	return check(buffer, !wait_count && !handle, __func__);
}

static const struct {
	const char *name;
	void *function;
} functions[] = {
	{"clCreateCommandBufferKHR", (void *)create},
	{"clFinalizeCommandBufferKHR", (void *)finalize},
	{"clRetainCommandBufferKHR", (void *)retain},
	{"clReleaseCommandBufferKHR", (void *)release},
	{"clEnqueueCommandBufferKHR", (void *)enqueue},
	{"clRemapCommandBufferKHR", (void *)remap},
	{"clCommandNDRangeKernelKHR", (void *)launch},
	{"clCommandFillBufferKHR", (void *)fill},
	{"clCommandCopyBufferKHR", (void *)copy},
	{"clCommandCopyBufferRectKHR", (void *)copy_rect},
	{"clCommandBarrierWithWaitListKHR", (void *)barrier},
};

void *buffer_function(const char *name)
{
	for (size_t i = 0; script.buffers && i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(functions[i].name, name))
			return functions[i].function;
	return NULL;
}

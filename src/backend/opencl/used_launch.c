/* SPDX-License-Identifier: MIT */
#include "backend/opencl/arguments.h"
#include "backend/opencl/allocation.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/object.h"

/* Uses by commands that run code. */

static void launched(struct used *used, cl_int status, cl_kernel kernel)
{
	if (!used_open(used, status == CL_SUCCESS))
		return;
	arguments_used(used, kernel);
	used_close(used);
}

cl_int used_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
				   const size_t *offset, const size_t *global, const size_t *local,
				   cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
						 wait_count, wait, event);
	launched(&used, status, kernel);
	return status;
}

cl_int used_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
			  const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueTask(queue, kernel, wait_count, wait, event);
	launched(&used, status, kernel);
	return status;
}

/* The function may do all that the object permits. */
static void native(struct used *used, cl_mem handle)
{
	const struct opencl_memory *memory = object_find(OBJECT_MEMORY, handle);
	struct used_part part = {.flags = USE_PARTIAL, .argument = USE_NO_ARGUMENT};

	if (!memory) {
		used->is_unknown = true;
		return;
	}
	part.access = used_permitted(memory->flags);
	if (part.access == USE_READ_WRITE)
		part.flags |= USE_ASSUMED;
	part.bytes = memory->root ? memory->extent : 0;
	used_memory(used, handle, &part);
}

cl_int used_clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
				  void *arguments, size_t size, cl_uint mem_count,
				  const cl_mem *mems, const void **locations, cl_uint wait_count,
				  const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueNativeKernel(queue, function, arguments, size, mem_count, mems,
						locations, wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	for (cl_uint i = 0; mems && i < mem_count; i++)
		native(&used, mems[i]);
	used_close(&used);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/functions.h"
#include "backend/opencl/used.h"

/* Uses by copies, fills and migrations of shared virtual memory. */

cl_int used_clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *target,
			       const void *source, size_t size, cl_uint wait_count,
			       const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueSVMMemcpy(queue, blocking, target, source, size, wait_count,
					     wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	if (size) {
		used_address(&used, source, size, USE_READ);
		used_address(&used, target, size, USE_WRITE);
	}
	used_close(&used);
	return status;
}

cl_int used_clEnqueueSVMMemFill(cl_command_queue queue, void *memory, const void *pattern,
				size_t pattern_size, size_t size, cl_uint wait_count,
				const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueSVMMemFill(queue, memory, pattern, pattern_size, size,
					      wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	if (size)
		used_address(&used, memory, size, USE_WRITE);
	used_close(&used);
	return status;
}

/* A size of 0 means the whole allocation. */
cl_int used_clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint count, const void **memory,
				   const size_t *sizes, cl_mem_migration_flags flags,
				   cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	enum use_access access =
		flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED ? USE_WRITE : USE_READ;
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueSVMMigrateMem(queue, count, memory, sizes, flags, wait_count,
						 wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	for (cl_uint i = 0; memory && i < count; i++)
		used_address(&used, memory[i], sizes ? sizes[i] : 0, access);
	used_close(&used);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/address_range.h"
#include "backend/opencl/command.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/mapping.h"

/* Commands on shared virtual memory. */

void *profiled_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
			  cl_uint alignment)
{
	void *memory = next.clSVMAlloc(context, flags, size, alignment);

	address_range_add(ADDRESS_RANGE_SHARED, memory, size);
	return memory;
}

void profiled_clSVMFree(cl_context context, void *memory)
{
	address_range_remove(ADDRESS_RANGE_SHARED, memory);
	next.clSVMFree(context, memory);
}

/* Makes no record. The range is removed at once: after the command the address may be reused. */
cl_int profiled_clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void **memory,
				 void(CL_CALLBACK *done)(cl_command_queue, cl_uint, void **,
							 void *),
				 void *argument, cl_uint wait_count, const cl_event *wait,
				 cl_event *event)
{
	for (cl_uint i = 0; memory && i < count; i++)
		address_range_remove(ADDRESS_RANGE_SHARED, memory[i]);
	return next.clEnqueueSVMFree(queue, count, memory, done, argument, wait_count, wait, event);
}

/* Memory that is not from clSVMAlloc is host memory. */
static struct copy between(const void *target, const void *source, size_t bytes)
{
	bool from_host = !address_range_has(ADDRESS_RANGE_SHARED, source);
	bool to_host = !address_range_has(ADDRESS_RANGE_SHARED, target);

	if (from_host == to_host)
		return copy_between(MEMORY_DEVICE, MEMORY_DEVICE, NULL, bytes);
	if (from_host)
		return copy_between(MEMORY_HOST, MEMORY_DEVICE, source, bytes);
	return copy_between(MEMORY_DEVICE, MEMORY_HOST, target, bytes);
}

cl_int profiled_clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *target,
				   const void *source, size_t size, cl_uint wait_count,
				   const cl_event *wait, cl_event *event)
{
	struct copy copy = between(target, source, size);
	struct command command;
	cl_int status;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	status = next.clEnqueueSVMMemcpy(queue, blocking, target, source, size, wait_count, wait,
					 command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueSVMMemFill(cl_command_queue queue, void *memory, const void *pattern,
				    size_t pattern_size, size_t size, cl_uint wait_count,
				    const cl_event *wait, cl_event *event)
{
	struct copy fill = copy_fill(size);
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueSVMMemFill(queue, memory, pattern, pattern_size, size, wait_count,
					  wait, command.event);
	command_end_copy(&command, status, &fill);
	return status;
}

cl_int profiled_clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
				void *memory, size_t size, cl_uint wait_count, const cl_event *wait,
				cl_event *event)
{
	struct copy copy = mapping_copy(MEMORY_DEVICE, flags, size);
	struct command command;
	cl_int status;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	status = next.clEnqueueSVMMap(queue, blocking, flags, memory, size, wait_count, wait,
				      command.event);
	if (status == CL_SUCCESS)
		mapping_add(NULL, memory, size);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueSVMUnmap(cl_command_queue queue, void *memory, cl_uint wait_count,
				  const cl_event *wait, cl_event *event)
{
	uint64_t bytes = mapping_take(NULL, memory);
	struct copy copy = copy_between(MEMORY_HOST, MEMORY_DEVICE, NULL, bytes);
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueSVMUnmap(queue, memory, wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint count, const void **memory,
				       const size_t *sizes, cl_mem_migration_flags flags,
				       cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct copy copy = copy_migration(flags, 0);
	struct command command;
	cl_int status;

	/* A size of 0 means the whole allocation. */
	for (cl_uint i = 0; sizes && i < count; i++)
		copy.bytes += sizes[i];
	command_begin(&command, queue, event);
	status = next.clEnqueueSVMMigrateMem(queue, count, memory, sizes, flags, wait_count, wait,
					     command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/command.h"
#include "backend/opencl/extension.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/kernel.h"
#include "backend/opencl/lines.h"
#include "backend/opencl/opencl.h"
#include "model/occupancy.h"
#include "session/session.h"

/* Commands that run code. */

struct launch {
	cl_uint dimensions;
	const size_t *global; /* NULL: unknown */
	const size_t *local;  /* NULL: chosen by the driver and unknown */
	bool given;	      /* chosen by the program */
	bool required; /* by an attribute of the kernel; the driver may demand that it is given */
};

/* Returns the number of work-groups. 32-bit divisions are several times as fast. */
static uint64_t group_count(uint64_t global, uint64_t local)
{
	uint64_t whole;

	if (local <= 1)
		return global;
	whole = (global | local) >> 32 ? global / local : (uint32_t)global / (uint32_t)local;
	return whole + (whole * local != global);
}

static void fill_sizes(struct record *record, const struct launch *launch)
{
	record->known |= KNOWN_BLOCK_GIVEN;
	record->block_given = launch->given;
	if (!launch->global || !launch->local)
		return;
	record->known |= KNOWN_GRID | KNOWN_BLOCK;
	for (cl_uint i = 0; i < 3; i++) {
		bool used = i < launch->dimensions;
		size_t local = used && launch->local[i] ? launch->local[i] : 1;

		record->grid[i] = group_count(used ? launch->global[i] : 1, local);
		record->block[i] = (uint32_t)local;
	}
}

static void fill_resources(struct record *record, const struct opencl_kernel *kernel,
			   const struct opencl_device *device)
{
	record->name = kernel->name;
	record->static_shared = kernel->static_local;
	record->dynamic_shared = kernel->dynamic_local;
	record->known |= kernel->has_static_local ? KNOWN_STATIC_SHARED : 0;
	record->known |= kernel->lacks_dynamic_local ? 0 : KNOWN_DYNAMIC_SHARED;
	if (!kernel->has_registers)
		return;
	record->registers = kernel->registers;
	record->known |= KNOWN_REGISTERS;
	if (!(record->known & KNOWN_BLOCK) || !(record->known & KNOWN_STATIC_SHARED) ||
	    !(record->known & KNOWN_DYNAMIC_SHARED) || device->warp != OCCUPANCY_WARP)
		return;
	record->occupancy = occupancy(
		&(struct occupancy_device){.compute = device->compute},
		&(struct occupancy_block){
			.threads = (uint64_t)record->block[0] * record->block[1] * record->block[2],
			.registers = kernel->registers,
			.shared = (uint64_t)kernel->static_local + kernel->dynamic_local,
		});
	if (record->occupancy > 0)
		record->known |= KNOWN_OCCUPANCY;
}

static void end_kernel(struct command *command, cl_int status, const struct opencl_kernel *kernel,
		       const struct launch *launch)
{
	struct record *record = command_record(command, status, FRAME_KERNEL);

	if (!record)
		return;
	fill_sizes(record, launch);
	fill_resources(record, kernel, command->queue->device);
	command_commit(command);
}

/* Returns NULL if the launch is not recorded; the driver is not queried then. */
static const struct opencl_kernel *kernel_to_record(cl_kernel handle)
{
	const struct opencl_kernel *kernel = opencl_is_recording() ? kernel_of(handle) : NULL;

	if (!kernel || kernel->wanted)
		return kernel;
	session_filtered();
	return NULL;
}

/* Launches the kernel's twin, or the kernel. Sets `counted` if it was the twin. The driver must not
 * accept a launch of the twin where it refuses the kernel's. */
static cl_int launch_counted(struct lines_kernel *lines, const struct launch *launch,
			     cl_command_queue queue, cl_kernel handle, const size_t *offset,
			     cl_uint wait_count, const cl_event *wait, cl_event *event,
			     bool *counted)
{
	cl_kernel twin =
		event ? lines_begin_launch(lines, launch->dimensions, launch->global, launch->local)
		      : NULL;
	const size_t *own = launch->given ? launch->local : NULL;
	const size_t *local = launch->required ? own : launch->local;
	cl_int status;

	if (twin) {
		status =
			next.clEnqueueNDRangeKernel(queue, twin, launch->dimensions, offset,
						    launch->global, local, wait_count, wait, event);
		*counted = lines_launched(lines, queue, status, event);
		if (*counted)
			return status;
	}
	status = next.clEnqueueNDRangeKernel(queue, handle, launch->dimensions, offset,
					     launch->global, own, wait_count, wait, event);
	if (twin)
		lines_refused(lines, status);
	return status;
}

cl_int profiled_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel handle, cl_uint dimensions,
				       const size_t *offset, const size_t *global,
				       const size_t *local, cl_uint wait_count,
				       const cl_event *wait, cl_event *event)
{
	const struct opencl_kernel *kernel = kernel_to_record(handle);
	struct launch launch = {.global = global, .local = local, .given = local != NULL};
	struct command command;
	size_t suggested[3];
	bool counted = false;
	cl_int status;

	if (!kernel)
		return next.clEnqueueNDRangeKernel(queue, handle, dimensions, offset, global, local,
						   wait_count, wait, event);
	launch.dimensions = dimensions < 3 ? dimensions : 3;
	launch.required = !local && kernel->required[0];
	if (launch.required)
		launch.local = kernel->required;
	else if (!local &&
		 extension_suggested_size(queue, handle, dimensions, offset, global, suggested))
		launch.local = suggested;
	command_begin(&command, queue, event);
	if (kernel->lines && dimensions < 4)
		status = launch_counted(kernel->lines, &launch, queue, handle, offset, wait_count,
					wait, command.event, &counted);
	else
		status = next.clEnqueueNDRangeKernel(queue, handle, dimensions, offset, global,
						     local, wait_count, wait, command.event);
	end_kernel(&command, status, kernel, &launch);
	if (counted)
		lines_end_launch(kernel->lines);
	return status;
}

cl_int profiled_clEnqueueTask(cl_command_queue queue, cl_kernel handle, cl_uint wait_count,
			      const cl_event *wait, cl_event *event)
{
	static const size_t one[3] = {1, 1, 1};
	static const struct launch launch = {.dimensions = 1, .global = one, .local = one};
	const struct opencl_kernel *kernel = kernel_to_record(handle);
	struct command command;
	cl_int status;

	if (!kernel)
		return next.clEnqueueTask(queue, handle, wait_count, wait, event);
	command_begin(&command, queue, event);
	status = next.clEnqueueTask(queue, handle, wait_count, wait, command.event);
	end_kernel(&command, status, kernel, &launch);
	return status;
}

cl_int profiled_clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
				      void *arguments, size_t size, cl_uint mem_count,
				      const cl_mem *mems, const void **locations,
				      cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	static struct command_name name = {.text = "native_kernel"};
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueNativeKernel(queue, function, arguments, size, mem_count, mems,
					    locations, wait_count, wait, command.event);
	command_end_named(&command, status, &name);
	return status;
}

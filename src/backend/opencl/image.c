/* SPDX-License-Identifier: MIT */
#include "backend/opencl/command.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/image.h"
#include "backend/opencl/opencl.h"

/* Copies and fills of images. */

uint64_t image_bytes(cl_mem image, const size_t region[3])
{
	size_t element = 0;

	if (!region)
		return 0;
	next.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(element), &element, NULL);
	return (uint64_t)region[0] * region[1] * region[2] * element;
}

/* The driver is not queried while recording is off. */
static uint64_t recorded_bytes(cl_mem image, const size_t region[3])
{
	return opencl_is_recording() ? image_bytes(image, region) : 0;
}

cl_int profiled_clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
				   const size_t *origin, const size_t *region, size_t row,
				   size_t slice, void *host, cl_uint wait_count,
				   const cl_event *wait, cl_event *event)
{
	struct copy copy =
		copy_between(MEMORY_ARRAY, MEMORY_HOST, host, recorded_bytes(image, region));
	struct command command;
	cl_int status;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	status = next.clEnqueueReadImage(queue, image, blocking, origin, region, row, slice, host,
					 wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
				    const size_t *origin, const size_t *region, size_t row,
				    size_t slice, const void *host, cl_uint wait_count,
				    const cl_event *wait, cl_event *event)
{
	struct copy copy =
		copy_between(MEMORY_HOST, MEMORY_ARRAY, host, recorded_bytes(image, region));
	struct command command;
	cl_int status;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	status = next.clEnqueueWriteImage(queue, image, blocking, origin, region, row, slice, host,
					  wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueCopyImage(cl_command_queue queue, cl_mem source, cl_mem target,
				   const size_t *source_origin, const size_t *target_origin,
				   const size_t *region, cl_uint wait_count, const cl_event *wait,
				   cl_event *event)
{
	struct copy copy =
		copy_between(MEMORY_ARRAY, MEMORY_ARRAY, NULL, recorded_bytes(source, region));
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueCopyImage(queue, source, target, source_origin, target_origin,
					 region, wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
					   const size_t *origin, const size_t *region,
					   size_t offset, cl_uint wait_count, const cl_event *wait,
					   cl_event *event)
{
	struct copy copy =
		copy_between(MEMORY_ARRAY, MEMORY_DEVICE, NULL, recorded_bytes(source, region));
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueCopyImageToBuffer(queue, source, target, origin, region, offset,
						 wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem source, cl_mem target,
					   size_t offset, const size_t *origin,
					   const size_t *region, cl_uint wait_count,
					   const cl_event *wait, cl_event *event)
{
	struct copy copy =
		copy_between(MEMORY_DEVICE, MEMORY_ARRAY, NULL, recorded_bytes(target, region));
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueCopyBufferToImage(queue, source, target, offset, origin, region,
						 wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int profiled_clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *colour,
				   const size_t *origin, const size_t *region, cl_uint wait_count,
				   const cl_event *wait, cl_event *event)
{
	struct copy fill = copy_fill(recorded_bytes(image, region));
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = next.clEnqueueFillImage(queue, image, colour, origin, region, wait_count, wait,
					 command.event);
	command_end_copy(&command, status, &fill);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/functions.h"
#include "backend/opencl/allocation.h"
#include "backend/opencl/image.h"
#include "backend/opencl/object.h"
#include "backend/opencl/used.h"

/* Uses by copies and fills of images. Places in an image are those of its rows and slices, as the
 * driver gives their sizes. */

static size_t query_size(cl_mem image, cl_image_info name)
{
	size_t value = 0;

	next.clGetImageInfo(image, name, sizeof(value), &value, NULL);
	return value;
}

static bool is_whole(cl_mem image, const size_t *region)
{
	size_t height = query_size(image, CL_IMAGE_HEIGHT),
	       depth = query_size(image, CL_IMAGE_DEPTH);
	size_t layers = query_size(image, CL_IMAGE_ARRAY_SIZE);
	size_t all = query_size(image, CL_IMAGE_WIDTH);

	all *= (height ? height : 1) * (depth ? depth : 1) * (layers ? layers : 1);
	return region[0] * region[1] * region[2] == all;
}

struct used_part used_image_part(cl_mem image, const size_t *origin, const size_t *region,
				 enum use_access access)
{
	const struct opencl_memory *memory = object_find(OBJECT_MEMORY, image);
	struct used_part part = {.access = access, .argument = USE_NO_ARGUMENT};
	size_t element = query_size(image, CL_IMAGE_ELEMENT_SIZE),
	       row = query_size(image, CL_IMAGE_ROW_PITCH);
	size_t slice = query_size(image, CL_IMAGE_SLICE_PITCH), from[3], size[3];
	cl_mem_object_type type = 0;

	if (!memory || !origin || !region)
		return part;
	if (is_whole(image, region)) {
		part.bytes = memory->root ? memory->extent : memory->bytes;
		return part;
	}
	next.clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof(type), &type, NULL);
	if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY && slice)
		row = slice;
	for (int i = 0; i < 3; i++) {
		from[i] = origin[i] * (i ? 1 : element);
		size[i] = region[i] * (i ? 1 : element);
	}
	return used_box(from, size, row, slice, access);
}

void used_image(struct used *used, cl_mem image, const size_t *origin, const size_t *region,
		enum use_access access)
{
	struct used_part part = used_image_part(image, origin, region, access);

	used_memory(used, image, &part);
}

cl_int used_clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
			       const size_t *origin, const size_t *region, size_t row, size_t slice,
			       void *host, cl_uint wait_count, const cl_event *wait,
			       cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueReadImage(queue, image, blocking, origin, region, row, slice,
					     host, wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_image(&used, image, origin, region, USE_READ);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
				const size_t *origin, const size_t *region, size_t row,
				size_t slice, const void *host, cl_uint wait_count,
				const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueWriteImage(queue, image, blocking, origin, region, row, slice,
					      host, wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_image(&used, image, origin, region, USE_WRITE);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueCopyImage(cl_command_queue queue, cl_mem source, cl_mem target,
			       const size_t *source_origin, const size_t *target_origin,
			       const size_t *region, cl_uint wait_count, const cl_event *wait,
			       cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueCopyImage(queue, source, target, source_origin, target_origin,
					     region, wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_image(&used, source, source_origin, region, USE_READ);
	used_image(&used, target, target_origin, region, USE_WRITE);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
				       const size_t *origin, const size_t *region, size_t offset,
				       cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueCopyImageToBuffer(queue, source, target, origin, region, offset,
						     wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_image(&used, source, origin, region, USE_READ);
	used_bytes(&used, target, offset, image_bytes(source, region), USE_WRITE);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem source, cl_mem target,
				       size_t offset, const size_t *origin, const size_t *region,
				       cl_uint wait_count, const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueCopyBufferToImage(queue, source, target, offset, origin, region,
						     wait_count, wait, event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_bytes(&used, source, offset, image_bytes(target, region), USE_READ);
	used_image(&used, target, origin, region, USE_WRITE);
	used_close(&used);
	return status;
}

cl_int used_clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *colour,
			       const size_t *origin, const size_t *region, cl_uint wait_count,
			       const cl_event *wait, cl_event *event)
{
	struct used used;
	cl_int status;

	used_begin(&used, queue);
	status = profiled_clEnqueueFillImage(queue, image, colour, origin, region, wait_count, wait,
					     event);
	if (!used_open(&used, status == CL_SUCCESS))
		return status;
	used_image(&used, image, origin, region, USE_WRITE);
	used_close(&used);
	return status;
}

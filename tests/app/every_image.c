/* SPDX-License-Identifier: MIT */
#include "every.h"
#include "expect.h"

/* 4 bytes a pixel */
enum { WIDTH = 32, HEIGHT = 16, DEPTH = 3, PIXEL = 4 };

static const size_t zero[3] = {0, 0, 0};
static const size_t flat[3] = {WIDTH, HEIGHT, 1}, deep[3] = {WIDTH / 2, HEIGHT / 2, DEPTH};
enum { FLAT = WIDTH * HEIGHT * PIXEL, DEEP = WIDTH / 2 * HEIGHT / 2 * DEPTH * PIXEL };

static cl_mem make_image(struct every *every, cl_mem_object_type type)
{
	static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
	cl_image_desc description = {
		.image_type = type,
		.image_width = WIDTH,
		.image_height = HEIGHT,
		.image_depth = type == CL_MEM_OBJECT_IMAGE3D ? DEPTH : 1,
	};
	cl_int status;
	cl_mem image = clCreateImage(every->opencl.context, CL_MEM_READ_WRITE, &format,
				     &description, NULL, &status);

	return opencl_did(status, "clCreateImage") ? image : NULL;
}

static void read_and_write(struct every *every, cl_mem image, const size_t *region, size_t bytes)
{
	if (opencl_did(clEnqueueWriteImage(every->queue, image, every->blocking, zero, region, 0, 0,
					   every->memory, 0, NULL, NULL),
		       "clEnqueueWriteImage"))
		expect_copy(EVERY_QUEUE, HOST, IMAGE, bytes, PAGEABLE);
	if (opencl_did(clEnqueueReadImage(every->queue, image, every->blocking, zero, region, 0, 0,
					  every->memory, 0, NULL, NULL),
		       "clEnqueueReadImage"))
		expect_copy(EVERY_QUEUE, IMAGE, HOST, bytes, PAGEABLE);
}

static void copy(struct every *every, cl_mem from, cl_mem to, const size_t *region, size_t bytes)
{
	if (opencl_did(clEnqueueCopyImage(every->queue, from, to, zero, zero, region, 0, NULL,
					  NULL),
		       "clEnqueueCopyImage"))
		expect_copy(EVERY_QUEUE, IMAGE, IMAGE, bytes, UNKNOWN);
	if (opencl_did(clEnqueueCopyImageToBuffer(every->queue, from, every->buffers[0], zero,
						  region, 0, 0, NULL, NULL),
		       "clEnqueueCopyImageToBuffer"))
		expect_copy(EVERY_QUEUE, IMAGE, DEVICE, bytes, UNKNOWN);
	if (opencl_did(clEnqueueCopyBufferToImage(every->queue, every->buffers[0], to, 0, zero,
						  region, 0, NULL, NULL),
		       "clEnqueueCopyBufferToImage"))
		expect_copy(EVERY_QUEUE, DEVICE, IMAGE, bytes, UNKNOWN);
}

static void fill(struct every *every, cl_mem image, const size_t *region, size_t bytes)
{
	static const cl_uint colour[4] = {1, 2, 3, 4};

	if (opencl_did(clEnqueueFillImage(every->queue, image, colour, zero, region, 0, NULL, NULL),
		       "clEnqueueFillImage"))
		expect_fill(EVERY_QUEUE, bytes);
}

static void map(struct every *every, cl_mem image, cl_map_flags flags, const size_t *region,
		size_t bytes)
{
	size_t row = 0, slice = 0;
	cl_int status;
	void *memory = clEnqueueMapImage(every->queue, image, every->blocking, flags, zero, region,
					 &row, &slice, 0, NULL, NULL, &status);

	if (!opencl_did(status, "clEnqueueMapImage"))
		return;
	if (flags & CL_MAP_READ)
		expect_copy(EVERY_QUEUE, IMAGE, HOST, bytes, PAGEABLE);
	else
		expect_copy(EVERY_QUEUE, HOST, IMAGE, bytes, PAGEABLE);
	opencl_check(clEnqueueUnmapMemObject(every->queue, image, memory, 0, NULL, NULL),
		     "clEnqueueUnmapMemObject");
	expect_copy(EVERY_QUEUE, HOST, IMAGE, bytes, PAGEABLE);
}

static void use(struct every *every, cl_mem_object_type type, const size_t *region, size_t bytes)
{
	cl_mem from = make_image(every, type), to = make_image(every, type);

	if (from && to) {
		fill(every, from, region, bytes);
		read_and_write(every, from, region, bytes);
		copy(every, from, to, region, bytes);
		map(every, to, CL_MAP_READ, region, bytes);
		map(every, to, CL_MAP_WRITE, region, bytes);
	}
	if (from)
		opencl_check(clReleaseMemObject(from), "clReleaseMemObject");
	if (to)
		opencl_check(clReleaseMemObject(to), "clReleaseMemObject");
}

void every_image(struct every *every)
{
	cl_bool here = CL_FALSE;

	clGetDeviceInfo(every->opencl.devices[0], CL_DEVICE_IMAGE_SUPPORT, sizeof(here), &here,
			NULL);
	if (!here)
		return;
	use(every, CL_MEM_OBJECT_IMAGE2D, flat, FLAT);
	use(every, CL_MEM_OBJECT_IMAGE3D, deep, DEEP);
}

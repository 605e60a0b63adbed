/* SPDX-License-Identifier: MIT */
#include "every.h"
#include "expect.h"

enum { PART = 4096, PITCH = 256 };

static void read_and_write(struct every *every)
{
	opencl_check(clEnqueueWriteBuffer(every->queue, every->buffers[0], every->blocking, 16,
					  PART, every->memory, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
	expect_copy(EVERY_QUEUE, HOST, DEVICE, PART, PAGEABLE);
	opencl_check(clEnqueueReadBuffer(every->queue, every->buffers[0], every->blocking, 1, 1,
					 every->memory, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
	expect_copy(EVERY_QUEUE, DEVICE, HOST, 1, PAGEABLE);
	opencl_check(clEnqueueCopyBuffer(every->queue, every->buffers[0], every->buffers[1], 0,
					 PART, 2 * PART, 0, NULL, NULL),
		     "clEnqueueCopyBuffer");
	expect_copy(EVERY_QUEUE, DEVICE, DEVICE, 2 * PART, UNKNOWN);
}

static void rectangles(struct every *every)
{
	static const size_t origin[3] = {4, 2, 1}, zero[3] = {0, 0, 0}, region[3] = {32, 5, 3};

	opencl_check(clEnqueueWriteBufferRect(every->queue, every->buffers[0], every->blocking,
					      origin, zero, region, PITCH, 0, 0, 0, every->memory,
					      0, NULL, NULL),
		     "clEnqueueWriteBufferRect");
	expect_copy(EVERY_QUEUE, HOST, DEVICE, 32 * 5 * 3, PAGEABLE);
	opencl_check(clEnqueueReadBufferRect(every->queue, every->buffers[0], every->blocking,
					     origin, zero, region, PITCH, 0, 0, 0, every->memory, 0,
					     NULL, NULL),
		     "clEnqueueReadBufferRect");
	expect_copy(EVERY_QUEUE, DEVICE, HOST, 32 * 5 * 3, PAGEABLE);
	opencl_check(clEnqueueCopyBufferRect(every->queue, every->buffers[0], every->buffers[1],
					     origin, zero, region, PITCH, 0, PITCH, 0, 0, NULL,
					     NULL),
		     "clEnqueueCopyBufferRect");
	expect_copy(EVERY_QUEUE, DEVICE, DEVICE, 32 * 5 * 3, UNKNOWN);
}

static void fill(struct every *every)
{
	static const char pattern[16] = "0123456789abcde";

	for (size_t size = 1; size <= sizeof(pattern); size *= 2) {
		opencl_check(clEnqueueFillBuffer(every->queue, every->buffers[0], pattern, size,
						 0, 64 * size, 0, NULL, NULL),
			     "clEnqueueFillBuffer");
		expect_fill(EVERY_QUEUE, 64 * size);
	}
}

static void migrate(struct every *every)
{
	static const struct {
		cl_mem_migration_flags flags;
		enum place from, to;
	} ways[] = {
		{0, HOST, DEVICE},
		{CL_MIGRATE_MEM_OBJECT_HOST, DEVICE, HOST},
		{CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, HOST, DEVICE},
	};

	for (int i = 0; i < 3; i++) {
		if (!opencl_did(clEnqueueMigrateMemObjects(every->queue, 2, every->buffers,
							   ways[i].flags, 0, NULL, NULL),
				"clEnqueueMigrateMemObjects"))
			continue;
		expect_copy(EVERY_QUEUE, ways[i].from, ways[i].to, 2 * EVERY_SIZE, UNKNOWN);
	}
}

void every_buffer(struct every *every)
{
	read_and_write(every);
	rectangles(every);
	fill(every);
	migrate(every);
}

static void *map(struct every *every, cl_mem buffer, cl_map_flags flags, size_t size)
{
	cl_int status;
	void *memory = clEnqueueMapBuffer(every->queue, buffer, every->blocking, flags, 64, size, 0,
					  NULL, NULL, &status);

	opencl_check(status, "clEnqueueMapBuffer");
	return memory;
}

static void unmap(struct every *every, cl_mem object, void *memory)
{
	opencl_check(clEnqueueUnmapMemObject(every->queue, object, memory, 0, NULL, NULL),
		     "clEnqueueUnmapMemObject");
}

static void map_buffer(struct every *every, cl_mem buffer, int memory)
{
	void *pointer = map(every, buffer, CL_MAP_READ, PART);

	expect_copy(EVERY_QUEUE, DEVICE, HOST, PART, memory);
	unmap(every, buffer, pointer);
	expect_copy(EVERY_QUEUE, HOST, DEVICE, PART, memory);
	pointer = map(every, buffer, CL_MAP_WRITE, 2 * PART);
	expect_copy(EVERY_QUEUE, HOST, DEVICE, 2 * PART, memory);
	unmap(every, buffer, pointer);
	expect_copy(EVERY_QUEUE, HOST, DEVICE, 2 * PART, memory);
	pointer = map(every, buffer, CL_MAP_READ | CL_MAP_WRITE, 3 * PART);
	expect_copy(EVERY_QUEUE, DEVICE, HOST, 3 * PART, memory);
	unmap(every, buffer, pointer);
	expect_copy(EVERY_QUEUE, HOST, DEVICE, 3 * PART, memory);
	if (clEnqueueMapBuffer(every->queue, buffer, every->blocking,
			       CL_MAP_WRITE_INVALIDATE_REGION, 0, 1 << 30, 0, NULL, NULL, NULL))
		opencl_check(CL_INVALID_VALUE, "mapping more than there is");
	pointer = map(every, buffer, CL_MAP_WRITE_INVALIDATE_REGION, 4 * PART);
	expect_copy(EVERY_QUEUE, HOST, DEVICE, 4 * PART, memory);
	unmap(every, buffer, pointer);
	expect_copy(EVERY_QUEUE, HOST, DEVICE, 4 * PART, memory);
}

/* Copies whose host side is memory of the driver. */
static void copy_pinned(struct every *every, cl_mem pinned)
{
	char *memory = map(every, pinned, CL_MAP_READ | CL_MAP_WRITE, PART);

	expect_copy(EVERY_QUEUE, DEVICE, HOST, PART, PAGE_LOCKED);
	opencl_check(clFinish(every->queue), "clFinish");
	opencl_check(clEnqueueWriteBuffer(every->queue, every->buffers[0], every->blocking, 0, 128,
					  memory, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
	expect_copy(EVERY_QUEUE, HOST, DEVICE, 128, PAGE_LOCKED);
	opencl_check(clEnqueueReadBuffer(every->queue, every->buffers[0], every->blocking, 0, 128,
					 memory + PART - 128, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
	expect_copy(EVERY_QUEUE, DEVICE, HOST, 128, PAGE_LOCKED);
	unmap(every, pinned, memory);
	expect_copy(EVERY_QUEUE, HOST, DEVICE, PART, PAGE_LOCKED);
	opencl_check(clEnqueueWriteBuffer(every->queue, every->buffers[0], every->blocking, 0, 128,
					  every->memory, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
	expect_copy(EVERY_QUEUE, HOST, DEVICE, 128, PAGEABLE);
}

void every_map(struct every *every)
{
	cl_int status;
	cl_mem pinned = clCreateBuffer(every->opencl.context,
				       CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, EVERY_SIZE, NULL,
				       &status);

	opencl_check(status, "clCreateBuffer");
	map_buffer(every, every->buffers[0], PAGEABLE);
	copy_pinned(every, pinned);
	opencl_check(clReleaseMemObject(pinned), "clReleaseMemObject");
}

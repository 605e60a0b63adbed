/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "every.h"
#include "expect.h"

static long local_memory_of(const struct every *every, cl_kernel kernel)
{
	cl_ulong size = 0;

	opencl_check(clGetKernelWorkGroupInfo(kernel, every->opencl.devices[0],
					      CL_KERNEL_LOCAL_MEM_SIZE, sizeof(size), &size, NULL),
		     "clGetKernelWorkGroupInfo");
	return (long)size;
}

/* Ranges of all shapes. */
static void launch_shapes(struct every *every, cl_kernel kernel)
{
	/* clang-format off */
	static const struct shape {
		cl_uint dimensions;
		size_t global[3];
		size_t local[3];
		bool offset;
	} shapes[] = {
		{1, {256, 1, 1}, {64, 1, 1}, false},
		{1, {256, 1, 1}, {1, 1, 1}, true},
		{2, {32, 16, 1}, {8, 2, 1}, false},
		{2, {32, 16, 1}, {32, 16, 1}, true},
		{3, {8, 6, 4}, {4, 3, 2}, false},
		{3, {8, 6, 4}, {8, 1, 4}, true},
		{0, {0}, {0}, false},
	};
	/* clang-format on */
	static const size_t offset[3] = {0, 1, 2};
	long local_memory = local_memory_of(every, kernel);

	for (const struct shape *shape = shapes; shape->dimensions; shape++) {
		struct expected_kernel row = {
			.name = "twice",
			.queue = EVERY_QUEUE,
			.sized = true,
			.given = 1,
			.local_memory = local_memory,
		};

		opencl_check(clEnqueueNDRangeKernel(every->queue, kernel, shape->dimensions,
						    shape->offset ? offset : NULL, shape->global,
						    shape->local, 0, NULL, NULL),
			     "clEnqueueNDRangeKernel");
		memcpy(row.local, shape->local, sizeof(row.local));
		for (int i = 0; i < 3; i++)
			row.groups[i] = shape->global[i] / shape->local[i];
		expect_kernel(&row);
	}
}

static void launch_unsized(struct every *every, cl_kernel kernel)
{
	struct expected_kernel row = {
		.name = "twice",
		.queue = EVERY_QUEUE,
		.local_memory = local_memory_of(every, kernel),
	};
	size_t global[3] = {16, 8, 4};

	for (cl_uint dimensions = 1; dimensions <= 3; dimensions++) {
		opencl_check(clEnqueueNDRangeKernel(every->queue, kernel, dimensions, NULL, global,
						    NULL, 0, NULL, NULL),
			     "clEnqueueNDRangeKernel");
		expect_kernel(&row);
	}
}

static void launch_task(struct every *every, cl_kernel kernel)
{
	struct expected_kernel row = {
		.name = "twice",
		.queue = EVERY_QUEUE,
		.sized = true,
		.groups = {1, 1, 1},
		.local = {1, 1, 1},
		.local_memory = local_memory_of(every, kernel),
	};

	opencl_check(clEnqueueTask(every->queue, kernel, 0, NULL, NULL), "clEnqueueTask");
	expect_kernel(&row);
}

/* The log has the local memory that the kernel declares, not that of its arguments. */
static void launch_tile(struct every *every)
{
	cl_kernel kernel = opencl_kernel(every->opencl.program, "tile", every->buffers[0]);
	long own = local_memory_of(every, kernel);

	for (size_t size = 256; size <= 1024; size *= 2) {
		struct expected_kernel row = {
			.name = "tile",
			.queue = EVERY_QUEUE,
			.sized = true,
			.groups = {4, 1, 1},
			.local = {64, 1, 1},
			.given = 1,
			.local_memory = own,
		};

		opencl_check(clSetKernelArg(kernel, 1, size, NULL), "clSetKernelArg");
		opencl_launch(every->queue, kernel, 256, 64, NULL);
		expect_kernel(&row);
	}
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

static void CL_CALLBACK count_call(void *argument)
{
	int *calls;

	memcpy(&calls, argument, sizeof(calls));
	__atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
}

static void launch_native(struct every *every)
{
	static int calls;
	int *argument = &calls;
	int before = __atomic_load_n(&calls, __ATOMIC_RELAXED);
	struct expected_kernel row = {
		.name = "native_kernel",
		.queue = EVERY_QUEUE,
		.given = UNKNOWN,
		.local_memory = UNKNOWN,
	};

	if (!opencl_did(clEnqueueNativeKernel(every->queue, count_call, &argument,
					      sizeof(argument), 0, NULL, NULL, 0, NULL, NULL),
			"clEnqueueNativeKernel"))
		return;
	expect_kernel(&row);
	opencl_check(clFinish(every->queue), "clFinish");
	if (__atomic_load_n(&calls, __ATOMIC_RELAXED) != before + 1)
		opencl_check(CL_INVALID_OPERATION, "the native kernel");
}

void every_kernel(struct every *every)
{
	cl_kernel kernel = opencl_kernel(every->opencl.program, "twice", every->buffers[0]);

	launch_shapes(every, kernel);
	launch_unsized(every, kernel);
	launch_task(every, kernel);
	launch_tile(every);
	launch_native(every);
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

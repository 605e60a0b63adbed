/* SPDX-License-Identifier: MIT */
/*
 * Usage: commandbuffers [COUNT]. On the scripted driver: records one command buffer with the
 * functions of version 0.9.5 and later of the extension, enqueues it, its remapped copy, and an
 * empty one. With COUNT, makes and releases COUNT more, each with different contents, and prints
 * the growth of the process in bytes per command buffer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "opencl.h"

/* clang-format off */
static struct functions {
	void *(*create)(cl_uint, const cl_command_queue *, const void *, cl_int *);
	cl_int (*finalize)(void *);
	cl_int (*retain)(void *);
	cl_int (*release)(void *);
	cl_int (*enqueue)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
			  cl_event *);
	void *(*remap)(void *, cl_bool, cl_uint, const cl_command_queue *, cl_uint, const void *,
		       void *, cl_int *);
	cl_int (*launch)(void *, void *, const void *, cl_kernel, cl_uint, const size_t *,
			 const size_t *, const size_t *, cl_uint, const void *, void *, void *);
	cl_int (*fill)(void *, void *, const void *, cl_mem, const void *, size_t, size_t, size_t,
		       cl_uint, const void *, void *, void *);
	cl_int (*copy)(void *, void *, const void *, cl_mem, cl_mem, size_t, size_t, size_t,
		       cl_uint, const void *, void *, void *);
	cl_int (*rectangle)(void *, void *, const void *, cl_mem, cl_mem, const size_t *,
			    const size_t *, const size_t *, size_t, size_t, size_t, size_t,
			    cl_uint, const void *, void *, void *);
	cl_int (*barrier)(void *, void *, const void *, cl_uint, const void *, void *, void *);
} call;
/* clang-format on */

static struct opencl opencl;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem memory;

static void find(cl_platform_id platform)
{
#define FIND(member, name)                                                                         \
	call.member = (__typeof__(call.member))clGetExtensionFunctionAddressForPlatform(platform,  \
											name);     \
	opencl_check(call.member ? CL_SUCCESS : CL_INVALID_OPERATION, name)
	FIND(create, "clCreateCommandBufferKHR");
	FIND(finalize, "clFinalizeCommandBufferKHR");
	FIND(retain, "clRetainCommandBufferKHR");
	FIND(release, "clReleaseCommandBufferKHR");
	FIND(enqueue, "clEnqueueCommandBufferKHR");
	FIND(remap, "clRemapCommandBufferKHR");
	FIND(launch, "clCommandNDRangeKernelKHR");
	FIND(fill, "clCommandFillBufferKHR");
	FIND(copy, "clCommandCopyBufferKHR");
	FIND(rectangle, "clCommandCopyBufferRectKHR");
	FIND(barrier, "clCommandBarrierWithWaitListKHR");
#undef FIND
}

static void *create(void)
{
	cl_int status;
	void *buffer = call.create(1, &queue, NULL, &status);

	opencl_check(status, "clCreateCommandBufferKHR");
	return buffer;
}

static void launch(void *buffer, int times)
{
	size_t global = 64;

	for (int i = 0; i < times; i++)
		opencl_check(call.launch(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL, 0,
					 NULL, NULL, NULL),
			     "clCommandNDRangeKernelKHR");
}

static void fill(void *buffer, int times)
{
	const int zero = 0;

	for (int i = 0; i < times; i++)
		opencl_check(call.fill(buffer, NULL, NULL, memory, &zero, sizeof(zero), 0, 64, 0,
				       NULL, NULL, NULL),
			     "clCommandFillBufferKHR");
}

static void enqueue(void *buffer)
{
	opencl_check(call.finalize(buffer), "clFinalizeCommandBufferKHR");
	opencl_check(call.enqueue(0, NULL, buffer, 0, NULL, NULL), "clEnqueueCommandBufferKHR");
	opencl_check(clFinish(queue), "clFinish");
}

static void release(void *buffer)
{
	opencl_check(call.release(buffer), "clReleaseCommandBufferKHR");
}

static void record_all(void)
{
	const size_t sizes[3] = {64, 1, 1};
	void *buffer = create(), *empty = create(), *other;
	cl_int status;

	fill(buffer, 1);
	launch(buffer, 3);
	opencl_check(call.barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL),
		     "clCommandBarrierWithWaitListKHR");
	opencl_check(call.copy(buffer, NULL, NULL, memory, memory, 0, 0, 64, 0, NULL, NULL, NULL),
		     "clCommandCopyBufferKHR");
	opencl_check(call.rectangle(buffer, NULL, NULL, memory, memory, sizes, sizes, sizes, 64, 64,
				    64, 64, 0, NULL, NULL, NULL),
		     "clCommandCopyBufferRectKHR");
	/* The command buffer does not contain a refused command. */
	if (call.launch(buffer, NULL, NULL, NULL, 1, NULL, sizes, NULL, 0, NULL, NULL, NULL) ==
	    CL_SUCCESS)
		opencl_check(CL_INVALID_KERNEL, "clCommandNDRangeKernelKHR");
	enqueue(buffer);
	other = call.remap(buffer, CL_TRUE, 0, NULL, 0, NULL, NULL, &status);
	opencl_check(call.retain(other), "clRetainCommandBufferKHR");
	release(buffer);
	release(other);
	launch(other, 1);
	enqueue(other);
	enqueue(empty);
	release(other);
	release(empty);
}

static void record_many(long count)
{
	double before = 0;

	for (long i = 0; i < count; i++) {
		void *buffer = create();

		if (i == count / 2)
			before = opencl_resident();
		launch(buffer, (int)(i % 128));
		fill(buffer, (int)(i / 128 % 128));
		enqueue(buffer);
		release(buffer);
	}
	printf("%.0f\n", (opencl_resident() - before) / ((double)count / 2));
}

int main(int argc, char **argv)
{
	opencl_open(&opencl, opencl_source);
	find(opencl.platform);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	memory = opencl_buffer(opencl.context, 64);
	kernel = opencl_kernel(opencl.program, "hello", memory);
	record_all();
	if (argc > 1)
		record_many(atol(argv[1]));
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	opencl_check(clReleaseMemObject(memory), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

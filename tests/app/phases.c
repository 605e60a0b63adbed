/* SPDX-License-Identifier: MIT */
/*
 * phases: copies made inside ranges: two in "first" and one after it, both in "all"; three of
 * another thread in "beside"; one in a range that the main thread starts and the other thread ends.
 */
#include <pthread.h>
#include <stdlib.h>

#include "opencl.h"

#include "marker.h"

static cl_command_queue queue;
static cl_mem buffer;
static uint64_t across;

static void copy(int times)
{
	char data[16] = "";

	while (times--)
		opencl_check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0,
						  NULL, NULL),
			     "clEnqueueWriteBuffer");
}

static void *beside(void *nothing)
{
	push("beside");
	copy(3);
	pop();
	end(across);
	return nothing;
}

int main(void)
{
	struct opencl opencl;
	cl_context context;
	pthread_t thread;
	int refused = marker_load();

	if (refused)
		return refused;
	opencl_find(&opencl);
	context = opencl_context(opencl.devices, 1);
	queue = opencl_queue(context, opencl.devices[0], 0);
	buffer = opencl_buffer(context, 16);
	push("all");
	push("first");
	copy(2);
	pop();
	copy(1);
	pop();
	across = start("across");
	copy(1);
	if (pthread_create(&thread, NULL, beside, NULL))
		return EXIT_FAILURE;
	pthread_join(thread, NULL);
	copy(1);
	opencl_check(clReleaseMemObject(buffer), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_check(clReleaseContext(context), "clReleaseContext");
	return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Usage: released_objects MODE. On the scripted driver. A queue is released, and many others are
 * made and released after it, before:
 *	buffer		a command buffer that was made for it is released
 *	enqueue		that is enqueued once more
 *	event		an event of it is waited for
 * parts: a part of the second device is made when one of the first device has been released.
 * refused: the driver refuses the second and last release of a buffer (keep=2), which is used and
 * released afterwards.
 * kept: the same with the first release of a queue (keep=1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

enum { OTHERS = 3000, SIZE = 64 };

static struct opencl opencl;
static cl_mem memory;

static void *find(const char *name)
{
	void *found = clGetExtensionFunctionAddressForPlatform(opencl.platform, name);

	opencl_check(found ? CL_SUCCESS : CL_INVALID_OPERATION, name);
	return found;
}

static cl_command_queue make_queue(void)
{
	return opencl_queue(opencl.context, opencl.devices[0], 0);
}

static void release_queue(cl_command_queue queue)
{
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	for (int i = 0; i < OTHERS; i++)
		opencl_check(clReleaseCommandQueue(make_queue()), "clReleaseCommandQueue");
}

static void wait_for(cl_event event)
{
	opencl_check(clWaitForEvents(1, &event), "clWaitForEvents");
	opencl_check(clReleaseEvent(event), "clReleaseEvent");
}

static void use_buffer(bool enqueues)
{
	void *(*create)(cl_uint, const cl_command_queue *, const void *, cl_int *) =
		(__typeof__(create))find("clCreateCommandBufferKHR");
	cl_int (*finalize)(void *) = (__typeof__(finalize))find("clFinalizeCommandBufferKHR");
	cl_int (*release)(void *) = (__typeof__(release))find("clReleaseCommandBufferKHR");
	cl_int (*enqueue)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
			  cl_event *) =
		(__typeof__(enqueue))find("clEnqueueCommandBufferKHR");
	cl_command_queue queue = make_queue();
	cl_event event;
	cl_int status;
	void *buffer = create(1, &queue, NULL, &status);

	opencl_check(status, "clCreateCommandBufferKHR");
	opencl_check(finalize(buffer), "clFinalizeCommandBufferKHR");
	release_queue(queue);
	if (enqueues) {
		opencl_check(enqueue(0, NULL, buffer, 0, NULL, &event),
			     "clEnqueueCommandBufferKHR");
		wait_for(event);
	}
	opencl_check(release(buffer), "clReleaseCommandBufferKHR");
}

static cl_event write_to(cl_command_queue queue, cl_mem to)
{
	static const char bytes[SIZE];
	cl_event event;

	opencl_check(clEnqueueWriteBuffer(queue, to, CL_FALSE, 0, SIZE, bytes, 0, NULL, &event),
		     "clEnqueueWriteBuffer");
	return event;
}

static void use_event(void)
{
	cl_command_queue queue = make_queue();
	cl_event event = write_to(queue, memory);

	release_queue(queue);
	wait_for(event);
}

static void use_part(cl_device_id device)
{
	const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_device_id part;
	cl_context context;
	cl_command_queue queue;
	cl_mem to;

	opencl_check(clCreateSubDevices(device, equally, 1, &part, NULL), "clCreateSubDevices");
	context = opencl_context(&part, 1);
	queue = opencl_queue(context, part, 0);
	to = opencl_buffer(context, SIZE);
	wait_for(write_to(queue, to));
	opencl_check(clReleaseMemObject(to), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_check(clReleaseContext(context), "clReleaseContext");
	opencl_check(clReleaseDevice(part), "clReleaseDevice");
}

static void use_kept(void)
{
	cl_command_queue queue = make_queue();

	printf("clReleaseCommandQueue %d\n", clReleaseCommandQueue(queue));
	for (int i = 0; i < OTHERS; i++)
		opencl_check(clReleaseCommandQueue(make_queue()), "clReleaseCommandQueue");
	wait_for(write_to(queue, memory));
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

/* Prints whether the release failed. */
static void release_memory(cl_mem released)
{
	printf("clReleaseMemObject %d\n", clReleaseMemObject(released));
}

static void use_refused(void)
{
	cl_mem kept = opencl_buffer(opencl.context, SIZE), later;
	cl_command_queue queue = make_queue();

	opencl_check(clRetainMemObject(kept), "clRetainMemObject");
	release_memory(kept);
	release_memory(kept);
	later = opencl_buffer(opencl.context, 2 * SIZE);
	wait_for(write_to(queue, kept));
	release_memory(kept);
	opencl_check(clReleaseMemObject(later), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	opencl_open(&opencl, opencl_source);
	memory = opencl_buffer(opencl.context, SIZE);
	if (!strcmp(what, "parts")) {
		use_part(opencl.devices[0]);
		use_part(opencl.devices[1]);
	} else if (!strcmp(what, "event")) {
		use_event();
	} else if (!strcmp(what, "refused")) {
		use_refused();
	} else if (!strcmp(what, "kept")) {
		use_kept();
	} else {
		use_buffer(!strcmp(what, "enqueue"));
	}
	opencl_check(clReleaseMemObject(memory), "clReleaseMemObject");
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

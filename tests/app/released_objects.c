/* SPDX-License-Identifier: MIT */
/*
 * Usage: outlived buffer|enqueue|event|parts. On the scripted driver. A queue is released, and many
 * others are made and released after it, before:
 *	buffer		a command buffer that was made for it is released
 *	enqueue		that is enqueued once more
 *	event		an event of it is waited for
 * parts: a part of the second device is made when one of the first device has been released.
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
	} else {
		use_buffer(!strcmp(what, "enqueue"));
	}
	opencl_check(clReleaseMemObject(memory), "clReleaseMemObject");
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

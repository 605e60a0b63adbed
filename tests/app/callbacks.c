/* SPDX-License-Identifier: MIT */
/*
 * Calls OpenCL in callbacks of events. The first runs inside clSetUserEventStatus; with drivers
 * that have no threads of their own the others run inside blocking reads. Prints "rows N", and
 * "NAME N" for calls of some functions.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "opencl.h"

enum { READS = 10, BUFFERS = 20 };

static struct opencl opencl;
static cl_command_queue queue, other;
static cl_kernel kernel;
static cl_mem late;
static atomic_int launches, reads, creations = 1, releases, ended;

static void launch(cl_command_queue where, cl_event *event)
{
	opencl_launch(where, kernel, 16, 0, event);
	launches++;
}

static void CL_CALLBACK make_buffers(cl_event event, cl_int status, void *argument)
{
	(void)event, (void)status, (void)argument;
	for (int i = 0; i < BUFFERS; i++) {
		clReleaseMemObject(opencl_buffer(opencl.context, 64));
		creations++;
		releases++;
	}
	launch(other, NULL);
	ended++;
}

/* The first one releases memory of the program. */
static void CL_CALLBACK launch_more(cl_event event, cl_int status, void *argument)
{
	(void)event, (void)status, (void)argument;
	if (late) {
		clReleaseMemObject(late);
		releases++;
	}
	late = NULL;
	launch(other, NULL);
	clFlush(other);
	ended++;
}

static void read_after_callback(cl_mem buffer)
{
	char bytes[64];
	cl_event event;

	launch(queue, &event);
	opencl_check(clSetEventCallback(event, CL_COMPLETE, launch_more, NULL),
		     "clSetEventCallback");
	opencl_check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(bytes), bytes, 0, NULL,
					 NULL),
		     "clEnqueueReadBuffer");
	reads++;
	clReleaseEvent(event);
}

int main(void)
{
	cl_event gate;
	cl_mem buffer;

	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	other = opencl_queue(opencl.context, opencl.devices[0], 0);
	buffer = opencl_buffer(opencl.context, 4096);
	late = opencl_buffer(opencl.context, 1 << 20);
	creations++;
	kernel = opencl_kernel(opencl.program, "twice", buffer);
	gate = opencl_gate(opencl.context);
	opencl_check(clSetEventCallback(gate, CL_COMPLETE, make_buffers, NULL),
		     "clSetEventCallback");
	opencl_check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	for (int i = 0; i < READS; i++)
		read_after_callback(buffer);
	for (int i = 0; i < 3000 && ended < READS + 1; i++)
		usleep(10000);
	clFinish(other);
	clFinish(queue);
	clReleaseMemObject(buffer);
	releases++;
	printf("rows %d\nclEnqueueNDRangeKernel %d\nclCreateBuffer %d\nclReleaseMemObject %d\n",
	       launches + reads, launches, creations, releases);
	clReleaseEvent(gate);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	clReleaseCommandQueue(other);
	opencl_close(&opencl);
	return ended < READS + 1;
}

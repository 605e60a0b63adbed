/* SPDX-License-Identifier: MIT */
/*
 * Usage: handles COUNT. Makes and releases COUNT queues, kernels, buffers, programs, events and
 * parts of a device with a queue, one after the other. For each kind prints the growth of the
 * process in bytes per object. A tenth of the objects is made before that and not counted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "opencl.h"

static struct opencl opencl;
static cl_command_queue queue;
static cl_mem memory;

static void queues(void)
{
	opencl_check(clReleaseCommandQueue(opencl_queue(opencl.context, opencl.devices[0], 0)),
		     "clReleaseCommandQueue");
}

static void kernels(void)
{
	cl_int status;
	cl_kernel kernel = clCreateKernel(opencl.program, "twice", &status);

	opencl_check(status, "clCreateKernel");
	opencl_check(clRetainKernel(kernel), "clRetainKernel");
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

static void buffers(void)
{
	opencl_check(clReleaseMemObject(opencl_buffer(opencl.context, 64)), "clReleaseMemObject");
}

static void programs(void)
{
	const char *source = opencl_source;
	cl_int status;
	cl_program program = clCreateProgramWithSource(opencl.context, 1, &source, NULL, &status);

	opencl_check(status, "clCreateProgramWithSource");
	opencl_check(clReleaseProgram(program), "clReleaseProgram");
}

static void events(void)
{
	char byte = 0;
	cl_event event;

	opencl_check(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 1, &byte, 0, NULL, &event),
		     "clEnqueueWriteBuffer");
	opencl_check(clReleaseEvent(event), "clReleaseEvent");
}

static void parts(void)
{
	static const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_device_id part;

	opencl_check(clCreateSubDevices(opencl.devices[0], halves, 1, &part, NULL),
		     "clCreateSubDevices");
	/* The scripted driver makes no difference between a device and its parts here. */
	opencl_check(clReleaseCommandQueue(opencl_queue(opencl.context, part, 0)),
		     "clReleaseCommandQueue");
	opencl_check(clReleaseDevice(part), "clReleaseDevice");
}

static void count(const char *name, void (*turn)(void), long times)
{
	double before;

	for (long i = 0; i < times / 10; i++)
		turn();
	before = opencl_resident();
	for (long i = 0; i < times; i++)
		turn();
	printf("%s %.0f\n", name, (opencl_resident() - before) / (double)times);
}

int main(int argc, char **argv)
{
	long times = argc > 1 ? atol(argv[1]) : 0;

	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	memory = opencl_buffer(opencl.context, 64);
	count("queues", queues, times);
	count("kernels", kernels, times);
	count("buffers", buffers, times);
	count("programs", programs, times);
	count("events", events, times);
	count("parts", parts, times / 4);
	opencl_check(clReleaseMemObject(memory), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

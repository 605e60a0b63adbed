/* SPDX-License-Identifier: MIT */
#include "simple.h"

#include <stdio.h>
#include <stdlib.h>

void simple_check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "%s failed with error %d\n", what, status);
	exit(EXIT_FAILURE);
}

static cl_device_id find_device(void)
{
	cl_platform_id platforms[16];
	cl_uint count = 0;
	cl_device_id device;

	if (clGetPlatformIDs(16, platforms, &count))
		count = 0;
	for (cl_uint i = 0; i < count && i < 16; i++)
		if (!clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
			return device;
	fprintf(stderr, "there is no OpenCL device here\n");
	exit(SIMPLE_NO_DEVICE);
}

void simple_open(struct simple *simple, const char *source)
{
	cl_int status;

	simple->device = find_device();
	simple->context = clCreateContext(NULL, 1, &simple->device, NULL, NULL, &status);
	simple_check(status, "clCreateContext");
	simple->program = clCreateProgramWithSource(simple->context, 1, &source, NULL, &status);
	simple_check(status, "clCreateProgramWithSource");
	simple_check(clBuildProgram(simple->program, 1, &simple->device, "", NULL, NULL),
		     "clBuildProgram");
}

void simple_close(struct simple *simple)
{
	clReleaseProgram(simple->program);
	clReleaseContext(simple->context);
}

cl_command_queue simple_queue(const struct simple *simple, cl_command_queue_properties properties)
{
	cl_int status;
	cl_command_queue queue =
		clCreateCommandQueue(simple->context, simple->device, properties, &status);

	simple_check(status, "clCreateCommandQueue");
	return queue;
}

cl_kernel simple_kernel(const struct simple *simple, const char *name)
{
	cl_int status;
	cl_kernel kernel = clCreateKernel(simple->program, name, &status);

	simple_check(status, "clCreateKernel");
	return kernel;
}

cl_mem simple_buffer(const struct simple *simple, size_t size)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(simple->context, CL_MEM_READ_WRITE, size, NULL, &status);

	simple_check(status, "clCreateBuffer");
	return buffer;
}

void simple_launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local)
{
	simple_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
		     "clEnqueueNDRangeKernel");
}

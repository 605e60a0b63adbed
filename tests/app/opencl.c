/* SPDX-License-Identifier: MIT */
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *const opencl_source =
	"__kernel void twice(__global int *data)\n"
	"{\n"
	"	data[get_global_id(0)] *= 2;\n"
	"}\n"
	"__kernel void spin(__global int *data, int rounds)\n"
	"{\n"
	"	int me = get_global_id(0), value = data[me];\n"
	"	for (int i = 0; i < rounds; i++)\n"
	"		value = value * 1664525 + 1013904223;\n"
	"	data[me] = value;\n"
	"}\n"
	"__kernel void tile(__global int *data, __local int *scratch)\n"
	"{\n"
	"	__local int own[64];\n"
	"	int me = get_global_id(0), here = get_local_id(0) % 64;\n"
	"	own[here] = data[me];\n"
	"	scratch[here] = data[me];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	data[me] = own[0] + scratch[0];\n"
	"}\n";

void opencl_check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "# %s failed with error %d\n", what, status);
	exit(EXIT_FAILURE);
}

bool opencl_did(cl_int status, const char *what)
{
	if (status != CL_SUCCESS)
		fprintf(stderr, "# %s: not here, error %d\n", what, status);
	return status == CL_SUCCESS;
}

void opencl_find(struct opencl *opencl)
{
	cl_platform_id platforms[16];
	cl_uint count = 0;

	*opencl = (struct opencl){0};
	if (clGetPlatformIDs(16, platforms, &count))
		count = 0;
	for (cl_uint i = 0; i < count && i < 16; i++) {
		opencl->platform = platforms[i];
		if (!clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MAX_DEVICES, opencl->devices,
				    &opencl->device_count) &&
		    opencl->device_count)
			return;
	}
	fprintf(stderr, "# there is no OpenCL device here\n");
	exit(NO_DEVICE);
}

void opencl_open(struct opencl *opencl, const char *source)
{
	opencl_find(opencl);
	opencl->context = opencl_context(opencl->devices, 1);
	opencl->program = opencl_build(opencl->context, source);
}

void opencl_close(struct opencl *opencl)
{
	opencl_check(clReleaseProgram(opencl->program), "clReleaseProgram");
	opencl_check(clReleaseContext(opencl->context), "clReleaseContext");
}

cl_context opencl_context(const cl_device_id *devices, cl_uint count)
{
	cl_int status;
	cl_context context = clCreateContext(NULL, count, devices, NULL, NULL, &status);

	opencl_check(status, "clCreateContext");
	return context;
}

cl_command_queue opencl_queue(cl_context context, cl_device_id device,
			      cl_command_queue_properties properties)
{
	cl_int status;
	cl_command_queue queue = clCreateCommandQueue(context, device, properties, &status);

	opencl_check(status, "clCreateCommandQueue");
	return queue;
}

cl_program opencl_build(cl_context context, const char *source)
{
	cl_int status;
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);

	opencl_check(status, "clCreateProgramWithSource");
	opencl_check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "clBuildProgram");
	return program;
}

cl_kernel opencl_kernel(cl_program program, const char *name, cl_mem buffer)
{
	cl_int status;
	cl_kernel kernel = clCreateKernel(program, name, &status);

	opencl_check(status, name);
	if (buffer)
		opencl_check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
	return kernel;
}

cl_mem opencl_buffer(cl_context context, size_t size)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &status);

	opencl_check(status, "clCreateBuffer");
	return buffer;
}

cl_event opencl_gate(cl_context context)
{
	cl_int status;
	cl_event event = clCreateUserEvent(context, &status);

	opencl_check(status, "clCreateUserEvent");
	return event;
}

void opencl_launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local,
		   cl_event *event)
{
	opencl_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local ? &local : NULL,
					    0, NULL, event),
		     "clEnqueueNDRangeKernel");
}

void opencl_write(cl_command_queue queue, cl_mem buffer, size_t size)
{
	void *zeros = calloc(1, size);

	opencl_check(zeros ? clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, zeros, 0, NULL,
						  NULL)
			   : CL_OUT_OF_HOST_MEMORY,
		     "clEnqueueWriteBuffer");
	free(zeros);
}

double opencl_resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!file || fscanf(file, "%*u %lu", &pages) != 1)
		opencl_check(CL_OUT_OF_RESOURCES, "/proc/self/statm");
	fclose(file);
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* SPDX-License-Identifier: MIT */
/*
 * Usage: loaded [leave]
 * A program that is not linked with OpenCL: it opens libOpenCL itself, without making its symbols
 * global, uses it and closes it again, or does not close it ("leave"). Prints "rows N".
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { NO_DEVICE = 77, ROWS = 100, SIZE = 256 };

#define NAMES(DO)                                                                                  \
	DO(clGetPlatformIDs)                                                                       \
	DO(clGetDeviceIDs)                                                                         \
	DO(clCreateContext)                                                                        \
	DO(clCreateCommandQueue)                                                                   \
	DO(clCreateBuffer)                                                                         \
	DO(clEnqueueWriteBuffer)                                                                   \
	DO(clFinish)                                                                               \
	DO(clReleaseMemObject)                                                                     \
	DO(clReleaseCommandQueue)                                                                  \
	DO(clReleaseContext)

#define DECLARE(name) static __typeof__(&name) p_##name;
NAMES(DECLARE)

#define FIND(name)                                                                                 \
	p_##name = (__typeof__(&name))dlsym(library, #name);                                       \
	if (!p_##name)                                                                             \
		return -1;

static int find(void *library)
{
	NAMES(FIND)
	return 0;
}

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "# %s failed with error %d\n", what, status);
	exit(EXIT_FAILURE);
}

static void work(cl_device_id device)
{
	static char memory[SIZE];
	cl_int status;
	cl_context context = p_clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	cl_command_queue queue;
	cl_mem buffer;

	check(status, "clCreateContext");
	queue = p_clCreateCommandQueue(context, device, 0, &status);
	check(status, "clCreateCommandQueue");
	buffer = p_clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &status);
	check(status, "clCreateBuffer");
	for (int i = 0; i < ROWS; i++)
		check(p_clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, SIZE, memory, 0, NULL,
					     NULL),
		      "clEnqueueWriteBuffer");
	check(p_clFinish(queue), "clFinish");
	check(p_clReleaseMemObject(buffer), "clReleaseMemObject");
	check(p_clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	check(p_clReleaseContext(context), "clReleaseContext");
	printf("rows %d\n", ROWS);
}

int main(int argc, char **argv)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
	cl_platform_id platform;
	cl_device_id device;

	(void)argv;
	if (!library || find(library) || p_clGetPlatformIDs(1, &platform, NULL) ||
	    p_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return NO_DEVICE;
	work(device);
	if (argc == 1)
		dlclose(library);
	return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * A loader of layers with a short table: opens the driver and the layer, gives the layer the first
 * COUNT entries of the driver's table, and runs two kernels through what comes back.
 *
 *	oldloader DRIVER LAYER COUNT
 *
 * Prints what the layer answers. Exit code: 0, or 1 if something is wrong with the answer.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = sizeof(cl_icd_dispatch) / sizeof(void *) };

typedef cl_int (*platform_getter)(cl_uint, cl_platform_id *, cl_uint *);
typedef cl_int (*initialiser)(cl_uint, const cl_icd_dispatch *, cl_uint *,
			      const cl_icd_dispatch **);

static void *find(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL), *address;

	address = handle ? dlsym(handle, name) : NULL;
	if (!address) {
		fprintf(stderr, "oldloader: %s\n", dlerror());
		exit(EXIT_FAILURE);
	}
	return address;
}

/* The table of the program's calls: the layer's functions, and the driver's for missing ones. */
static void stack(void **to, const cl_icd_dispatch *driver, const cl_icd_dispatch *layer,
		  unsigned count)
{
	void *upper[ENTRIES];

	memcpy(to, driver, count * sizeof(*to));
	memcpy(upper, layer, count * sizeof(*upper));
	for (unsigned i = 0; i < count; i++)
		to[i] = upper[i] ? upper[i] : to[i];
}

static int run(const cl_icd_dispatch *table, cl_platform_id platform)
{
	const char *source = "__kernel void hello() {}";
	size_t size = 64;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_int status = table->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);

	context = table->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = table->clCreateCommandQueue(context, device, 0, NULL);
	program = table->clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	status |= table->clBuildProgram(program, 0, NULL, "", NULL, NULL);
	kernel = table->clCreateKernel(program, "hello", NULL);
	status |= table->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL,
						NULL);
	status |= table->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
	status |= table->clFinish(queue);
	status |= table->clReleaseKernel(kernel);
	status |= table->clReleaseProgram(program);
	status |= table->clReleaseCommandQueue(queue);
	status |= table->clReleaseContext(context);
	return status != CL_SUCCESS;
}

int main(int count, char **arguments)
{
	static cl_icd_dispatch table, garbage;
	const cl_icd_dispatch *driver, *layer = NULL;
	unsigned entries = count == 4 ? (unsigned)atoi(arguments[3]) : 0;
	cl_platform_id platform;
	platform_getter get;
	initialiser init;
	cl_uint answered = 0;
	cl_int status;

	if (entries > ENTRIES)
		return EXIT_FAILURE;
	*(void **)&get = find(arguments[1], "clIcdGetPlatformIDsKHR");
	*(void **)&init = find(arguments[2], "clInitLayer");
	get(1, &platform, NULL);
	driver = *(const cl_icd_dispatch *const *)(const void *)platform;
	/* Memory after the end of its table is invalid. */
	memset(&garbage, 0xa5, sizeof(garbage));
	memcpy(&garbage, driver, entries * sizeof(void *));
	printf("without answer: %d\n", init(entries, &garbage, NULL, NULL));
	status = init(entries, &garbage, &answered, &layer);
	printf("entries: %d, %u\n", status, answered);
	if (status != CL_SUCCESS || answered > entries)
		return EXIT_FAILURE;
	stack((void **)(void *)&table, driver, layer, answered);
	return run(&table, platform);
}

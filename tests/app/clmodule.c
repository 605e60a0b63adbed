/* SPDX-License-Identifier: MIT */
/*
 * A module that is linked with OpenCL, for programs that are not. clmodule_run() makes one copy by
 * a plain call, one by a table of functions that is data, and one kernel. Prints "rows 3".
 */
#include <stdio.h>
#include <stdlib.h>

#include "opencl.h"

enum { SIZE = 256 };

#define ENTRY_POINT __attribute__((visibility("default")))
ENTRY_POINT int clmodule_run(void);

/* Its address is filled in by the dynamic linker when the module is loaded. */
static struct {
	__typeof__(&clEnqueueWriteBuffer) write;
	__typeof__(&clFinish) finish;
} table = {clEnqueueWriteBuffer, clFinish};

int clmodule_run(void)
{
	static const char bytes[SIZE];
	struct opencl opencl;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem buffer;

	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	buffer = opencl_buffer(opencl.context, SIZE);
	kernel = opencl_kernel(opencl.program, "twice", buffer);
	opencl_write(queue, buffer, SIZE);
	opencl_check(table.write(queue, buffer, CL_TRUE, 0, SIZE, bytes, 0, NULL, NULL), "write");
	opencl_launch(queue, kernel, SIZE / sizeof(cl_int), 16, NULL);
	opencl_check(table.finish(queue), "clFinish");
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	opencl_check(clReleaseMemObject(buffer), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_close(&opencl);
	printf("rows 3\n");
	return EXIT_SUCCESS;
}

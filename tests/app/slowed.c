/* SPDX-License-Identifier: MIT */
/*
 * slowed ROUNDS [EXIT]
 *
 * Launches the kernel "spin" with ROUNDS and the kernel "twice" 20 times each, and waits for each.
 * Then it ends with EXIT.
 */
#include <stdio.h>
#include <stdlib.h>

#include "opencl.h"

enum { LAUNCHES = 20, ITEMS = 256 };

static void launch(cl_command_queue queue, cl_kernel kernel)
{
	const size_t items = ITEMS;

	opencl_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
		     "clEnqueueNDRangeKernel");
	opencl_check(clFinish(queue), "clFinish");
}

int main(int argc, char **argv)
{
	cl_int rounds = argc > 1 ? atoi(argv[1]) : 1000, status;
	struct opencl opencl;
	cl_command_queue queue;
	cl_kernel spin, twice;
	cl_mem buffer;

	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	buffer = clCreateBuffer(opencl.context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL,
				&status);
	opencl_check(status, "clCreateBuffer");
	spin = opencl_kernel(opencl.program, "spin", buffer);
	twice = opencl_kernel(opencl.program, "twice", buffer);
	opencl_check(clSetKernelArg(spin, 1, sizeof(rounds), &rounds), "clSetKernelArg");
	for (int i = 0; i < LAUNCHES; i++) {
		launch(queue, spin);
		launch(queue, twice);
	}
	puts("slowed: this line is not the tool's");
	clReleaseKernel(spin);
	clReleaseKernel(twice);
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	opencl_close(&opencl);
	return argc > 2 ? atoi(argv[2]) : 0;
}

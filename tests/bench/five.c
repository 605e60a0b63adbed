/* SPDX-License-Identifier: MIT */
/*
 * five LAUNCHES [KERNEL PERCENT]
 * Launches five kernels of different length, "one" to "five", LAUNCHES times each, and waits for
 * each. KERNEL (1 to 5) works PERCENT longer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../app/opencl.h"

enum { KERNELS = 5, ITEMS = 64 };

static const char *const names[KERNELS] = {"one", "two", "three", "four", "five"};
static const cl_int rounds[KERNELS] = {400, 1000, 2000, 4000, 8000};

#define KERNEL(name)                                                                               \
	"kernel void " name "(global float *data, int rounds)\n"                                   \
	"{\n"                                                                                      \
	"	float value = data[get_global_id(0)];\n"                                           \
	"	for (int i = 0; i < rounds; i++)\n"                                                \
	"		value = value * 0.999f + 0.5f;\n"                                          \
	"	data[get_global_id(0)] = value;\n"                                                 \
	"}\n"

static const char source[] =
	KERNEL("one") KERNEL("two") KERNEL("three") KERNEL("four") KERNEL("five");

int main(int argc, char **argv)
{
	long launches = argc > 1 ? atol(argv[1]) : 0;
	int slowed = argc > 3 ? atoi(argv[2]) : 0, percent = argc > 3 ? atoi(argv[3]) : 0;
	cl_kernel kernels[KERNELS];
	struct opencl opencl;
	cl_command_queue queue;
	cl_mem buffer;

	if (launches < 1 || slowed < 0 || slowed > KERNELS) {
		fputs("usage: five LAUNCHES [KERNEL PERCENT]\n", stderr);
		return EXIT_FAILURE;
	}
	opencl_open(&opencl, source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	buffer = opencl_buffer(opencl.context, ITEMS * sizeof(cl_float));
	for (int i = 0; i < KERNELS; i++) {
		cl_int count = i + 1 == slowed ? rounds[i] + rounds[i] * percent / 100 : rounds[i];

		kernels[i] = opencl_kernel(opencl.program, names[i], buffer);
		opencl_check(clSetKernelArg(kernels[i], 1, sizeof(count), &count),
			     "clSetKernelArg");
	}
	for (long launch = 0; launch < launches; launch++)
		for (int i = 0; i < KERNELS; i++) {
			opencl_launch(queue, kernels[i], ITEMS, ITEMS, NULL);
			opencl_check(clFinish(queue), "clFinish");
		}
	for (int i = 0; i < KERNELS; i++)
		clReleaseKernel(kernels[i]);
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	opencl_close(&opencl);
	return 0;
}

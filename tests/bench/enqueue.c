/* SPDX-License-Identifier: MIT */
/*
 * enqueue [COUNT]
 * Enqueues COUNT (200000) empty kernels, with a clFinish after each 1000, and prints the wall time
 * and the CPU time of the process per command, in nanoseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../app/opencl.h"

enum { COUNT = 200000, WARM_UP = 2000, FINISH = 1000 };

static const char *source = "__kernel void empty(void) { }\n";

static double now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void enqueue(cl_command_queue queue, cl_kernel kernel, long count)
{
	for (long i = 1; i <= count; i++) {
		opencl_launch(queue, kernel, 1, 1, NULL);
		if (i % FINISH == 0 || i == count)
			opencl_check(clFinish(queue), "clFinish");
	}
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : COUNT;
	struct opencl opencl;
	cl_command_queue queue;
	cl_kernel kernel;
	double wall, cpu;

	opencl_open(&opencl, source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	kernel = opencl_kernel(opencl.program, "empty", NULL);
	enqueue(queue, kernel, WARM_UP);
	wall = now(CLOCK_MONOTONIC);
	cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	enqueue(queue, kernel, count);
	printf("%.0f %.0f\n", (now(CLOCK_MONOTONIC) - wall) / (double)count,
	       (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / (double)count);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

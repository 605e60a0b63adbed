/* SPDX-License-Identifier: MIT */
/*
 * Usage: churn THREADS. THREADS threads make and release queues without end. Meanwhile the program
 * makes a command and exits.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "opencl.h"

enum { MOST = 64 };

static struct opencl opencl;

static void *make_queues(void *unused)
{
	static const struct timespec pause = {.tv_nsec = 1000000};

	for (;;) {
		cl_command_queue queue = opencl_queue(opencl.context, opencl.devices[0], 0);

		nanosleep(&pause, NULL);
		opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	}
	return unused;
}

int main(int argc, char **argv)
{
	static const struct timespec while_they_work = {.tv_nsec = 50000000};
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	cl_command_queue queue;
	cl_mem memory;
	char byte = 0;

	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	memory = opencl_buffer(opencl.context, 64);
	opencl_check(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 1, &byte, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
	for (int i = 0; i < threads && i < MOST; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, make_queues, NULL))
			return EXIT_FAILURE;
	}
	nanosleep(&while_they_work, NULL);
	exit(EXIT_SUCCESS);
}

/* SPDX-License-Identifier: MIT */
/*
 * Usage: compiling return|exit|thread
 *
 * Launches a kernel three times, and ends at once, without waiting: main returns, or exit is called
 * in main or in another thread. PoCL may still compile the kernel then.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl.h"

enum { CODE = 2, LAUNCHES = 3, ITEMS = 256 };

static void *leave(void *unused)
{
	exit(CODE);
	return unused;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	cl_command_queue queue;
	struct opencl opencl;
	pthread_t thread;
	cl_kernel kernel;

	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	kernel = opencl_kernel(opencl.program, "twice", opencl_buffer(opencl.context, 4 * ITEMS));
	for (int i = 0; i < LAUNCHES; i++)
		opencl_launch(queue, kernel, ITEMS, ITEMS / 4, NULL);
	puts("compiling: this line is not the tool's");
	if (!strcmp(way, "exit"))
		exit(CODE);
	if (!strcmp(way, "thread") && !pthread_create(&thread, NULL, leave, NULL))
		pause();
	return CODE;
}

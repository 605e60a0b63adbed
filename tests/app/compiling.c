/* SPDX-License-Identifier: MIT */
/*
 * Usage: compiling return|exit|thread [busy|joined|long|never|handler]
 *
 * Launches a kernel three times, and ends at once, without waiting: main returns, or exit is called
 * in main or in another thread. PoCL may still compile the kernel then. busy: another thread goes
 * on launching a kernel that is new to PoCL's cache, and waiting for it. joined: an exit handler
 * waits for that thread. long: launches another kernel, which is compiled for seconds.
 * never: launches one behind an event that the program does not set. handler: waits for the kernel;
 * an exit handler launches it again, with another work-group size.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl.h"

enum { CODE = 2, LAUNCHES = 3, ITEMS = 256 };

static struct opencl opencl;
static cl_command_queue queue;
static pthread_t busy;
static atomic_bool stops;

/* A work-group size is one that PoCL compiles for. */
static void *launch_new(void *unused)
{
	cl_kernel kernel =
		opencl_kernel(opencl.program, "twice", opencl_buffer(opencl.context, 4 * ITEMS));

	for (size_t local = 1; !atomic_load(&stops); local = local % ITEMS + 1) {
		opencl_launch(queue, kernel, local, local, NULL);
		opencl_check(clFinish(queue), "clFinish");
	}
	return unused;
}

static void launch_long(void)
{
	enum { LINES = 60, ROOM = LINES * 128 + 256 };
	static char source[ROOM];
	const char *text = source;
	cl_program program;
	size_t at;

	at = (size_t)snprintf(source, ROOM,
			      "__kernel void slow(__global float *x) {\n"
			      "float v = x[get_global_id(0)], w = v;\n");
	for (int i = 0; i < LINES; i++)
		at += (size_t)snprintf(source + at, ROOM - at,
				       "v = v * %d.5f + w / (v + 1); w = sin(w) + x[%d] * v;"
				       "if (w > %d) x[%d] = v;\n",
				       i, i, i, i);
	snprintf(source + at, ROOM - at, "x[get_global_id(0)] = v + w; }\n");
	program = clCreateProgramWithSource(opencl.context, 1, &text, NULL, NULL);
	opencl_check(clBuildProgram(program, 1, opencl.devices, "", NULL, NULL), "clBuildProgram");
	opencl_launch(queue,
		      opencl_kernel(program, "slow", opencl_buffer(opencl.context, 4 * ITEMS)),
		      ITEMS, ITEMS / 4, NULL);
	opencl_check(clFlush(queue), "clFlush");
	usleep(300000);
}

static void launch_never(cl_kernel kernel)
{
	static const size_t items = ITEMS;
	cl_event gate = opencl_gate(opencl.context);

	opencl_check(clFinish(queue), "clFinish");
	opencl_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &gate, NULL),
		     "clEnqueueNDRangeKernel");
}

static cl_kernel later;

static void launch_later(void)
{
	opencl_launch(queue, later, ITEMS, ITEMS / 8, NULL);
	opencl_check(clFlush(queue), "clFlush");
}

static void begin_handler(cl_kernel kernel)
{
	opencl_check(clFinish(queue), "clFinish");
	later = kernel;
	atexit(launch_later);
}

static void join(void)
{
	atomic_store(&stops, true);
	pthread_join(busy, NULL);
}

static void begin_busy(const char *how)
{
	if (pthread_create(&busy, NULL, launch_new, NULL))
		exit(EXIT_FAILURE);
	usleep(300000);
	if (!strcmp(how, "joined"))
		atexit(join);
}

static void *leave(void *unused)
{
	exit(CODE);
	return unused;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	pthread_t thread;
	cl_kernel kernel;

	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	kernel = opencl_kernel(opencl.program, "twice", opencl_buffer(opencl.context, 4 * ITEMS));
	for (int i = 0; i < LAUNCHES; i++)
		opencl_launch(queue, kernel, ITEMS, ITEMS / 4, NULL);
	if (argc > 2 && !strcmp(argv[2], "long"))
		launch_long();
	else if (argc > 2 && !strcmp(argv[2], "never"))
		launch_never(kernel);
	else if (argc > 2 && !strcmp(argv[2], "handler"))
		begin_handler(kernel);
	else if (argc > 2)
		begin_busy(argv[2]);
	puts("compiling: this line is not the tool's");
	if (!strcmp(way, "exit"))
		exit(CODE);
	if (!strcmp(way, "thread") && !pthread_create(&thread, NULL, leave, NULL))
		pause();
	return CODE;
}

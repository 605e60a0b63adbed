/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program that selects what is recorded, by its arguments in their order:
 *
 *	start, stop	computeprof_start() and computeprof_stop()
 *	open		finds the device and makes a context, a queue and a program
 *	launch, write	one kernel, one copy of a buffer to the device
 *	make, free	another buffer is made, and released
 *	kill		the process is killed when the commands have ended
 *	many		another thread launches kernels while this one starts and stops, 1000 times
 *
 * It prints the names of the expected rows, one per line. With RECORDING_OFF in the environment it
 * expects none before the first start.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entry/computeprof.h"
#include "opencl.h"

enum { SIZE = 64 * sizeof(cl_int), TIMES = 1000 };

static struct opencl opencl;
static cl_command_queue queue;
static cl_mem buffer, other;
static cl_kernel kernel;
static bool recorded = true;
static atomic_bool over;

static void begin(void)
{
	computeprof_start();
	recorded = true;
}

static void end(void)
{
	computeprof_stop();
	recorded = false;
}

static void prepare(void)
{
	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	buffer = opencl_buffer(opencl.context, SIZE);
	kernel = opencl_kernel(opencl.program, "twice", buffer);
}

static void expect(const char *row)
{
	if (recorded)
		puts(row);
}

static void launch(void)
{
	opencl_launch(queue, kernel, SIZE / sizeof(cl_int), 0, NULL);
	expect("twice");
}

static void copy(void)
{
	opencl_write(queue, buffer, SIZE);
	expect("memcopy");
}

static void make(void)
{
	other = opencl_buffer(opencl.context, SIZE);
}

static void release(void)
{
	opencl_check(clReleaseMemObject(other), "clReleaseMemObject");
}

static void *launch_on(void *unused)
{
	while (!over) {
		opencl_launch(queue, kernel, SIZE / sizeof(cl_int), 0, NULL);
		opencl_check(clFinish(queue), "clFinish");
	}
	return unused;
}

static void many(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, launch_on, NULL))
		exit(EXIT_FAILURE);
	for (int i = 0; i < TIMES; i++) {
		begin();
		end();
	}
	over = true;
	pthread_join(thread, NULL);
}

static void die(void)
{
	opencl_check(clFinish(queue), "clFinish");
	raise(SIGKILL);
}

static const struct {
	const char *name;
	void (*run)(void);
} steps[] = {
	{"start", begin},   {"stop", end},   {"open", prepare},
	{"launch", launch}, {"write", copy}, {"many", many},
	{"make", make},	    {"free", release}, {"kill", die},
};

static void run(const char *name)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (strcmp(steps[i].name, name) != 0)
			continue;
		steps[i].run();
		return;
	}
	fprintf(stderr, "wish: there is no step '%s'\n", name);
	exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	recorded = !getenv("RECORDING_OFF");
	for (int i = 1; i < argc; i++)
		run(argv[i]);
	if (!queue)
		return EXIT_SUCCESS;
	opencl_check(clFinish(queue), "clFinish");
	clReleaseKernel(kernel);
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

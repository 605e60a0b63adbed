/* SPDX-License-Identifier: MIT */
/*
 * Usage: devices together|apart|contexts|idle|process|fork|both|spawn
 *	together	one context of all devices, a queue for each
 *	apart		a context for each device
 *	contexts	three contexts of the first device
 *	idle		two contexts, the second one without work
 *	process		a few commands on the first device
 *	fork		the parent works, its child makes a context of its own and works, the parent
 *			works again
 *	both		the parent forks before it works, both work
 *	spawn		works, runs this program with "process" meanwhile, and works again
 * Prints "rows CONTEXT DEVICE COUNT" for each pair of a context's and a device's number from 0; a
 * child's line says "child" first.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "opencl.h"

enum { SIZE = 1024 };

static const char *who = "";

static void work(cl_context context, cl_program program, cl_device_id device, int launches)
{
	cl_command_queue queue = opencl_queue(context, device, 0);
	cl_mem buffer = opencl_buffer(context, SIZE);
	cl_kernel kernel = opencl_kernel(program, "twice", buffer);
	char memory[SIZE];

	opencl_write(queue, buffer, SIZE);
	for (int i = 0; i < launches; i++)
		opencl_launch(queue, kernel, SIZE / 4, 64, NULL);
	opencl_check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, SIZE, memory, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	opencl_check(clReleaseMemObject(buffer), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

static void told(unsigned int context, unsigned int device, int rows)
{
	printf("%srows %u %u %d\n", who, context, device, rows);
	fflush(stdout);
}

static void run_together(struct opencl *opencl)
{
	cl_context context = opencl_context(opencl->devices, opencl->device_count);
	cl_program program = opencl_build(context, opencl_source);

	for (cl_uint i = 0; i < opencl->device_count; i++) {
		work(context, program, opencl->devices[i], 3 + (int)i);
		told(0, i, 5 + (int)i);
	}
	opencl_check(clReleaseProgram(program), "clReleaseProgram");
	opencl_check(clReleaseContext(context), "clReleaseContext");
}

static void work_alone(cl_device_id device, int launches)
{
	cl_context context = opencl_context(&device, 1);
	cl_program program = opencl_build(context, opencl_source);

	work(context, program, device, launches);
	opencl_check(clReleaseProgram(program), "clReleaseProgram");
	opencl_check(clReleaseContext(context), "clReleaseContext");
}

static void run_apart(struct opencl *opencl)
{
	for (cl_uint i = 0; i < opencl->device_count; i++) {
		work_alone(opencl->devices[i], 3 + (int)i);
		told(i, i, 5 + (int)i);
	}
}

static void run_contexts(struct opencl *opencl)
{
	for (unsigned int i = 0; i < 3; i++) {
		work_alone(opencl->devices[0], 1 + (int)i);
		told(i, 0, 3 + (int)i);
	}
}

static void run_idle(struct opencl *opencl)
{
	cl_context idle;

	work_alone(opencl->devices[0], 1);
	told(0, 0, 3);
	idle = opencl_context(opencl->devices, 1);
	opencl_check(clReleaseContext(idle), "clReleaseContext");
	told(1, 0, 0);
}

static void run_process(struct opencl *opencl)
{
	work_alone(opencl->devices[0], 10);
	told(0, 0, 12);
}

static void fork_one(struct opencl *opencl, int launches)
{
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (!child) {
		who = "child ";
		work_alone(opencl->devices[0], launches);
		told(0, 0, launches + 2);
		exit(EXIT_SUCCESS);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		opencl_check(CL_INVALID_OPERATION, "the child");
}

/* Before a device is used, PoCL has no threads yet, which a child would lack. */
static void run_both(struct opencl *opencl)
{
	fork_one(opencl, 2);
	run_process(opencl);
}

static void run_fork(struct opencl *opencl)
{
	work_alone(opencl->devices[0], 1);
	fork_one(opencl, 5);
	work_alone(opencl->devices[0], 1);
	told(0, 0, 6);
}

static void run_spawn(struct opencl *opencl)
{
	static const struct timespec pause = {.tv_nsec = 300000000};
	char path[] = "/proc/self/exe", name[] = "process";
	char *arguments[] = {path, name, NULL};
	int status = 1;
	pid_t child;

	work_alone(opencl->devices[0], 1);
	/* Rows are written at least every 100 ms: after that the log exists and its name is in
	 * use. */
	nanosleep(&pause, NULL);
	if (posix_spawn(&child, path, NULL, NULL, arguments, environ) ||
	    waitpid(child, &status, 0) != child || status)
		opencl_check(CL_INVALID_OPERATION, "the other process");
	work_alone(opencl->devices[0], 1);
	told(0, 0, 6);
}

/* clang-format off */
static const struct way {
	const char *name;
	void (*run)(struct opencl *opencl);
} ways[] = {
	{"together", run_together},
	{"apart", run_apart},
	{"contexts", run_contexts},
	{"idle", run_idle},
	{"process", run_process},
	{"fork", run_fork},
	{"both", run_both},
	{"spawn", run_spawn},
	{NULL, NULL},
};
/* clang-format on */

int main(int argc, char **argv)
{
	struct opencl opencl;

	opencl_find(&opencl);
	for (const struct way *way = ways; way->name; way++) {
		if (argc < 2 || strcmp(way->name, argv[1]))
			continue;
		way->run(&opencl);
		return EXIT_SUCCESS;
	}
	return EXIT_FAILURE;
}

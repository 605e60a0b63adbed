/* SPDX-License-Identifier: MIT */
/*
 * Usage: exits DOOR
 * Launches ROWS kernels, waits for them, and leaves by the door named. Prints "rows N" and, for
 * the doors that have one, "signal NAME".
 *
 * The exec doors become another program: true, or this one again with the door "again". With
 * threads of the driver's own the door "thread" never closes.
 */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opencl.h"

enum { ROWS = 500 };

static struct opencl opencl;
static cl_command_queue queue;
static cl_kernel kernel;
static const char *self;

static void work(void)
{
	cl_mem buffer;

	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	buffer = opencl_buffer(opencl.context, 4096);
	kernel = opencl_kernel(opencl.program, "twice", buffer);
	for (int i = 0; i < ROWS; i++)
		opencl_launch(queue, kernel, 64, 0, NULL);
	opencl_check(clFinish(queue), "clFinish");
	printf("rows %d\n", ROWS);
	fflush(stdout);
}

static void leave_return(void)
{
}

static void leave_exit(void)
{
	exit(EXIT_SUCCESS);
}

static void leave__exit(void)
{
	_exit(EXIT_SUCCESS);
}

static void leave__Exit(void)
{
	_Exit(EXIT_SUCCESS);
}

static void leave_quick_exit(void)
{
	quick_exit(EXIT_SUCCESS);
}

static void leave_by_signal(int number)
{
	printf("signal %s\n", sigabbrev_np(number));
	fflush(stdout);
	raise(number);
}

static void leave_abort(void)
{
	printf("signal ABRT\n");
	fflush(stdout);
	abort();
}

static void leave_terminate(void)
{
	leave_by_signal(SIGTERM);
}

/* By then all rows have their times, and the log is whole without recovery. */
static void leave_kill_late(void)
{
	usleep(500000);
	leave_by_signal(SIGKILL);
}

static void leave_kill(void)
{
	leave_by_signal(SIGKILL);
}

/* PoCL has a handler of its own for this one, which a program that dies of it would not reach. */
static void leave_crash(void)
{
	signal(SIGSEGV, SIG_DFL);
	leave_by_signal(SIGSEGV);
}

static void *launch_later(void *nothing)
{
	(void)nothing;
	usleep(50000);
	opencl_launch(queue, kernel, 64, 0, NULL);
	opencl_check(clFinish(queue), "clFinish");
	printf("rows 1\n");
	return NULL;
}

/* The other thread goes on working, and the process ends with it. */
static void leave_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, launch_later, NULL))
		opencl_check(CL_OUT_OF_HOST_MEMORY, "pthread_create");
	pthread_detach(thread);
	pthread_exit(NULL);
}

/* exit() in another thread than main's. */
static void *exit_now(void *nothing)
{
	(void)nothing;
	exit(EXIT_SUCCESS);
}

static void leave_elsewhere(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, exit_now, NULL))
		opencl_check(CL_OUT_OF_HOST_MEMORY, "pthread_create");
	pause();
}

static void leave_execvp(void)
{
	char name[] = "true";
	char *arguments[] = {name, NULL};

	execvp(name, arguments);
	perror("execvp");
}

static void leave_execl(void)
{
	execlp("true", "true", (char *)NULL);
	perror("execlp");
}

static void leave_execve(void)
{
	char *arguments[] = {strdup(self), strdup("again"), NULL};

	execve(self, arguments, environ);
	perror("execve");
}

/* There is no such program: this one goes on. */
static void leave_failed_exec(void)
{
	char name[] = "/nowhere/at/all";
	char *arguments[] = {name, NULL};

	execv(name, arguments);
	opencl_launch(queue, kernel, 64, 0, NULL);
	opencl_check(clFinish(queue), "clFinish");
	printf("rows 1\n");
}

/* A child that only becomes another program has nothing to do with our rows. */
static void leave_spawn(void)
{
	char name[] = "true";
	char *arguments[] = {name, NULL};
	int status = 1;
	pid_t child;

	if (posix_spawnp(&child, name, NULL, NULL, arguments, environ) ||
	    waitpid(child, &status, 0) != child || status || system("true"))
		opencl_check(CL_INVALID_OPERATION, "true");
	child = vfork();
	if (!child) {
		execvp(name, arguments);
		_exit(EXIT_FAILURE);
	}
	if (waitpid(child, &status, 0) != child || status)
		opencl_check(CL_INVALID_OPERATION, "vfork");
	opencl_launch(queue, kernel, 64, 0, NULL);
	opencl_check(clFinish(queue), "clFinish");
	printf("rows 1\n");
}

static void launch_last(void)
{
	opencl_launch(queue, kernel, 64, 0, NULL);
	opencl_check(clFinish(queue), "clFinish");
	printf("rows 1\n");
}

/* Work in an exit handler. */
static void leave_handler(void)
{
	atexit(launch_last);
}

/* clang-format off */
static const struct door {
	const char *name;
	void (*leave)(void);
} doors[] = {
	{"return", leave_return},
	{"exit", leave_exit},
	{"_exit", leave__exit},
	{"_Exit", leave__Exit},
	{"quick_exit", leave_quick_exit},
	{"abort", leave_abort},
	{"terminate", leave_terminate},
	{"kill", leave_kill},
	{"kill_late", leave_kill_late},
	{"crash", leave_crash},
	{"thread", leave_thread},
	{"elsewhere", leave_elsewhere},
	{"execvp", leave_execvp},
	{"execl", leave_execl},
	{"execve", leave_execve},
	{"failed_exec", leave_failed_exec},
	{"spawn", leave_spawn},
	{"handler", leave_handler},
	{"again", leave_return},
	{NULL, NULL},
};
/* clang-format on */

int main(int argc, char **argv)
{
	self = argv[0];
	for (const struct door *door = doors; door->name; door++) {
		if (argc < 2) {
			printf("%s\n", door->name);
		} else if (!strcmp(door->name, argv[1])) {
			work();
			door->leave();
		}
	}
	return EXIT_SUCCESS;
}

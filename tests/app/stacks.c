/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* REG_RIP, pthread_attr */
#endif

/*
 * Makes commands of OpenCL from functions with known callers.
 *
 *	stacks COUNT [fork | kill | deep | signals | coroutine | thread | many |
 *		reload MODULE OTHER]
 *
 * Without a word: COUNT fills from main;outer;left;leaf and as many from main;outer;right;leaf, and
 * a write from main;outer. fork: a child makes one from main;fork_here;left;leaf. kill: it is
 * killed afterwards. deep: at a depth of 600. signals: while a timer's handler makes other fills.
 * coroutine, thread: on a small stack. many: COUNT fills from each of 256 stacks. reload: from the
 * function `call` of two modules, which are loaded and unloaded in turn.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "opencl.h"

#if __has_attribute(noclone)
#define FUNCTION __attribute__((noinline, noclone))
#else
#define FUNCTION __attribute__((noinline))
#endif

enum { BYTES = 64, DEPTH = 600, SMALL = 64 << 10, WAYS = 256 };

static cl_context context;
static cl_command_queue queue;
static cl_mem buffer;
static volatile int after;
static ucontext_t home, other;
static int count;

static void check(cl_int status)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "stacks: error %d\n", status);
	exit(EXIT_FAILURE);
}

static void prepare(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_int status;

	check(clGetPlatformIDs(1, &platform, NULL));
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status);
	queue = clCreateCommandQueue(context, device, 0, &status);
	check(status);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &status);
	check(status);
}

FUNCTION static void leaf(void)
{
	const cl_int zero = 0;

	check(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, BYTES, 0, NULL, NULL));
	after++;
}

FUNCTION static void left(void)
{
	leaf();
	after++;
}

FUNCTION static void right(void)
{
	leaf();
	after += 2;
}

FUNCTION static void outer(void)
{
	static const char bytes[BYTES];

	for (int i = 0; i < count; i++) {
		left();
		right();
	}
	check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
	after++;
}

FUNCTION static void deep(int depth)
{
	if (depth)
		deep(depth - 1);
	else
		leaf();
	after++;
}

FUNCTION static void way(int number);

FUNCTION static void other_way(int number)
{
	way(number / 2);
	after += 2;
}

/* Each number from WAYS to 2 * WAYS - 1 has a stack of its own. */
FUNCTION static void way(int number)
{
	if (number == 1)
		leaf();
	else if (number % 2)
		other_way(number);
	else
		way(number / 2);
	after++;
}

FUNCTION static void many(void)
{
	for (int i = 0; i < count * WAYS; i++)
		way(WAYS + i % WAYS);
	after++;
}

/* PoCL is not made for signals: its calls are in the handler only while no other one is. */
static volatile sig_atomic_t idle, handled;

FUNCTION static void on_signal(int number)
{
	(void)number;
	if (!idle)
		return;
	handled++;
	leaf();
	after++;
}

/* The driver's threads inherit the mask. */
static void block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(how, &set, NULL);
}

FUNCTION static void with_signals(void)
{
	struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};

	block(SIG_UNBLOCK);
	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < count) {
		left();
		idle = 1;
		for (int i = 0; i < 1000000; i++)
			after++;
		idle = 0;
	}
	setitimer(ITIMER_REAL, &never, NULL);
}

FUNCTION static void in_coroutine(void)
{
	outer();
	after++;
}

FUNCTION static void in_coroutines(void)
{
	char *room = mmap(NULL, SMALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	getcontext(&other);
	other.uc_stack.ss_sp = room;
	other.uc_stack.ss_size = SMALL;
	other.uc_link = &home;
	makecontext(&other, in_coroutine, 0);
	swapcontext(&home, &other);
	munmap(room, SMALL);
	outer();
	after++;
}

FUNCTION static void *in_thread(void *unused)
{
	outer();
	after++;
	return unused;
}

static void in_threads(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, SMALL);
	if (!pthread_create(&thread, &attributes, in_thread, NULL))
		pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
}

FUNCTION static void reload(char *const *paths)
{
	for (int i = 0; i < count; i++) {
		void *module = dlopen(paths[i % 2], RTLD_NOW);
		void (*call)(void (*)(void)) = NULL;

		if (module)
			*(void **)&call = dlsym(module, "call");
		if (!call) {
			fprintf(stderr, "stacks: %s\n", dlerror());
			exit(EXIT_FAILURE);
		}
		call(leaf);
		dlclose(module);
	}
}

FUNCTION static void fork_here(void)
{
	pid_t child;

	outer();
	check(clFinish(queue));
	usleep(100000); /* PoCL's threads hold no lock then, which the child would wait for */
	child = fork();
	if (!child) {
		left();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void run(const char *what, char *const *paths)
{
	if (!what)
		outer();
	else if (!strcmp(what, "fork"))
		fork_here();
	else if (!strcmp(what, "deep"))
		deep(DEPTH);
	else if (!strcmp(what, "signals"))
		with_signals();
	else if (!strcmp(what, "coroutine"))
		in_coroutines();
	else if (!strcmp(what, "thread"))
		in_threads();
	else if (!strcmp(what, "many"))
		many();
	else if (!strcmp(what, "reload"))
		reload(paths);
	else
		outer();
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : NULL;

	if (argc < 2)
		return 2;
	count = atoi(argv[1]);
	block(SIG_BLOCK);
	prepare();
	run(what, argv + 3);
	if (what && !strcmp(what, "kill")) {
		clFinish(queue);
		kill(getpid(), SIGKILL);
	}
	check(clFinish(queue));
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}

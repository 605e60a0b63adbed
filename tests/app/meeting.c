/* SPDX-License-Identifier: MIT */
/*
 * meeting HOW CALL KERNEL: two kernels that wait for each other, between two kernels that wait for
 * none, on the scripted driver.
 *	HOW	one		one thread launches both, in two streams
 *		threads		a thread for each of the two
 *		devices		likewise, and each on a device of its own
 *	CALL	kernel		cuLaunchKernel
 *		cooperative	cuLaunchCooperativeKernel
 *		attribute	cuLaunchKernelEx, with the attribute of cooperative kernels
 *		capture		the first one is captured, and its graph is launched
 *	KERNEL	meet or ncclDevKernel_Meet
 * Ends by SIGALRM if it hangs.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"

enum { HANGS_AFTER = 20, COOPERATIVE = 2 };

struct attribute { /* CUlaunchAttribute */
	unsigned id;
	unsigned padding;
	int cooperative;
	char rest[60];
};

struct config { /* CUlaunchConfig */
	unsigned grid[3];
	unsigned block[3];
	unsigned shared;
	cuda_stream stream;
	struct attribute *attributes;
	unsigned count;
};

typedef int launch_function(struct cuda_function *function, unsigned grid_x, unsigned grid_y,
			    unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
			    unsigned shared, cuda_stream stream, void **parameters);
typedef int launch_ex_function(const struct config *config, struct cuda_function *function,
			       void **parameters, void **extra);

static const char ptx[] = ".version 5.0\n.target sm_30\n.address_size 64\n"
			  ".visible .entry empty()\n{\n\tret;\n}\n"
			  ".visible .entry meet(.param .u64 flags)\n{\n\tret;\n}\n"
			  ".visible .entry ncclDevKernel_Meet(.param .u64 flags)\n{\n\tret;\n}\n";

static const char *how, *by, *name;
static uint64_t flags; /* device memory of the first context */

static struct side {
	cuda_context context;
	struct cuda_module *module;
	cuda_stream stream;
	unsigned number;
} sides[2];

#define DO(function, ...) done(cu.function(__VA_ARGS__), #function)

static void done(int result, const char *what)
{
	if (!result)
		return;
	fprintf(stderr, "meeting: %s: error %d\n", what, result);
	exit(1);
}

static bool is(const char *word, const char *other)
{
	return !strcmp(word, other);
}

static void *look_up(const char *symbol)
{
	void *function = dlsym(dlopen("libcuda.so.1", RTLD_NOW), symbol);

	if (!function)
		done(1, symbol);
	return function;
}

static void begin_side(unsigned number, int device)
{
	struct side *side = &sides[number];
	cuda_device handle;

	side->number = number;
	if (number && !is(how, "devices")) {
		side->context = sides[0].context;
		side->module = sides[0].module;
	} else {
		DO(DeviceGet, &handle, device);
		DO(CtxCreate, &side->context, 0, handle);
		DO(ModuleLoadData, &side->module, ptx);
	}
	DO(StreamCreate, &side->stream, 0);
}

static struct cuda_function *kernel(const struct side *side, const char *which)
{
	struct cuda_function *function;

	DO(ModuleGetFunction, &function, side->module, which);
	return function;
}

static void launch_empty(void)
{
	DO(CtxSetCurrent, sides[0].context);
	DO(LaunchKernel, kernel(&sides[0], "empty"), 2, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL);
}

static void launch_meet(const struct side *side)
{
	unsigned mine = side->number, other = 1 - mine;
	void *parameters[] = {&flags, &mine, &other};
	struct cuda_function *function = kernel(side, name);
	struct attribute attribute = {.id = COOPERATIVE, .cooperative = 1};
	struct config config = {{1, 1, 1}, {32, 1, 1}, 0, side->stream, &attribute, 1};

	DO(CtxSetCurrent, side->context);
	if (is(by, "cooperative"))
		done(((launch_function *)look_up("cuLaunchCooperativeKernel"))(
			     function, 1, 1, 1, 32, 1, 1, 0, side->stream, parameters),
		     by);
	else if (is(by, "attribute"))
		done(((launch_ex_function *)look_up("cuLaunchKernelEx"))(&config, function,
									 parameters, NULL),
		     by);
	else
		DO(LaunchKernel, function, 1, 1, 1, 32, 1, 1, 0, side->stream, parameters, NULL);
}

static void *launch_in_thread(void *side)
{
	launch_meet(side);
	return NULL;
}

static void launch_graph(void)
{
	struct cuda_executable *executable;
	struct cuda_graph *graph;

	DO(StreamBeginCapture, sides[0].stream, 0);
	launch_meet(&sides[0]);
	DO(StreamEndCapture, sides[0].stream, &graph);
	DO(GraphInstantiate, &executable, graph, 0);
	DO(GraphLaunch, executable, sides[0].stream);
}

static void meet(void)
{
	pthread_t threads[2];

	if (is(by, "capture")) {
		launch_graph();
		launch_meet(&sides[1]);
	} else if (is(how, "one")) {
		launch_meet(&sides[0]);
		launch_meet(&sides[1]);
	} else {
		for (int i = 0; i < 2; i++)
			done(pthread_create(&threads[i], NULL, launch_in_thread, &sides[i]),
			     "pthread_create");
		for (int i = 0; i < 2; i++)
			pthread_join(threads[i], NULL);
	}
}

int main(int count, char **arguments)
{
	const char *missing = driver_open();

	if (missing || count != 4) {
		fprintf(stderr, "meeting: %s\n", missing ? missing : "HOW CALL KERNEL");
		return 1;
	}
	how = arguments[1];
	by = arguments[2];
	name = arguments[3];
	alarm(HANGS_AFTER);
	DO(Init, 0);
	begin_side(0, 0);
	begin_side(1, 1);
	DO(CtxSetCurrent, sides[0].context);
	DO(MemAlloc, &flags, 64);
	DO(MemsetD32, flags, 0, 16);
	launch_empty();
	meet();
	launch_empty();
	DO(CtxSynchronize);
	puts("met");
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * cuda_sequence PART...: commands of each kind that makes a row, always the same, for golden logs
 * on the scripted driver. Parts are executed in the order of the arguments:
 *	basic		kernels and copies of each kind in the NULL stream and two others
 *	graph		a graph of a copy and two kernels, launched twice
 *	large		a graph of 5000 kernels, launched four times
 *	capture		a graph of two kernels that are captured, launched once
 *	fills		the same with a fill and a copy
 *	context		from here on in another context
 *	device		from here on in a context of the next device
 *	peer		a copy between the last two contexts
 *	idle		a context without work
 *	window		kernels before, between and after cuProfilerStart and cuProfilerStop
 *	request		cuProfilerInitialize with other.config, other.log and CSV
 *	initialize	the same, and cuProfilerStart
 *	fork		a forked child, which ends by exit()
 *	leave		ends by _exit()
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"
#include "kernels.h"

enum { BYTES = 1 << 16, CACHE_PREFER_L1 = 2, OF_ITSELF = 4 };

static struct place {
	cuda_context context;
	struct cuda_module *module;
	uint64_t memory;
} here, before;
static int device;

#define DO(name, ...) done(cu.name(__VA_ARGS__), #name)

static void done(int result, const char *what)
{
	if (!result)
		return;
	fprintf(stderr, "cuda_sequence: cu%s: error %d\n", what, result);
	exit(1);
}

static void enter_context(void)
{
	cuda_device handle;

	before = here;
	DO(DeviceGet, &handle, device);
	DO(CtxCreate, &here.context, 0, handle);
	DO(ModuleLoadData, &here.module, kernels_ptx);
	DO(MemAlloc, &here.memory, BYTES);
}

static struct cuda_function *kernel(const char *name)
{
	struct cuda_function *function;

	DO(ModuleGetFunction, &function, here.module, name);
	return function;
}

/* A grid of width, 2 and 3 with blocks of 16, 2 and 1. */
static void launch(const char *name, unsigned width, unsigned shared, cuda_stream stream)
{
	void *parameters[] = {&here.memory};

	DO(LaunchKernel, kernel(name), width, 2, 3, 16, 2, 1, shared, stream, parameters, NULL);
}

static void basic(void)
{
	static char pageable[BYTES];
	cuda_stream first, second;
	void *pinned;

	DO(StreamCreate, &first, 0);
	DO(StreamCreate, &second, 0);
	DO(MemHostAlloc, &pinned, BYTES, 0);
	DO(MemsetD8, here.memory, 7, 1000);
	DO(MemcpyHtoD, here.memory, pageable, 1024);
	launch("empty", 1, 0, NULL);
	DO(FuncSetCacheConfig, kernel("fixed"), CACHE_PREFER_L1);
	launch("fixed", 70000, 0, first);
	DO(MemcpyHtoDAsync, here.memory, pinned, 2048, second);
	launch("moving", 5, 4096, second);
	DO(MemcpyDtoD, here.memory, here.memory + 512, 256);
	DO(MemcpyDtoDAsync, here.memory, here.memory + 512, 128, first);
	DO(MemsetD32Async, here.memory, 9, 100, second);
	DO(MemcpyDtoHAsync, pinned, here.memory, 4096, second);
	DO(CtxSynchronize);
	DO(MemcpyDtoH, pageable, here.memory, 512);
	DO(MemcpyDtoH, pinned, here.memory, 513);
	DO(MemFreeHost, pinned);
}

static __attribute__((noinline)) struct cuda_node *add_copy(struct cuda_graph *graph)
{
	static char bytes[64];
	const struct cuda_copy copy = {
		.source = {.type = CUDA_MEMORY_HOST, .host = bytes},
		.target = {.type = CUDA_MEMORY_DEVICE, .device = here.memory},
		.width = sizeof(bytes),
		.height = 1,
		.depth = 1,
	};
	struct cuda_node *node;

	DO(GraphAddMemcpyNode, &node, graph, NULL, 0, &copy, here.context);
	return node;
}

static struct cuda_node *add_kernel(struct cuda_graph *graph, const char *name,
				    struct cuda_node *after)
{
	void *parameters[] = {&here.memory};
	struct cuda_kernel_node node = {
		.function = kernel(name),
		.grid = {2, 1, 1},
		.block = {64, 1, 1},
		.parameters = parameters,
	};
	struct cuda_node *made;

	DO(GraphAddKernelNode, &made, graph, &after, after != NULL, &node);
	return made;
}

static void graph(void)
{
	struct cuda_executable *executable;
	struct cuda_graph *made;

	DO(GraphCreate, &made, 0);
	add_kernel(made, "fixed", add_kernel(made, "empty", add_copy(made)));
	DO(GraphInstantiate, &executable, made, 0);
	DO(GraphLaunch, executable, NULL);
	DO(GraphLaunch, executable, NULL);
	DO(CtxSynchronize);
}

static void large(void)
{
	struct cuda_executable *executable;
	struct cuda_node *last;
	struct cuda_graph *made;

	DO(GraphCreate, &made, 0);
	last = add_kernel(made, "empty", NULL);
	for (int i = 1; i < 5000; i++)
		last = add_kernel(made, "empty", last);
	DO(GraphInstantiate, &executable, made, 0);
	for (int i = 0; i < 4; i++)
		DO(GraphLaunch, executable, NULL);
	DO(CtxSynchronize);
}

static cuda_stream capture_begin(void)
{
	cuda_stream stream;

	DO(StreamCreate, &stream, 0);
	DO(StreamBeginCapture, stream, 0);
	return stream;
}

/* Not inlined, and not the last call of its caller: tests/cuda/stacks.test names the frames. */
static __attribute__((noinline)) void capture_end(cuda_stream stream)
{
	struct cuda_executable *executable;
	struct cuda_graph *made;

	DO(StreamEndCapture, stream, &made);
	DO(GraphInstantiate, &executable, made, 0);
	DO(GraphLaunch, executable, stream);
}

static void capture(void)
{
	cuda_stream stream = capture_begin();

	launch("empty", 1, 0, stream);
	launch("fixed", 2, 0, stream);
	capture_end(stream);
	DO(CtxSynchronize);
}

static void fills(void)
{
	static char bytes[64];
	cuda_stream stream = capture_begin();

	DO(MemsetD8Async, here.memory, 7, 1000, stream);
	DO(MemcpyHtoDAsync, here.memory, bytes, sizeof(bytes), stream);
	capture_end(stream);
	DO(CtxSynchronize);
}

static void next_device(void)
{
	device++;
	enter_context();
}

static void peer(void)
{
	DO(MemcpyPeer, here.memory, here.context, before.memory, before.context, 333);
}

static void idle(void)
{
	cuda_context context;
	cuda_device handle;

	DO(DeviceGet, &handle, device);
	DO(CtxCreate, &context, 0, handle);
}

static void window(void)
{
	launch("empty", 1, 0, NULL);
	DO(ProfilerStart);
	launch("empty", 2, 0, NULL);
	DO(ProfilerStart); /* does nothing more */
	launch("empty", 3, 0, NULL);
	DO(CtxSynchronize);
	DO(ProfilerStop);
	launch("empty", 4, 0, NULL);
	DO(CtxSynchronize);
}

static void request(void)
{
	DO(ProfilerInitialize, "other.config", "other.log", 1);
}

static void initialize(void)
{
	request();
	DO(ProfilerStart);
}

static void do_fork(void)
{
	pid_t child = fork();

	if (child == 0)
		exit(OF_ITSELF);
	waitpid(child, NULL, 0);
}

static void leave(void)
{
	_exit(0);
}

static const struct {
	const char *name;
	void (*part)(void);
} parts[] = {
	{"basic", basic},     {"graph", graph},	  {"context", enter_context}, {"large", large},
	{"capture", capture}, {"fills", fills},	  {"device", next_device},    {"peer", peer},
	{"idle", idle},	      {"window", window}, {"initialize", initialize}, {"request", request},
	{"fork", do_fork},    {"leave", leave},
};

static int carry_out(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (strcmp(parts[i].name, name) != 0)
			continue;
		parts[i].part();
		return 0;
	}
	fprintf(stderr, "cuda_sequence: there is no part %s\n", name);
	return 1;
}

int main(int count, char **arguments)
{
	const char *missing = driver_open();

	if (missing) {
		fprintf(stderr, "cuda_sequence: no CUDA driver: %s\n", missing);
		return 1;
	}
	DO(Init, 0);
	enter_context();
	for (int i = 1; i < count; i++)
		if (carry_out(arguments[i]))
			return 1;
	DO(CtxSynchronize);
	return 0;
}

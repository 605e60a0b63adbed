/* SPDX-License-Identifier: MIT */
/*
 * workload torch|xla|llama|vllm: the calls of a framework, on any driver that looks up kernels of
 * PTX by their names only. Prints what the log must have (workload.h).
 */
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_SHARED = 48 << 10 }; /* a larger size must be requested */
enum { PART = 1 << 19, MOST_THREADS = 8 };
enum { MOST_KERNELS = 512, MOST_STREAMS = 512, MOST_NODES = 1024 };

static struct entry {
	const char *name;
	struct cuda_function *function;
	uint64_t launches;
	uint64_t blocks;
} entries[MOST_KERNELS];
static size_t entry_count;
static struct {
	uint64_t count;
	uint64_t bytes;
} copies, sets;
static const void *streams[MOST_STREAMS]; /* with work */
static uint64_t stream_count, threads_count, calls;
static _Thread_local bool thread_has_work;
static int lock;
static cuda_context context;
static uint64_t memory; /* a part for each thread, as copies are not ordered between them */
static uint64_t threads_begun;
static _Thread_local uint64_t part;

struct workload_graph {
	struct cuda_executable *executable;
	size_t count;
	const struct kernel *nodes[MOST_NODES];
};
static struct workload_graph *capturing;

void workload_done(int result, const char *what)
{
	if (!result)
		return;
	fprintf(stderr, "workload: %s: error %d\n", what, result);
	exit(1);
}

static void enter(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
}

static void leave(void)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

void workload_begin(void)
{
	const char *missing = driver_open();

	if (missing) {
		fprintf(stderr, "workload: no CUDA driver: %s\n", missing);
		exit(1);
	}
	DO(Init, 0);
	DO(DevicePrimaryCtxRetain, &context, 0);
	DO(CtxSetCurrent, context);
	memory = workload_allocate(MOST_THREADS * PART);
	workload_thread();
}

void workload_thread(void)
{
	uint64_t number = __atomic_fetch_add(&threads_begun, 1, __ATOMIC_RELAXED);

	DO(CtxSetCurrent, context);
	workload_done(number >= MOST_THREADS, "more threads than parts of the memory");
	part = memory + number * PART;
}

uint64_t workload_allocate(size_t bytes)
{
	uint64_t address;

	DO(MemAlloc, &address, bytes);
	return address;
}

static struct entry *entry_of(const char *name)
{
	size_t i = 0;

	while (i < entry_count && entries[i].name != name)
		i++;
	if (i == MOST_KERNELS)
		workload_done(1, "too many kernels");
	entries[i].name = name;
	entry_count += i == entry_count;
	return &entries[i];
}

/* PTX of empty kernels. */
static char *text_of(const struct kernel *kernels, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		workload_done(1, "open_memstream");
	fputs(".version 5.0\n.target sm_30\n.address_size 64\n", file);
	for (size_t i = 0; i < count; i++)
		fprintf(file, ".visible .entry %s()\n{\n\tret;\n}\n", kernels[i].name);
	if (fclose(file))
		workload_done(1, "open_memstream");
	return text;
}

struct cuda_module *workload_load(const struct kernel *kernels, size_t count)
{
	char *text = text_of(kernels, count);
	struct cuda_module *module;

	DO(ModuleLoadData, &module, text);
	free(text);
	for (size_t i = 0; i < count; i++) {
		struct entry *entry = entry_of(kernels[i].name);

		DO(ModuleGetFunction, &entry->function, module, kernels[i].name);
		if (kernels[i].shared > USUAL_SHARED)
			DO(FuncSetAttribute, entry->function, CUDA_FUNCTION_DYNAMIC_SHARED,
			   (int)kernels[i].shared);
	}
	return module;
}

static unsigned at_least_one(unsigned value)
{
	return value ? value : 1;
}

static void count_stream(cuda_stream stream)
{
	size_t i = 0;

	while (i < stream_count && streams[i] != (const void *)stream)
		i++;
	if (i == MOST_STREAMS)
		workload_done(1, "too many streams");
	streams[i] = stream;
	stream_count += i == stream_count;
}

static void count_kernel(const struct kernel *kernel)
{
	struct entry *entry = entry_of(kernel->name);

	entry->launches++;
	entry->blocks += (uint64_t)at_least_one(kernel->grid[0]) * at_least_one(kernel->grid[1]) *
			 at_least_one(kernel->grid[2]);
}

/* Counts a kernel in its stream, or in the graph that is captured. */
static void note_kernel(const struct kernel *kernel, cuda_stream stream)
{
	enter();
	if (capturing && capturing->count < MOST_NODES) {
		capturing->nodes[capturing->count++] = kernel;
	} else {
		count_kernel(kernel);
		count_stream(stream);
		calls++;
	}
	leave();
}

static void note_thread(void)
{
	if (!thread_has_work)
		__atomic_add_fetch(&threads_count, 1, __ATOMIC_RELAXED);
	thread_has_work = true;
}

static struct cuda_function *function_of(const struct kernel *kernel)
{
	struct cuda_function *function;

	enter();
	function = entry_of(kernel->name)->function;
	leave();
	if (!function)
		workload_done(1, kernel->name);
	return function;
}

#define SHAPE(kernel)                                                                              \
	at_least_one((kernel)->grid[0]), at_least_one((kernel)->grid[1]),                          \
		at_least_one((kernel)->grid[2]), at_least_one((kernel)->block[0]),                 \
		at_least_one((kernel)->block[1]), at_least_one((kernel)->block[2])

void workload_run(const struct kernel *kernel, cuda_stream stream)
{
	DO(LaunchKernel, function_of(kernel), SHAPE(kernel), kernel->shared, stream, NULL, NULL);
	note_kernel(kernel, stream);
}

void workload_run_all(const struct kernel *kernels, size_t count, cuda_stream stream)
{
	for (size_t i = 0; i < count; i++)
		workload_run(&kernels[i], stream);
}

void workload_run_ex(const struct kernel *kernel, cuda_stream stream)
{
	const struct cuda_extended_launch config = {
		.grid = {at_least_one(kernel->grid[0]), at_least_one(kernel->grid[1]),
			 at_least_one(kernel->grid[2])},
		.block = {at_least_one(kernel->block[0]), at_least_one(kernel->block[1]),
			  at_least_one(kernel->block[2])},
		.shared = kernel->shared,
		.stream = stream,
	};

	DO(LaunchKernelEx, &config, function_of(kernel), NULL, NULL);
	note_kernel(kernel, stream);
}

void workload_run_per_thread(const struct kernel *kernel)
{
	DO(LaunchKernelPerThread, function_of(kernel), SHAPE(kernel), kernel->shared, NULL, NULL,
	   NULL);
	enter();
	count_kernel(kernel);
	calls++;
	leave();
	note_thread();
}

static void note_copy(size_t bytes)
{
	__atomic_add_fetch(&copies.count, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&copies.bytes, bytes, __ATOMIC_RELAXED);
	enter();
	calls++;
	leave();
}

void workload_copy(enum workload_copy copy, void *host, size_t bytes, cuda_stream stream)
{
	if (copy == COPY_IN)
		DO(MemcpyHtoDAsync, part, host, bytes, stream);
	else if (copy == COPY_OUT)
		DO(MemcpyDtoHAsync, host, part, bytes, stream);
	else
		DO(MemcpyDtoDAsync, part, part + PART / 2, bytes, stream);
	note_copy(bytes);
	enter();
	count_stream(stream);
	leave();
}

void workload_copy_per_thread(enum workload_copy copy, void *host, size_t bytes)
{
	if (copy == COPY_IN)
		DO(MemcpyHtoDAsyncPerThread, part, host, bytes, NULL);
	else
		DO(MemcpyDtoHAsyncPerThread, host, part, bytes, NULL);
	note_copy(bytes);
	note_thread();
}

void workload_set(size_t words, cuda_stream stream)
{
	DO(MemsetD32Async, part, 0, words, stream);
	enter();
	sets.count++;
	calls++;
	sets.bytes += 4 * words;
	count_stream(stream);
	leave();
}

static struct workload_graph *new_graph(void)
{
	struct workload_graph *graph = calloc(1, sizeof(*graph));

	if (!graph)
		workload_done(1, "calloc");
	return graph;
}

void workload_capture(cuda_stream stream)
{
	enum { RELAXED = 2 };

	DO(StreamBeginCapture, stream, RELAXED);
	capturing = new_graph();
}

struct workload_graph *workload_captured(cuda_stream stream)
{
	struct workload_graph *graph = capturing;
	struct cuda_graph *made;

	capturing = NULL;
	DO(StreamEndCapture, stream, &made);
	DO(GraphInstantiate, &graph->executable, made, 0);
	DO(GraphDestroy, made);
	return graph;
}

struct workload_graph *workload_graph(const struct kernel *const *kernels, size_t count)
{
	struct workload_graph *graph = new_graph();
	struct cuda_node *node = NULL;
	struct cuda_graph *made;

	DO(GraphCreate, &made, 0);
	for (size_t i = 0; i < count && i < MOST_NODES; i++) {
		const struct cuda_kernel_node parameters = {
			.function = function_of(kernels[i]),
			.grid = {at_least_one(kernels[i]->grid[0]),
				 at_least_one(kernels[i]->grid[1]),
				 at_least_one(kernels[i]->grid[2])},
			.block = {at_least_one(kernels[i]->block[0]),
				  at_least_one(kernels[i]->block[1]),
				  at_least_one(kernels[i]->block[2])},
			.shared = kernels[i]->shared,
		};
		struct cuda_node *after = node;

		DO(GraphAddKernelNode, &node, made, after ? &after : NULL, after != NULL,
		   &parameters);
		graph->nodes[graph->count++] = kernels[i];
	}
	DO(GraphInstantiate, &graph->executable, made, 0);
	DO(GraphDestroy, made);
	return graph;
}

void workload_launch(const struct workload_graph *graph, cuda_stream stream)
{
	DO(GraphLaunch, graph->executable, stream);
	enter();
	for (size_t i = 0; i < graph->count; i++)
		count_kernel(graph->nodes[i]);
	count_stream(stream);
	calls++;
	leave();
}

void workload_forget(struct workload_graph *graph)
{
	DO(GraphExecDestroy, graph->executable);
	free(graph);
}

void workload_wait(cuda_stream waiting, cuda_stream other, struct cuda_event *event)
{
	DO(EventRecord, event, other);
	DO(StreamWaitEvent, waiting, event, 0);
}

static void print_count(const char *name, uint64_t count, uint64_t sum)
{
	if (count)
		printf("%s %llu %llu\n", name, (unsigned long long)count, (unsigned long long)sum);
}

void workload_report(void)
{
	for (size_t i = 0; i < entry_count; i++)
		print_count(entries[i].name, entries[i].launches, entries[i].blocks);
	print_count("memcopy", copies.count, copies.bytes);
	print_count("memset", sets.count, sets.bytes);
	printf("streams %llu\ncalls %llu\n", (unsigned long long)(stream_count + threads_count),
	       (unsigned long long)calls);
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} workloads[] = {
		{"torch", workload_torch},
		{"xla", workload_xla},
		{"llama", workload_llama},
		{"vllm", workload_vllm},
	};

	for (size_t i = 0; count == 2 && i < COUNT_OF(workloads); i++) {
		if (strcmp(workloads[i].name, arguments[1]) != 0)
			continue;
		workload_begin();
		workloads[i].run();
		workload_report();
		return 0;
	}
	fputs("usage: workload torch|xla|llama|vllm\n", stderr);
	return 1;
}

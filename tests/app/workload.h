/* SPDX-License-Identifier: MIT */
#ifndef TESTS_APP_WORKLOAD_H
#define TESTS_APP_WORKLOAD_H

#include "driver.h"

/*
 * Call sequences of frameworks on CUDA's driver, without the frameworks: their kernels by name and
 * size, their streams, events, graphs and copies, in their order. Every function counts what must
 * be in the log; workload_report prints it.
 */
struct kernel {
	const char *name; /* the same pointer for the same kernel */
	unsigned grid[3]; /* 0 means 1 */
	unsigned block[3];
	unsigned shared; /* dynamic */
};

/* Calls the driver; an error ends the program. */
#define DO(name, ...) workload_done(cu.name(__VA_ARGS__), "cu" #name)
void workload_done(int result, const char *what);

/* Opens the driver and makes the primary context of device 0 current. */
void workload_begin(void);
/* Makes it current in another thread, and gives the thread a part of its memory for copies. */
void workload_thread(void);

/* Loads a module of these kernels; later launches of them use it. */
struct cuda_module *workload_load(const struct kernel *kernels, size_t count);

/* Launches; in a stream that captures it adds a node to the graph. */
void workload_run(const struct kernel *kernel, cuda_stream stream);
void workload_run_all(const struct kernel *kernels, size_t count, cuda_stream stream);
void workload_run_ex(const struct kernel *kernel, cuda_stream stream); /* cuLaunchKernelEx */
/* In the default stream of this thread, as with --default-stream per-thread. */
void workload_run_per_thread(const struct kernel *kernel);

enum workload_copy { COPY_IN, COPY_OUT, COPY_DEVICE };
/* Asynchronous, between device memory and host memory, which may be pageable. */
void workload_copy(enum workload_copy copy, void *host, size_t bytes, cuda_stream stream);
void workload_copy_per_thread(enum workload_copy copy, void *host, size_t bytes);
void workload_set(size_t words, cuda_stream stream); /* words of 32 bits */

/* cuMemAlloc. */
uint64_t workload_allocate(size_t bytes);

/* Graphs of kernels: captured in a stream, or made node by node. */
struct workload_graph;
void workload_capture(cuda_stream stream);
struct workload_graph *workload_captured(cuda_stream stream);
struct workload_graph *workload_graph(const struct kernel *const *kernels, size_t count);
void workload_launch(const struct workload_graph *graph, cuda_stream stream);
void workload_forget(struct workload_graph *graph);

/* The stream `waiting` waits, by the event, for all work that stream `other` has so far. */
void workload_wait(cuda_stream waiting, cuda_stream other, struct cuda_event *event);

/* Prints a line for each kernel, "NAME LAUNCHES BLOCKS", and "memcopy COPIES BYTES", "memset SETS
 * BYTES", "streams N" with the number of streams that had work, and "calls N" with the number of
 * launches, copies and sets: a graph is launched by one call. */
void workload_report(void);

/* The frameworks. */
void workload_torch(void);
void workload_xla(void);
void workload_llama(void);
void workload_vllm(void);

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

#endif

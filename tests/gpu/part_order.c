/* SPDX-License-Identifier: MIT */
/* T16: the counters in a row are those of its own launch. Grids identify the launches. */
#include <pthread.h>
#include <stdio.h>

#include "counting.h"
#include "part_counters.h"

enum { LAUNCHES = 200, CONTEXTS = 3, ROUNDS = 8, THREADS = 2, NODES = 4, GRAPH_LAUNCHES = 3 };

static void launch_wide(unsigned width, cuda_stream stream, const char *stream_name)
{
	const struct launch launch = {.kernel = "empty",
				      .grid = {width},
				      .block = {64},
				      .stream = stream,
				      .stream_name = stream_name};

	counting_launch(&launch, "sm_cta_launched=%u warps_launched=%u", width, 2 * width);
}

int order_one(const struct part *part, const char *step)
{
	cuda_stream stream;

	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	DO(StreamCreate, &stream, CUDA_STREAM_NON_BLOCKING);
	for (unsigned i = 1; i <= LAUNCHES; i++)
		launch_wide(i, i % 3 ? NULL : stream, i % 3 ? NULL : "@other");
	work_wait();
	return 0;
}

/* A slow program: values are fetched between launches. */
int order_pauses(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	for (unsigned i = 1; i <= 24; i++) {
		launch_wide(i, NULL, NULL);
		if (i % 3 == 0)
			work_wait();
		if (i % 4 == 0)
			work_sleep(0.12);
	}
	work_wait();
	return 0;
}

int order_contexts(const struct part *part, const char *step)
{
	cuda_context contexts[CONTEXTS];
	struct cuda_module *modules[CONTEXTS];

	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	contexts[0] = work_context;
	modules[0] = work_module;
	for (int i = 1; i < CONTEXTS; i++) {
		DO(CtxCreate, &contexts[i], 0, work_device);
		modules[i] = work_load();
	}
	for (unsigned i = 0; i < ROUNDS * CONTEXTS; i++) {
		DO(CtxSetCurrent, contexts[i % CONTEXTS]);
		work_module = modules[i % CONTEXTS];
		launch_wide(i + 1, NULL, NULL);
	}
	for (int i = 0; i < CONTEXTS; i++) {
		DO(CtxSetCurrent, contexts[i]);
		DO(CtxDestroy, contexts[i]);
	}
	return 0;
}

static void *thread_main(void *first)
{
	struct launch launch = {.kernel = "empty", .block = {96}};

	DO(CtxSetCurrent, work_context);
	DO(StreamCreate, &launch.stream, CUDA_STREAM_NON_BLOCKING);
	for (unsigned i = 0; i < LAUNCHES / 2; i++) {
		launch.grid[0] = *(unsigned *)first + THREADS * i;
		work_done(work_launch_only(&launch), "empty");
	}
	DO(StreamSynchronize, launch.stream);
	return NULL;
}

int order_threads(const struct part *part, const char *step)
{
	pthread_t threads[THREADS];
	unsigned firsts[THREADS];

	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	for (unsigned i = 0; i < THREADS; i++) {
		firsts[i] = i + 1;
		if (pthread_create(&threads[i], NULL, thread_main, &firsts[i]))
			work_fail("pthread_create", 1);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	expect("note kernels %d", THREADS * (LAUNCHES / 2));
	return 0;
}

static void add_kernel(struct cuda_graph *graph, struct cuda_node **last, unsigned width)
{
	struct cuda_kernel_node kernel = {
		.grid = {width, 1, 1}, .block = {32 * width, 1, 1}, .parameters = NULL};
	struct cuda_node *node;

	DO(ModuleGetFunction, &kernel.function, work_module, "empty");
	DO(GraphAddKernelNode, &node, graph, last, *last != NULL, &kernel);
	*last = node;
}

/* Kernels in sequence, and separate launches between those of the graph. */
int order_graph(const struct part *part, const char *step)
{
	struct cuda_executable *executable;
	struct cuda_node *last = NULL;
	struct cuda_graph *graph;
	cuda_stream stream;

	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	if (!cu.GraphCreate || !cu.GraphAddKernelNode || !cu.GraphLaunch || !cu.GraphInstantiate)
		work_skip("the driver knows no graphs");
	DO(GraphCreate, &graph, 0);
	for (unsigned i = 1; i <= NODES; i++)
		add_kernel(graph, &last, i);
	DO(GraphInstantiate, &executable, graph, 0);
	DO(StreamCreate, &stream, CUDA_STREAM_NON_BLOCKING);
	for (unsigned i = 0; i < GRAPH_LAUNCHES; i++) {
		DO(GraphLaunch, executable, stream);
		work_done(work_launch_only(&(struct launch){
				  .kernel = "empty", .grid = {100 + i}, .stream = stream}),
			  "empty");
	}
	DO(StreamSynchronize, stream);
	expect("note kernels %d", GRAPH_LAUNCHES * (NODES + 1));
	return 0;
}

/* With `enableonstart 0`: launches between the calls have counters, others have no row. */
int order_windows(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	counting_begin(COUNTING_ANY);
	if (!cu.ProfilerStart || !cu.ProfilerStop)
		work_skip("the driver has no cuProfilerStart");
	for (unsigned window = 0; window < 3; window++) {
		for (unsigned i = 1; i <= 5; i++)
			work_done(work_launch_only(
					  &(struct launch){.kernel = "empty", .grid = {500 + i}}),
				  "empty");
		work_wait();
		DO(ProfilerStart);
		for (unsigned i = 1; i <= 5; i++)
			launch_wide(10 * window + i, NULL, NULL);
		DO(ProfilerStop);
	}
	work_wait();
	return 0;
}

/* First the counters of the environment's configuration, then others. */
int order_initialize(const struct part *part, const char *step)
{
	FILE *config = fopen("their.conf", "w");

	(void)part;
	(void)step;
	if (!config ||
	    fputs("gridsize3d\nthreadblocksize\nmemtransfersize\ncountermodeaggregate\n"
		  "warps_launched\n",
		  config) < 0 ||
	    fclose(config))
		work_fail("their.conf", 1);
	counting_begin(COUNTING_ANY);
	if (!cu.ProfilerInitialize)
		work_skip("the driver has no cuProfilerInitialize");
	for (unsigned i = 1; i <= 3; i++)
		launch_wide(i, NULL, NULL);
	work_wait();
	if (cu.ProfilerInitialize("their.conf", "log.theirs", 1))
		work_skip("the driver refuses cuProfilerInitialize");
	if (cu.ProfilerStart)
		cu.ProfilerStart();
	for (unsigned i = 11; i <= 14; i++)
		work_done(work_launch_only(
				  &(struct launch){.kernel = "empty", .grid = {i}, .block = {64}}),
			  "empty");
	work_wait();
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cuptiuser.h"

/* The steps of the CUDA program. There is one current context, and one object of each kind in
 * it. */

#define CUDA(name, types, ...) check(#name, ((int(*) types)driver_function(#name))(__VA_ARGS__))

enum { WORDS = 64, BYTES = WORDS * 4 };

static void *contexts[8];
static unsigned context_count;
static void *stream, *module, *event;
static uint64_t memory, other;
static uint32_t host[WORDS];
static unsigned grid[] = {4, 3, 2}, block[] = {16, 2, 1};
static uint32_t argument = 7;

static void init(const char *value)
{
	(void)value;
	CUDA(cuInit, (unsigned), 0);
}

/* And memory in it. */
static void context(const char *value)
{
	stream = NULL;
	CUDA(cuCtxCreate_v2, (void **, unsigned, int), &contexts[context_count++ % 8], 0,
	     atoi(value));
	CUDA(cuMemAlloc_v2, (uint64_t *, size_t), &memory, BYTES);
	CUDA(cuMemAlloc_v2, (uint64_t *, size_t), &other, BYTES);
}

static void destroy(const char *value)
{
	(void)value;
	CUDA(cuCtxDestroy_v2, (void *), contexts[--context_count % 8]);
}

static void make_stream(const char *value)
{
	(void)value;
	CUDA(cuStreamCreate, (void **, unsigned), &stream, 0);
}

static long resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (!file || fscanf(file, "%*d %ld", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

/* Makes and destroys that many, one after the other; prints the growth of the process in bytes for
 * each of the second half. */
static void many_streams(const char *count)
{
	long number = atol(count), before = 0;
	void *made;

	for (long i = 0; i < number; i++) {
		if (i == number / 2)
			before = resident();
		CUDA(cuStreamCreate, (void **, unsigned), &made, 0);
		CUDA(cuStreamDestroy_v2, (void *), made);
	}
	printf("%ld\n", (resident() - before) / (number / 2));
}

static void end_stream(const char *value)
{
	(void)value;
	CUDA(cuStreamDestroy_v2, (void *), stream);
}

static void null_stream(const char *value)
{
	(void)value;
	stream = NULL;
}

/* The runtime uses libraries instead of modules. */
static void load(const char *value)
{
	if (!*value)
		CUDA(cuModuleLoadData, (void **, const void *), &module, kernels_ptx);
	else
		CUDA(cuLibraryLoadData,
		     (void **, const void *, int *, void **, unsigned, int *, void **, unsigned),
		     &module, kernels_ptx, NULL, NULL, 0, NULL, NULL, 0);
}

static void unload(const char *value)
{
	if (!*value)
		CUDA(cuModuleUnload, (void *), module);
	else
		CUDA(cuLibraryUnload, (void *), module);
}

static void *function(const char *name)
{
	void *found = NULL;

	CUDA(cuModuleGetFunction, (void **, void *, const char *), &found, module, name);
	return found;
}

static void start(const char *symbol, const char *name, unsigned shared, void **parameters)
{
	int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
		      void *, void **, void **) =
		(int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
			 unsigned, void *, void **, void **))driver_function(symbol);

	check(symbol, launch(function(name), grid[0], grid[1], grid[2], block[0], block[1],
			     block[2], shared, stream, parameters, NULL));
}

static void set_grid(const char *value)
{
	sscanf(value, "%u,%u,%u:%u,%u,%u", &grid[0], &grid[1], &grid[2], &block[0], &block[1],
	       &block[2]);
}

/* The number of parameters of fill, copy and loop. */
static void set_argument(const char *value)
{
	argument = (uint32_t)atoi(value);
}

static void launch(const char *name)
{
	uint32_t count = WORDS;
	void *one[] = {&memory, &argument, &count}, *two[] = {&memory, &other, &count};

	if (!strcmp(name, "copy"))
		two[2] = &argument;
	start("cuLaunchKernel", name, !strcmp(name, "moving") ? 512 : 0,
	      !strcmp(name, "fill") || !strcmp(name, "loop")  ? one
	      : !strcmp(name, "add") || !strcmp(name, "copy") ? two
							      : NULL);
}

/* So many of `fill`, one every 300 us. */
static void launch_many(const char *count)
{
	for (long left = atol(count); left > 0; left--) {
		launch("fill");
		nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
	}
}

static void spin(const char *value)
{
	uint64_t cycles = strtoull(value, NULL, 10);
	void *parameters[] = {&memory, &cycles};

	start("cuLaunchKernel", "spin", 0, parameters);
}

static void launch_per_thread(const char *name)
{
	start("cuLaunchKernel_ptsz", name, 0, NULL);
}

static void cache(const char *value)
{
	CUDA(cuFuncSetCacheConfig, (void *, int), function("moving"), atoi(value));
}

static void to_device(const char *value)
{
	for (uint32_t i = 0; i < WORDS; i++)
		host[i] = i + 1;
	if (*value)
		CUDA(cuMemcpyHtoDAsync_v2, (uint64_t, const void *, size_t, void *), other, host,
		     BYTES, stream);
	else
		CUDA(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t), other, host, BYTES);
}

static void to_host(const char *value)
{
	(void)value;
	CUDA(cuMemcpyDtoH_v2, (void *, uint64_t, size_t), host, memory, BYTES);
	printf("host %u %u ... %u\n", host[0], host[1], host[WORDS - 1]);
}

static void within(const char *value)
{
	(void)value;
	CUDA(cuMemcpyDtoD_v2, (uint64_t, uint64_t, size_t), memory, other, BYTES);
}

static void pinned(const char *value)
{
	void *page = NULL;

	(void)value;
	CUDA(cuMemAllocHost_v2, (void **, size_t), &page, BYTES);
	CUDA(cuMemcpyHtoDAsync_v2, (uint64_t, const void *, size_t, void *), memory, page, BYTES,
	     stream);
	CUDA(cuMemFreeHost, (void *), page);
}

static void peer(const char *value)
{
	(void)value;
	CUDA(cuMemcpyPeer, (uint64_t, void *, uint64_t, void *, size_t), memory, contexts[0], other,
	     contexts[1], BYTES);
}

static void set(const char *value)
{
	CUDA(cuMemsetD32_v2, (uint64_t, unsigned, size_t), memory, (unsigned)atoi(value), WORDS);
}

static void synchronize(const char *value)
{
	(void)value;
	CUDA(cuCtxSynchronize, (void));
}

static void query(const char *value)
{
	(void)value;
	CUDA(cuStreamQuery, (void *), stream);
}

/* Two kernels and a memset, captured or by hand, launched once; with "keep" the graph stays, and
 * "again" launches it. */
static void graph(const char *value)
{
	static void *executable;
	void *made = NULL;

	if (!strcmp(value, "again")) {
		CUDA(cuGraphLaunch, (void *, void *), executable, stream);
		return;
	}
	CUDA(cuStreamBeginCapture_v2, (void *, int), stream, 0);
	launch("fill");
	launch("add");
	CUDA(cuMemsetD32Async, (uint64_t, unsigned, size_t, void *), other, 5, WORDS, stream);
	CUDA(cuStreamEndCapture, (void *, void **), stream, &made);
	CUDA(cuGraphInstantiateWithFlags, (void **, void *, unsigned long long), &executable, made,
	     0);
	CUDA(cuGraphLaunch, (void *, void *), executable, stream);
	if (!strcmp(value, "keep"))
		return;
	CUDA(cuGraphExecDestroy, (void *), executable);
	CUDA(cuGraphDestroy, (void *), made);
}

static void control(const char *value)
{
	if (!strcmp(value, "start"))
		CUDA(cuProfilerStart, (void));
	else if (!strcmp(value, "stop"))
		CUDA(cuProfilerStop, (void));
	else
		CUDA(cuProfilerInitialize, (const char *, const char *, int), "in", "out", 1);
}

static void record(const char *value)
{
	float milliseconds = 0;
	void *first = event;

	CUDA(cuEventCreate, (void **, unsigned), &event, 0);
	CUDA(cuEventRecord, (void *, void *), event, stream);
	if (!*value)
		return;
	CUDA(cuEventSynchronize, (void *), event);
	CUDA(cuEventElapsedTime, (float *, void *, void *), &milliseconds, first, event);
	printf("elapsed %.6f\n", (double)milliseconds);
}

static void occupancy(const char *value)
{
	int blocks = -1;

	CUDA(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, void *, int, size_t), &blocks,
	     function("moving"), atoi(value), (size_t)atoi(strchr(value, ',') + 1));
	printf("blocks %d\n", blocks);
}

static void global(const char *name)
{
	uint64_t address = 0;
	size_t size = 0;

	CUDA(cuModuleGetGlobal_v2, (uint64_t *, size_t *, void *, const char *), &address, &size,
	     module, name);
	printf("global %zu\n", size);
}

static void look_up(const char *name)
{
	void *found = NULL;
	int version = 12000;

	CUDA(cuGetProcAddress, (const char *, void **, int, uint64_t), name, &found, version, 0);
	printf("%s is %s\n", name,
	       found == driver_function("cuMemAlloc_v2") ? "cuMemAlloc_v2" : "another");
}

const struct step work_steps[] = {
	{"init", init},
	{"context", context},
	{"destroy", destroy},
	{"stream", make_stream},
	{"endstream", end_stream},
	{"streams", many_streams},
	{"nullstream", null_stream},
	{"load", load},
	{"unload", unload},
	{"grid", set_grid},
	{"argument", set_argument},
	{"launch", launch},
	{"launches", launch_many},
	{"launchperthread", launch_per_thread},
	{"spin", spin},
	{"cache", cache},
	{"htod", to_device},
	{"dtoh", to_host},
	{"dtod", within},
	{"pinned", pinned},
	{"peer", peer},
	{"memset", set},
	{"sync", synchronize},
	{"query", query},
	{"graph", graph},
	{"profiler", control},
	{"event", record},
	{"occupancy", occupancy},
	{"global", global},
	{"lookup", look_up},
	{NULL, NULL},
};

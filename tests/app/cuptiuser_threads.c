/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuptiuser.h"

/* Threads that perform everything at the same time. */

enum { MOST = 64, CONTEXTS = 4, ROUNDS = 50, WORDS = 64, BYTES = WORDS * 4 };

#define CUDA(name, types, ...) check(#name, ((int(*) types)driver_function(#name))(__VA_ARGS__))

static const char ptx[] = ".version 5.0\n"
			  ".visible .entry fill(.param .u64 data, .param .u32 value)\n"
			  "{ ret; }\n";

struct place {
	void *context;
	void *stream;
	void *module;
	void *function;
	uint64_t memory;
};

static void make(struct place *place)
{
	CUDA(cuCtxCreate_v2, (void **, unsigned, int), &place->context, 0, 0);
	CUDA(cuStreamCreate, (void **, unsigned), &place->stream, 0);
	CUDA(cuMemAlloc_v2, (uint64_t *, size_t), &place->memory, BYTES);
	CUDA(cuModuleLoadData, (void **, const void *), &place->module, ptx);
	CUDA(cuModuleGetFunction, (void **, void *, const char *), &place->function, place->module,
	     "fill");
}

static void use(const struct place *place, uint32_t value)
{
	uint64_t memory = place->memory;
	uint32_t count = WORDS, host[WORDS] = {0};
	void *parameters[] = {&memory, &value, &count};

	CUDA(cuCtxSetCurrent, (void *), place->context);
	CUDA(cuLaunchKernel,
	     (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
	      void **, void **),
	     place->function, 1, 1, 1, 32, 1, 1, 0, place->stream, parameters, NULL);
	CUDA(cuMemcpyDtoHAsync_v2, (void *, uint64_t, size_t, void *), host, memory, BYTES,
	     place->stream);
	CUDA(cuStreamSynchronize, (void *), place->stream);
	if (host[0] != value || host[WORDS - 1] != value)
		printf("%u and not %u\n", host[0], value);
}

static void *run(void *number)
{
	struct place places[CONTEXTS];

	for (int i = 0; i < CONTEXTS; i++)
		make(&places[i]);
	for (uint32_t round = 0; round < ROUNDS; round++)
		use(&places[round % CONTEXTS], (uint32_t)(uintptr_t)number * 1000 + round);
	for (int i = 0; i < CONTEXTS; i++) {
		CUDA(cuCtxSetCurrent, (void *), places[i].context);
		CUDA(cuModuleUnload, (void *), places[i].module);
		CUDA(cuMemFree_v2, (uint64_t), places[i].memory);
		CUDA(cuStreamDestroy_v2, (void *), places[i].stream);
		CUDA(cuCtxDestroy_v2, (void *), places[i].context);
	}
	return NULL;
}

void run_threads(const char *count)
{
	pthread_t threads[MOST];
	uintptr_t all = (uintptr_t)atoi(count);

	for (uintptr_t i = 0; i < all && i < MOST; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			abort();
	for (uintptr_t i = 0; i < all && i < MOST; i++)
		pthread_join(threads[i], NULL);
}

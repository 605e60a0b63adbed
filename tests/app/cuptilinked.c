/* SPDX-License-Identifier: MIT */
/*
 * Usage: cuptilinked [early] [subscribe]
 *
 * A program that is linked with the driver and with CUPTI, and profiles a part of itself as
 * libkineto does, on which torch.profiler is built: three memsets before, four in the profiled
 * part, and five after. With "early" the functions for buffers are registered before cuInit, with
 * "subscribe" there is a subscriber from the start, as in libkineto until 2026. It prints the
 * results of CUPTI's functions in their order, without repetitions, and the number of memset
 * records that it got.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/cupti.h"

enum { BYTES = 1 << 20, BEFORE = 3, WITHIN = 4, AFTER = 5 };

int cuInit(unsigned int flags);
int cuDeviceGet(cuda_device *device, int number);
int cuCtxCreate_v2(cuda_context *context, unsigned int flags, cuda_device device);
int cuCtxSynchronize(void);
int cuMemAlloc_v2(uint64_t *memory, size_t size);
int cuMemsetD32_v2(uint64_t memory, unsigned int value, size_t count);
int cuptiSubscribe(cupti_subscriber *subscriber, cupti_callback_function *called, void *user);
int cuptiActivityRegisterCallbacks(cupti_buffer_requested *requested,
				   cupti_buffer_completed *completed);
int cuptiActivityEnable(uint32_t kind);
int cuptiActivityDisable(uint32_t kind);
int cuptiActivityEnableDriverApi(uint32_t callback, uint8_t enable);
int cuptiActivityFlushAll(uint32_t flag);
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, struct cupti_record **record);

static int last = -1;
static unsigned memsets, out;

static void print_result(int result)
{
	if (result != last)
		printf("result %d\n", result);
	last = result;
}

static void called(void *user, uint32_t domain, uint32_t callback, const void *data)
{
	(void)user, (void)domain, (void)callback, (void)data;
}

static void requested(uint8_t **buffer, size_t *size, size_t *most)
{
	*buffer = aligned_alloc(8, BYTES);
	*size = BYTES;
	*most = 0;
	out++;
}

static void completed(cuda_context context, uint32_t stream, uint8_t *buffer, size_t size,
		      size_t valid)
{
	struct cupti_record *record = NULL;

	(void)context, (void)stream, (void)size;
	while (!cuptiActivityGetNextRecord(buffer, valid, &record))
		memsets += record->kind == CUPTI_KIND_MEMSET;
	out--; /* the buffer is kept, since it may be of another client */
}

static void fill(uint64_t memory, int times)
{
	for (int i = 0; i < times; i++)
		if (cuMemsetD32_v2(memory, 1, 1024))
			exit(EXIT_FAILURE);
	cuCtxSynchronize();
}

static void profile(uint64_t memory)
{
	static const uint32_t kinds[] = {CUPTI_KIND_MEMCPY, CUPTI_KIND_MEMSET,
					 CUPTI_KIND_CONCURRENT_KERNEL, CUPTI_KIND_RUNTIME,
					 CUPTI_KIND_DRIVER};
	enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

	print_result(cuptiActivityRegisterCallbacks(requested, completed));
	for (int i = 0; i < KINDS; i++)
		print_result(cuptiActivityEnable(kinds[i]));
	print_result(cuptiActivityEnableDriverApi(304, 0)); /* cuCtxGetCurrent */
	fill(memory, WITHIN);
	for (int i = 0; i < KINDS; i++)
		print_result(cuptiActivityDisable(kinds[i]));
	if (out)
		cuptiActivityFlushAll(CUPTI_FLUSH_FORCED);
}

int main(int argc, char **argv)
{
	cupti_subscriber subscriber;
	cuda_context context;
	cuda_device device;
	uint64_t memory;

	if (argc > 1 && !strcmp(argv[1], "early"))
		print_result(cuptiActivityRegisterCallbacks(requested, completed));
	if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate_v2(&context, 0, device) ||
	    cuMemAlloc_v2(&memory, 4096))
		return EXIT_FAILURE;
	if (argc > 1 && !strcmp(argv[1], "subscribe"))
		print_result(cuptiSubscribe(&subscriber, called, NULL));
	fill(memory, BEFORE);
	profile(memory);
	fill(memory, AFTER);
	printf("%u memsets\n", memsets);
	return EXIT_SUCCESS;
}

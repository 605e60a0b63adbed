/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cuptiuser.h"

/* Records, one a line. */

static void print_kernel(const void *record)
{
	const struct cupti_kernel *kernel = record;

	printf("kernel %s %" PRIu64 "-%" PRIu64 " grid %d,%d,%d block %d,%d,%d shared %d+%d"
	       " registers %u cache %u,%u device %u context %u stream %u correlation %u\n",
	       kernel->name, kernel->start, kernel->end, kernel->grid[0], kernel->grid[1],
	       kernel->grid[2], kernel->block[0], kernel->block[1], kernel->block[2],
	       kernel->static_shared, kernel->dynamic_shared, kernel->registers,
	       kernel->cache & 15u, kernel->cache >> 4u, kernel->device, kernel->context,
	       kernel->stream, kernel->correlation);
}

static void print_memcpy(const void *record)
{
	const struct cupti_memcpy *copy = record;

	printf("memcpy %u %u>%u flags %u bytes %" PRIu64 " %" PRIu64 "-%" PRIu64
	       " device %u context %u stream %u correlation %u\n",
	       copy->copy, copy->source, copy->target, copy->flags, copy->bytes, copy->start,
	       copy->end, copy->device, copy->context, copy->stream, copy->correlation);
}

static void print_peer(const void *record)
{
	const struct cupti_memcpy_peer *peer = record;

	printf("peer %u bytes %" PRIu64 " %" PRIu64 "-%" PRIu64
	       " device %u>%u context %u>%u correlation %u\n",
	       peer->copy, peer->bytes, peer->start, peer->end, peer->source_device,
	       peer->target_device, peer->source_context, peer->target_context, peer->correlation);
}

static void print_memset(const void *record)
{
	const struct cupti_memset *set = record;

	printf("memset %u memory %u flags %u bytes %" PRIu64 " %" PRIu64 "-%" PRIu64
	       " device %u context %u stream %u correlation %u\n",
	       set->value, set->memory, set->flags, set->bytes, set->start, set->end, set->device,
	       set->context, set->stream, set->correlation);
}

static void print_api(const void *record)
{
	const struct cupti_api *api = record;

	printf("%s %u %" PRIu64 "-%" PRIu64 " correlation %u result %u%s%s\n",
	       api->kind == CUPTI_KIND_DRIVER ? "driver" : "runtime", api->callback, api->start,
	       api->end, api->correlation, api->result,
	       api->process == (uint32_t)getpid() ? "" : " of another process",
	       api->thread == (uint32_t)gettid() ? " of this thread" : "");
}

static void print_context(const void *record)
{
	const struct cupti_context *context = record;

	printf("context %u device %u null stream %u\n", context->context, context->device,
	       context->null_stream);
}

void print_buffer(uint8_t *buffer, size_t valid)
{
	static const struct {
		uint32_t kind;
		void (*print)(const void *record);
	} kinds[] = {
		{CUPTI_KIND_MEMCPY, print_memcpy},   {CUPTI_KIND_MEMSET, print_memset},
		{CUPTI_KIND_KERNEL, print_kernel},   {CUPTI_KIND_CONCURRENT_KERNEL, print_kernel},
		{CUPTI_KIND_DRIVER, print_api},	     {CUPTI_KIND_RUNTIME, print_api},
		{CUPTI_KIND_CONTEXT, print_context}, {CUPTI_KIND_MEMCPY_PEER, print_peer},
	};
	int (*next)(uint8_t *, size_t, struct cupti_record **) =
		(int (*)(uint8_t *, size_t, struct cupti_record **))cupti_function(
			"cuptiActivityGetNextRecord");
	struct cupti_record *record = NULL;
	int result;

	while (!(result = next(buffer, valid, &record)))
		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
			if (kinds[i].kind == record->kind)
				kinds[i].print(record);
	if (result != CUPTI_MAX_LIMIT_REACHED)
		check("the buffer", result);
}

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuptiuser.h"

/* Prints records, one per line. */

static const char *last_name;

void print_last_name(const char *unused)
{
	char text[64] = "";
	ssize_t length;
	int ends[2];

	(void)unused;
	/* The kernel reads it, so an invalid address is not fatal. */
	if (pipe(ends))
		abort();
	length = write(ends[1], last_name, strlen("fill"));
	if (length > 0)
		length = read(ends[0], text, (size_t)length);
	puts(length > 0 ? text : "unreadable");
}

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

static struct kind {
	uint32_t number;
	void (*print)(const void *record);
	size_t count;
	size_t length;
} kinds[] = {
	/* clang-format off */
	{CUPTI_KIND_MEMCPY, print_memcpy, 0, 0},
	{CUPTI_KIND_MEMSET, print_memset, 0, 0},
	{CUPTI_KIND_KERNEL, print_kernel, 0, 0},
	{CUPTI_KIND_DRIVER, print_api, 0, 0},
	{CUPTI_KIND_RUNTIME, print_api, 0, 0},
	{CUPTI_KIND_CONTEXT, print_context, 0, 0},
	{CUPTI_KIND_CONCURRENT_KERNEL, print_kernel, 0, 0},
	{CUPTI_KIND_MEMCPY_PEER, print_peer, 0, 0},
	/* clang-format on */
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static struct kind *find_kind(uint32_t number)
{
	for (int i = 0; i < KINDS; i++)
		if (kinds[i].number == number)
			return &kinds[i];
	printf("there is no kind %u\n", number);
	exit(1);
}

void print_counts(const char *unused)
{
	(void)unused;
	for (int i = 0; i < KINDS; i++)
		if (__atomic_load_n(&kinds[i].count, __ATOMIC_RELAXED))
			printf("kind %u count %zu length %zu\n", kinds[i].number,
			       __atomic_load_n(&kinds[i].count, __ATOMIC_RELAXED),
			       __atomic_load_n(&kinds[i].length, __ATOMIC_RELAXED));
}

void print_buffer(uint8_t *buffer, size_t valid, unsigned most)
{
	int (*next)(uint8_t *, size_t, struct cupti_record **) =
		(int (*)(uint8_t *, size_t, struct cupti_record **))cupti_function(
			"cuptiActivityGetNextRecord");
	struct cupti_record *record = NULL;
	const uint8_t *before = NULL;
	struct kind *kind = NULL;
	int result;

	while (!(result = next(buffer, valid, &record))) {
		if (kind)
			__atomic_store_n(&kind->length, (size_t)((uint8_t *)record - before),
					 __ATOMIC_RELAXED);
		kind = find_kind(record->kind);
		if (kind->print == print_kernel)
			__atomic_store_n(&last_name, ((struct cupti_kernel *)record)->name,
					 __ATOMIC_RELAXED);
		before = (uint8_t *)record;
		__atomic_fetch_add(&kind->count, 1, __ATOMIC_RELAXED);
		if (most && most--)
			kind->print(record);
	}
	if (kind)
		__atomic_store_n(&kind->length, (size_t)(buffer + valid - before),
				 __ATOMIC_RELAXED);
	if (result != CUPTI_MAX_LIMIT_REACHED)
		check("the buffer", result);
}

/* SPDX-License-Identifier: MIT */
#include "backend/cuda/buffers.h"

#include <stdatomic.h>
#include <string.h>

#include "backend/cuda/contexts.h"
#include "backend/cuda/cupti_events.h"
#include "backend/cuda/fallback_buffer.h"
#include "backend/cuda/functions.h"
#include "base/memory.h"
#include "session/session.h"

/*
 * A buffer of BYTES holds about 5000 kernels. Buffers that wait for the writer are limited to HIGH
 * bytes and MOST buffers: a further one is discarded, and its work counts as lost. SPARE empty
 * buffers are kept.
 */
enum {
	BYTES = 1 << 20,
	HEAD = 64,
	HIGH = 1 << 28,
	MOST = 1 << 14,
	SPARE = 16,
	NAME_LENGTH = 1 << 20,
	KNOWN_BITS = 6,
	WAYS = 4,
};

/*
 * Marks: the upper half of a record's kind is its length in units of 8 bytes, and a name is its
 * number in the catalog. A length of 0 ends the buffer.
 */
enum { KIND_BITS = 16, KIND_MASK = (1 << KIND_BITS) - 1, UNIT = 8 };

struct buffer {
	struct buffer *next;
	size_t valid;
};

_Static_assert(sizeof(struct buffer) <= HEAD, "the records begin behind it");

static struct buffer *_Atomic back;  /* newest first */
static struct buffer *_Atomic spare; /* pushed by the reader, taken all at once */
static atomic_uint waiting, spares, out;
static atomic_size_t waiting_bytes;
static atomic_ullong lost, returned;

static uint8_t *bytes_of(struct buffer *buffer)
{
	return (uint8_t *)buffer + HEAD;
}

static void push(struct buffer *_Atomic *list, struct buffer *first, struct buffer *last)
{
	last->next = atomic_load(list);
	while (!atomic_compare_exchange_weak(list, &last->next, first))
		;
}

/* Taking one alone of a list that others push to and pop from is not safe. */
static struct buffer *take_spare(void)
{
	struct buffer *first = atomic_exchange(&spare, NULL), *last;

	if (!first || !first->next)
		return first;
	for (last = first->next; last->next; last = last->next)
		;
	push(&spare, first->next, last);
	return first;
}

static void keep(struct buffer *buffer)
{
	if (fallback_buffer_give(buffer))
		return;
	if (atomic_fetch_add(&spares, 1) < SPARE) {
		push(&spare, buffer, buffer);
		return;
	}
	atomic_fetch_sub(&spares, 1);
	memory_unmap(buffer, HEAD + BYTES);
}

void buffers_requested(uint8_t **bytes, size_t *size, size_t *max_records)
{
	struct buffer *buffer = take_spare();

	if (buffer)
		atomic_fetch_sub(&spares, 1);
	else
		buffer = memory_map(HEAD + BYTES);
	*size = buffer ? BYTES : POOR_SIZE - HEAD;
	if (!buffer)
		buffer = fallback_buffer_take();
	*bytes = bytes_of(buffer);
	*max_records = 0;
	atomic_fetch_add(&out, 1);
	session_expect();
}

static bool is_kernel(uint32_t kind)
{
	return kind == CUPTI_KIND_KERNEL || kind == CUPTI_KIND_CONCURRENT_KERNEL;
}

static bool is_device_work(uint32_t kind)
{
	return is_kernel(kind) || kind == CUPTI_KIND_MEMCPY || kind == CUPTI_KIND_MEMCPY_PEER ||
	       kind == CUPTI_KIND_MEMSET;
}

/* The end of a record is the start of the next; without a length it is the last one. */
static void mark_length(struct cupti_record *record, const void *end)
{
	size_t length = (size_t)((const uint8_t *)end - (const uint8_t *)record);

	record->kind = (record->kind & KIND_MASK) | (uint32_t)(length / UNIT) << KIND_BITS;
}

/* A cache of the names of a buffer's last kernels, by the address of CUPTI's text. A program has
 * few kernels, and one buffer has thousands of records. A look-up in the catalog costs two system
 * calls, so the cache must not map adjacent addresses to one entry. */
struct known_name {
	const char *text;
	uint32_t id;
};

static struct known_name *place_of(const char *text, struct known_name *known)
{
	uint64_t hash = (uint64_t)(uintptr_t)text * 0x9e3779b97f4a7c15u;

	known += (hash >> (64 - KNOWN_BITS)) * WAYS;
	for (int way = 0; way < WAYS; way++)
		if (known[way].text == text || !known[way].text)
			return &known[way];
	return &known[(hash >> 32) % WAYS];
}

static void mark_name(const char **name, struct known_name *known)
{
	const char *text = *name;

	known = place_of(text, known);
	if (known->text != text)
		*known = (struct known_name){
			.text = text,
			.id = session_name(text, strnlen(text, NAME_LENGTH)),
		};
	*name = (const char *)(uintptr_t)known->id;
}

/* Returns the place of the name in a record of this kind, or NULL. */
static const char **name_of(struct cupti_record *record)
{
	if (is_kernel(record->kind))
		return &((struct cupti_kernel *)record)->name;
	if (record->kind == CUPTI_KIND_MEMORY2)
		return &((struct cupti_operation *)record)->name;
	return record->kind == CUPTI_KIND_MEMORY ? &((struct cupti_allocation *)record)->name
						 : NULL;
}

/* Done now, since the stream numbers of all unread records depend on it. */
static void take_null_stream(const struct cupti_context *context)
{
	contexts_set_null_stream(context->context, context->null_stream);
}

/* Returns the number of device work records in it. */
static uint64_t mark(struct buffer *buffer)
{
	struct cupti_record *record = NULL, *previous = NULL;
	struct known_name known[WAYS << KNOWN_BITS] = {0};
	uint64_t work = 0;

	while (cupti.ActivityGetNextRecord(bytes_of(buffer), buffer->valid, &record) ==
	       CUPTI_DONE) {
		if (previous)
			mark_length(previous, record);
		work += is_device_work(record->kind);
		if (name_of(record) && *name_of(record))
			mark_name(name_of(record), known);
		else if (record->kind == CUPTI_KIND_CONTEXT)
			take_null_stream((const struct cupti_context *)record);
		previous = record;
	}
	if (previous)
		mark_length(previous, previous); /* CUPTI cannot read the rest of the buffer */
	else
		buffer->valid = 0;
	return work;
}

void buffers_lose(uint64_t count)
{
	atomic_fetch_add(&lost, count);
	session_lost(count);
}

/* Must not be called with a lock held: CUPTI takes its own. */
static void count_dropped(cuda_context context, uint32_t stream)
{
	size_t dropped = 0;

	if (!cupti.ActivityGetNumDroppedRecords(context, stream, &dropped) && dropped)
		buffers_lose(dropped);
}

void buffers_completed(cuda_context context, uint32_t stream, uint8_t *bytes, size_t size,
		       size_t valid)
{
	struct buffer *buffer;
	uint64_t work;

	(void)size;
	if (!bytes)
		return;
	buffer = (struct buffer *)(void *)(bytes - HEAD);
	buffer->valid = fallback_buffer_is_shared(buffer) ? 0 : valid;
	work = mark(buffer);
	if (!fallback_buffer_is(buffer) && atomic_load(&waiting) < MOST &&
	    atomic_load(&waiting_bytes) < HIGH) {
		atomic_fetch_add(&waiting, 1);
		atomic_fetch_add(&waiting_bytes, buffer->valid);
		push(&back, buffer, buffer);
	} else {
		buffers_lose(work);
		keep(buffer);
	}
	atomic_fetch_sub(&out, 1);
	atomic_fetch_add(&returned, 1);
	count_dropped(context, stream);
	session_nudge();
}

uint64_t buffers_lost(void)
{
	return atomic_exchange(&lost, 0);
}

uint32_t buffers_waiting(void)
{
	return atomic_load(&waiting);
}

bool buffers_are_out(void)
{
	return atomic_load(&out) > 0;
}

/* The count is too low if a buffer is returned meanwhile. */
uint64_t buffers_requested_until_now(void)
{
	uint64_t before = atomic_load(&returned);

	return before + atomic_load(&out);
}

uint64_t buffers_returned(void)
{
	return atomic_load(&returned);
}

static void read_one(struct buffer *buffer,
		     void (*read)(const struct cupti_record *record, uint32_t name))
{
	uint8_t *at = bytes_of(buffer), *end = at + buffer->valid;

	while (at < end) {
		struct cupti_record *record = (struct cupti_record *)(void *)at;
		size_t length = (size_t)(record->kind >> KIND_BITS) * UNIT;
		uintptr_t name = 0;

		record->kind &= KIND_MASK;
		if (is_kernel(record->kind))
			memcpy(&name, &((struct cupti_kernel *)record)->name, sizeof(name));
		read(record, (uint32_t)name);
		if (!length)
			return;
		at += length;
	}
}

/* The returned buffers in order of return; only the reader uses it. */
static struct buffer *due;

static void take_back(void)
{
	struct buffer *buffer = atomic_exchange(&back, NULL), *next;

	for (; buffer; buffer = next) {
		next = buffer->next;
		buffer->next = due;
		due = buffer;
	}
}

bool buffers_read(void (*read)(const struct cupti_record *record, uint32_t name))
{
	struct buffer *buffer;

	if (!due)
		take_back();
	buffer = due;
	if (!buffer)
		return false;
	due = buffer->next;
	read_one(buffer, read);
	atomic_fetch_sub(&waiting, 1);
	atomic_fetch_sub(&waiting_bytes, buffer->valid);
	keep(buffer);
	return true;
}

/* SPDX-License-Identifier: MIT */
#include "backend/cuda/buffers.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "backend/cuda/contexts.h"
#include "backend/cuda/cupti_events.h"
#include "backend/cuda/fallback_buffer.h"
#include "backend/cuda/functions.h"
#include "base/memory.h"
#include "session/session.h"

/*
 * A buffer has WHOLE bytes, and holds about 500 launches. CUPTI returns no buffer with an
 * unfinished command, so a killed process loses up to one of each thread. Buffers that wait for the
 * writer are limited to HIGH bytes and MOST buffers: a further one is discarded, and its work
 * counts as lost. READY to SPARE empty buffers are kept. CUPTI clears each in the thread that needs
 * it: that takes some microseconds if the pages are there, and ten times as much if they are not.
 *
 * CUPTI's attribute ZEROED_OUT_ACTIVITY_BUFFER, with which the client clears buffers, is not set.
 * It applies to the buffers of a profiler in the program (PyTorch's Kineto) as well, which are not
 * clear.
 */
enum {
	WHOLE = 1 << 17,
	HEAD = 64,
	BYTES = WHOLE - HEAD,
	HIGH = 1 << 28,
	MOST = 1 << 14,
	READY = 4,
	SPARE = 128,
	PAGE = 4096,
	NAME_LENGTH = 1 << 20,
	KNOWN_BITS = 4,
	WAYS = 4,
	RECENT = 1 << 8,
};

/*
 * Marks: the upper half of a record's kind is its length in units of 8 bytes, and a name is its
 * number in the catalog. A length of 0 ends the buffer.
 */
enum { KIND_BITS = 16, KIND_MASK = (1 << KIND_BITS) - 1, UNIT = 8 };

/*
 * Another client of CUPTI may get a buffer of this library (takeover.h) and pass its records to
 * free(), as NVIDIA's samples do with all buffers. So the two words before the records are those
 * that glibc's malloc has before a block that it has mapped: free() unmaps the whole buffer.
 * malloc itself is not used: the writer would need an arena (64 MB of addresses), and would wait
 * for a lock if the program has ended inside of malloc.
 */
struct buffer {
	struct buffer *next;
	size_t valid;
	struct place *place; /* NULL: none */
	size_t unused[3];
	size_t chunk_offset; /* from the start of the mapping to here */
	size_t chunk_size;
};

enum { CHUNK_IS_MAPPED = 2, CHUNK_OFFSET = offsetof(struct buffer, chunk_offset) };

_Static_assert(sizeof(struct buffer) == HEAD, "the records begin behind it");

static struct buffer *_Atomic back;  /* newest first */
static struct buffer *_Atomic spare; /* pushed by the reader, taken all at once */
static atomic_uint waiting, spares, out;
static atomic_size_t waiting_bytes;
static atomic_ullong lost, returned;

/* The buffers that CUPTI holds; those for which no place is found are missing. Those that another
 * client has freed stay here. */
enum { PLACES = 1 << 10, TRIES = 16 };
static struct place {
	struct buffer *_Atomic buffer;
	atomic_uint generation;
} held[PLACES];
static atomic_uint generation;

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
	struct buffer *first = atomic_exchange(&spare, NULL), *none = NULL, *last;

	if (!first || !first->next || atomic_compare_exchange_strong(&spare, &none, first->next))
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
	atomic_fetch_add(&spares, 1);
	push(&spare, buffer, buffer);
}

/* Returns NULL if there is none. */
static struct buffer *reuse(void)
{
	struct buffer *buffer = take_spare();

	if (buffer)
		atomic_fetch_sub(&spares, 1);
	return buffer;
}

static void touch(struct buffer *buffer)
{
	for (size_t at = 0; at < WHOLE; at += PAGE)
		((volatile uint8_t *)buffer)[at] = 0;
}

/* Returns NULL without memory. */
static struct buffer *new_buffer(void)
{
	struct buffer *buffer = memory_map(WHOLE);

	if (buffer) {
		buffer->chunk_offset = CHUNK_OFFSET;
		buffer->chunk_size = (WHOLE - CHUNK_OFFSET) | CHUNK_IS_MAPPED;
	}
	return buffer;
}

void buffers_prepare(void)
{
	struct buffer *buffer;

	while (atomic_load(&spares) < READY && (buffer = new_buffer())) {
		touch(buffer);
		keep(buffer);
	}
}

static void release_surplus(void)
{
	struct buffer *buffer;

	while (atomic_load(&spares) > SPARE && (buffer = reuse()))
		memory_unmap(buffer, WHOLE);
}

static void note_held(struct buffer *buffer)
{
	size_t first = (uintptr_t)buffer / WHOLE;

	buffer->place = NULL;
	for (size_t i = 0; i < TRIES && !buffer->place; i++) {
		struct place *place = &held[(first + i) % PLACES];
		struct buffer *none = NULL;

		if (!atomic_compare_exchange_strong(&place->buffer, &none, buffer))
			continue;
		atomic_store(&place->generation, atomic_load(&generation));
		buffer->place = place;
	}
}

static void note_returned(struct buffer *buffer)
{
	if (buffer->place)
		atomic_store(&buffer->place->buffer, NULL);
}

/* A buffer begins with the kind of its first record, which is never 0. CUPTI may be writing it, and
 * another client may have freed it. */
__attribute__((no_sanitize("thread"))) static bool has_records(struct buffer *buffer)
{
	uint32_t kind = 0;

	if (memory_read_word(bytes_of(buffer), &kind) == 1)
		kind = *(volatile uint32_t *)(void *)bytes_of(buffer);
	return kind != 0;
}

void buffers_begin_generation(void)
{
	atomic_fetch_add(&generation, 1);
}

bool buffers_hold_records(void)
{
	unsigned now = atomic_load(&generation);

	for (int i = 0; i < PLACES; i++) {
		struct buffer *buffer = atomic_load(&held[i].buffer);

		if (buffer && atomic_load(&held[i].generation) != now && has_records(buffer))
			return true;
	}
	return false;
}

void buffers_requested(uint8_t **bytes, size_t *size, size_t *max_records)
{
	struct buffer *buffer = reuse();

	if (!buffer)
		buffer = new_buffer();
	*size = buffer ? BYTES : POOR_SIZE - HEAD;
	if (buffer) {
		memset(bytes_of(buffer), 0, sizeof(struct cupti_record));
		note_held(buffer);
	} else {
		buffer = fallback_buffer_take();
	}
	*bytes = bytes_of(buffer);
	*max_records = 0;
	atomic_fetch_add(&out, 1);
	session_expect();
}

static bool is_kernel(uint32_t kind)
{
	return kind == CUPTI_KIND_KERNEL || kind == CUPTI_KIND_CONCURRENT_KERNEL;
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

static uint64_t hash_of(const char *text)
{
	return (uint64_t)(uintptr_t)text * 0x9e3779b97f4a7c15u;
}

static struct known_name *place_of(const char *text, struct known_name *known)
{
	uint64_t hash = hash_of(text);

	known += (hash >> (64 - KNOWN_BITS)) * WAYS;
	for (int way = 0; way < WAYS; way++)
		if (known[way].text == text || !known[way].text)
			return &known[way];
	return &known[(hash >> 32) % WAYS];
}

/* The address may have another text than in the buffer before, so the texts are compared. */
static uint32_t name_id(const char *text)
{
	static atomic_uint recent[RECENT];
	atomic_uint *place = &recent[hash_of(text) >> 56];
	uint32_t id = atomic_load_explicit(place, memory_order_relaxed);
	const char *known = id ? session_name_text(id) : NULL;

	if (known && !strcmp(known, text))
		return id;
	id = session_name(text, strnlen(text, NAME_LENGTH));
	atomic_store_explicit(place, id, memory_order_relaxed);
	return id;
}

static void mark_name(const char **name, struct known_name *known)
{
	const char *text = *name;

	if (!text)
		return;
	known = place_of(text, known);
	if (known->text != text)
		*known = (struct known_name){.text = text, .id = name_id(text)};
	*name = (const char *)(uintptr_t)known->id;
}

/* Done now, since the stream numbers of all unread records depend on it. */
static void take_null_stream(const struct cupti_context *context)
{
	contexts_set_null_stream(context->context, context->null_stream);
}

/* Marks a record's name, if it has one. Returns true for device work. */
static bool mark_record(struct cupti_record *record, struct known_name *known)
{
	switch (record->kind) {
	case CUPTI_KIND_KERNEL:
	case CUPTI_KIND_CONCURRENT_KERNEL:
		mark_name(&((struct cupti_kernel *)record)->name, known);
		return true;
	case CUPTI_KIND_MEMCPY:
	case CUPTI_KIND_MEMCPY_PEER:
	case CUPTI_KIND_MEMSET:
		return true;
	case CUPTI_KIND_MEMORY2:
		mark_name(&((struct cupti_operation *)record)->name, known);
		return false;
	case CUPTI_KIND_MEMORY:
		mark_name(&((struct cupti_allocation *)record)->name, known);
		return false;
	case CUPTI_KIND_CONTEXT:
		take_null_stream((const struct cupti_context *)record);
		return false;
	default:
		return false;
	}
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
		work += mark_record(record, known);
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

void buffers_count_dropped(cuda_context context, uint32_t stream)
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
	if (!fallback_buffer_is(buffer))
		note_returned(buffer);
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
	buffers_count_dropped(context, stream);
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
	release_surplus();
	return true;
}

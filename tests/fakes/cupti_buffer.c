/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cupti_fake.h"

/*
 * The client's buffers. CUPTI holds its lock while it requests a buffer from the client or returns
 * one, like the real one: a client must not call CUPTI with a lock that it takes there.
 */
static pthread_mutex_t lock;
static struct slot {
	struct buffer *buffer; /* being filled; NULL: none */
	struct slot *next;
} device_records, api_records, context_records, *thread_records;
static __thread struct slot *this_thread;
static struct buffer *held, **held_end = &held; /* until a forced flush */
static struct buffer *full; /* with incomplete records */

/* The functions of the client that has registered last. The real libcupti stores them in its data,
 * in this order; with the word `hiddenpair`, in other memory. */
static struct pair {
	cupti_buffer_requested *requested;
	cupti_buffer_completed *completed;
} in_data, *registered = &in_data;

static void make_lock(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attributes);
}

void buffers_lock(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_lock);
	pthread_mutex_lock(&lock);
}

void buffers_unlock(const int *unused)
{
	(void)unused;
	pthread_mutex_unlock(&lock);
}

void buffers_register(cupti_buffer_requested *request, cupti_buffer_completed *complete)
{
	BUFFERS_LOCKED();

	if (script.hiddenpair && registered == &in_data)
		registered = malloc(sizeof(*registered));
	if (!registered)
		abort();
	registered->requested = request;
	/* A thread of CUPTI that returns a buffer has no lock. */
	__atomic_store_n(&registered->completed, complete, __ATOMIC_RELEASE);
}

bool buffers_registered(void)
{
	BUFFERS_LOCKED();

	return registered->requested && registered->completed;
}

static struct {
	unsigned requests;
	size_t largest; /* bytes */
	long faults;
} counts;

__attribute__((destructor)) static void tell_counts(void)
{
	if (script.countbuffers)
		fprintf(stderr, "buffers: %u of %zu bytes, %ld page faults\n", counts.requests,
			counts.largest, counts.faults);
}

static long page_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

static bool is_clear(const struct buffer *buffer)
{
	return !buffer->bytes[0] && !memcmp(buffer->bytes, buffer->bytes + 1, buffer->size - 1);
}

static void clear(struct buffer *buffer)
{
	long before = page_faults();

	if (!activity_attribute(ZEROED_OUT_ACTIVITY_BUFFER))
		memset(buffer->bytes, 0, buffer->size);
	else if (!is_clear(buffer))
		complain("the client's buffer is not clear");
	counts.requests++;
	counts.faults += page_faults() - before;
	counts.largest = buffer->size > counts.largest ? buffer->size : counts.largest;
}

struct buffer *buffer_request(void)
{
	const char *before = cupti_forbidden;
	struct buffer *buffer = calloc(1, sizeof(*buffer));

	if (!buffer)
		abort();
	cupti_forbidden = "the callback that is asked for a buffer";
	registered->requested(&buffer->bytes, &buffer->size, &buffer->most);
	cupti_forbidden = before;
	if (!buffer->bytes)
		complain("the client has no buffer");
	if ((uintptr_t)buffer->bytes % CUPTI_BUFFER_ALIGNMENT)
		complain("the client's buffer is not aligned");
	if (buffer->size < RECORD_SIZE)
		complain("the client's buffer has only %zu bytes", buffer->size);
	clear(buffer);
	if (script.small > 0 && (!buffer->most || buffer->most > (size_t)script.small))
		buffer->most = (size_t)script.small;
	return buffer;
}

void buffer_complete(struct buffer *buffer)
{
	cupti_buffer_completed *completed =
		__atomic_load_n(&registered->completed, __ATOMIC_ACQUIRE);
	const char *before = cupti_forbidden;

	cupti_forbidden = "the callback that gets a buffer";
	completed(NULL, 0, buffer->bytes, buffer->size, buffer->used);
	cupti_forbidden = before;
	free(buffer);
}

static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Shuffles the records. */
static void shuffle(struct buffer *buffer)
{
	static uint64_t state;
	uint8_t *copy = malloc(buffer->used + 1);
	size_t *starts = calloc(buffer->records + 1, sizeof(*starts));
	size_t at = 0;

	if (!copy || !starts)
		abort();
	state = state ? state : (uint64_t)script.shuffle;
	memcpy(copy, buffer->bytes, buffer->used);
	for (size_t i = 0; i < buffer->records; i++) {
		size_t other = next_random(&state) % (i + 1);

		starts[i] = starts[other];
		starts[other] = at;
		at += record_size(((struct cupti_record *)(void *)(copy + at))->kind);
	}
	at = 0;
	for (size_t i = 0; i < buffer->records; i++) {
		uint8_t *record = copy + starts[i];
		size_t size = record_size(((struct cupti_record *)(void *)record)->kind);

		memcpy(buffer->bytes + at, record, size);
		at += size;
	}
	free(starts);
	free(copy);
}

static void deliver(struct buffer *buffer)
{
	if (script.shuffle)
		shuffle(buffer);
	dump_buffer(buffer);
	if (script.foreign)
		thread_hand_over(buffer);
	else
		buffer_complete(buffer);
}

void buffer_hand_over(struct buffer *buffer)
{
	if (buffer->incomplete) {
		buffer->next = full;
		full = buffer;
		return;
	}
	if (!script.hold) {
		deliver(buffer);
		return;
	}
	*held_end = buffer;
	held_end = &buffer->next;
}

static void retire(struct slot *slot)
{
	struct buffer *buffer = slot->buffer;

	slot->buffer = NULL;
	if (buffer)
		buffer_hand_over(buffer);
}

/* Slots stay when their threads end. */
static struct slot *slot_of_thread(void)
{
	if (this_thread)
		return this_thread;
	this_thread = calloc(1, sizeof(*this_thread));
	if (!this_thread)
		abort();
	this_thread->next = thread_records;
	thread_records = this_thread;
	return this_thread;
}

static struct slot *find_slot(enum buffer_kind kind)
{
	if (kind == BUFFER_CONTEXT && script.contextlate)
		return &context_records;
	if (script.withhold)
		return slot_of_thread();
	if (kind == BUFFER_DEVICE && (script.split || script.kernelfirst || script.perthread))
		return &device_records;
	return script.perthread ? slot_of_thread() : &api_records;
}

struct buffer *buffer_write(enum buffer_kind kind, const uint8_t *record, size_t size)
{
	struct slot *slot = find_slot(kind);
	struct buffer *buffer = slot->buffer;

	if (!registered->requested || !registered->completed)
		return NULL;
	if (buffer && (buffer->size - buffer->used < size ||
		       (buffer->most && buffer->records >= buffer->most)))
		retire(slot);
	if (!slot->buffer)
		slot->buffer = buffer_request();
	buffer = slot->buffer;
	memcpy(buffer->bytes + buffer->used, record, size);
	buffer->used += size;
	buffer->records++;
	return buffer;
}

static void flush(struct slot *slot, bool forced)
{
	struct buffer *buffer = slot->buffer;

	if (!buffer || ((!buffer->used || buffer->incomplete) && !forced))
		return;
	slot->buffer = NULL;
	deliver(buffer);
}

void buffers_flush_full(void)
{
	for (struct buffer **at = &full; *at;) {
		struct buffer *buffer = *at;

		if (buffer->incomplete) {
			at = &buffer->next;
			continue;
		}
		*at = buffer->next;
		buffer_hand_over(buffer);
	}
}

void buffers_flush(bool forced)
{
	buffers_flush_full();
	if (script.hold && !forced)
		return;
	while (held) {
		struct buffer *buffer = held;

		held = buffer->next;
		deliver(buffer);
	}
	held_end = &held;
	if (script.kernelfirst)
		flush(&device_records, forced);
	flush(&api_records, forced);
	for (struct slot *slot = thread_records; slot; slot = slot->next)
		flush(slot, forced);
	flush(&device_records, forced);
	if (forced)
		flush(&context_records, forced);
}

static void forget_in(const struct buffer *buffer, const char *from, const char *to)
{
	for (size_t at = 0; buffer && at < buffer->used;) {
		struct cupti_kernel *kernel = (void *)(buffer->bytes + at);

		at += record_size(kernel->kind);
		if (kernel->kind != CUPTI_KIND_KERNEL &&
		    kernel->kind != CUPTI_KIND_CONCURRENT_KERNEL)
			continue;
		if (kernel->name >= from && kernel->name < to)
			kernel->name = "garbage";
	}
}

void buffers_forget(const char *from, const char *to)
{
	forget_in(device_records.buffer, from, to);
	forget_in(api_records.buffer, from, to);
	for (const struct slot *slot = thread_records; slot; slot = slot->next)
		forget_in(slot->buffer, from, to);
	for (const struct buffer *buffer = full; buffer; buffer = buffer->next)
		forget_in(buffer, from, to);
	for (const struct buffer *buffer = held; buffer; buffer = buffer->next)
		forget_in(buffer, from, to);
}

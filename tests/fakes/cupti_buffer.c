/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cupti_fake.h"

/*
 * The client's buffers. CUPTI has its lock while it calls the client for one or with one, as the
 * real one does: a client must not call CUPTI with a lock that it takes there.
 */
static pthread_mutex_t lock;
static struct buffer *current[BUFFERS];
static struct buffer *held, **held_end = &held; /* until a forced flush */
static cupti_buffer_requested *requested;
static cupti_buffer_completed *completed;

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

	requested = request;
	completed = complete;
}

bool buffers_registered(void)
{
	BUFFERS_LOCKED();

	return requested && completed;
}

struct buffer *buffer_request(void)
{
	const char *before = cupti_forbidden;
	struct buffer *buffer = calloc(1, sizeof(*buffer));

	if (!buffer)
		abort();
	cupti_forbidden = "the callback that is asked for a buffer";
	requested(&buffer->bytes, &buffer->size, &buffer->most);
	cupti_forbidden = before;
	if (!buffer->bytes)
		complain("the client has no buffer");
	if ((uintptr_t)buffer->bytes % CUPTI_BUFFER_ALIGNMENT)
		complain("the client's buffer is not aligned");
	if (buffer->size < RECORD_SIZE)
		complain("the client's buffer has only %zu bytes", buffer->size);
	if (script.small > 0 && (!buffer->most || buffer->most > (size_t)script.small))
		buffer->most = (size_t)script.small;
	return buffer;
}

void buffer_complete(struct buffer *buffer)
{
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

/* The records in another order. */
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
	if (!script.hold) {
		deliver(buffer);
		return;
	}
	*held_end = buffer;
	held_end = &buffer->next;
}

static void retire(enum buffer_kind kind)
{
	struct buffer *buffer = current[kind];

	current[kind] = NULL;
	if (buffer)
		buffer_hand_over(buffer);
}

void buffer_write(enum buffer_kind kind, const uint8_t *record, size_t size)
{
	struct buffer *buffer;

	if (!requested || !completed)
		return;
	if (!script.split && !script.kernelfirst)
		kind = BUFFER_API;
	buffer = current[kind];
	if (buffer && (buffer->size - buffer->used < size ||
		       (buffer->most && buffer->records >= buffer->most)))
		retire(kind);
	if (!current[kind])
		current[kind] = buffer_request();
	buffer = current[kind];
	memcpy(buffer->bytes + buffer->used, record, size);
	buffer->used += size;
	buffer->records++;
}

void buffers_flush(bool forced)
{
	enum buffer_kind first = script.kernelfirst ? BUFFER_DEVICE : BUFFER_API;

	if (script.hold && !forced)
		return;
	while (held) {
		struct buffer *buffer = held;

		held = buffer->next;
		deliver(buffer);
	}
	held_end = &held;
	for (int i = 0; i < BUFFERS; i++) {
		struct buffer *buffer = current[(first + i) % BUFFERS];

		if (!buffer || (!buffer->used && !forced))
			continue;
		current[(first + i) % BUFFERS] = NULL;
		deliver(buffer);
	}
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
	for (int i = 0; i < BUFFERS; i++)
		forget_in(current[i], from, to);
	for (const struct buffer *buffer = held; buffer; buffer = buffer->next)
		forget_in(buffer, from, to);
}

/* SPDX-License-Identifier: MIT */
#include "session/pending.h"

#include <string.h>

#include "base/memory.h"
#include "model/event.h"

/* The number of consecutive running commands of a stream that are queried: in an in-order queue no
 * command after a running one has ended. In an out-of-order queue one may have, so the next time
 * the following commands are also queried, as many at a time. */
enum { PATIENCE = 64 };

int pending_init(struct pending *pending)
{
	pending->pools[PENDING_PLAIN].stride = sizeof(struct record);
	pending->pools[PENDING_EVENTS].stride = sizeof(union event);
	for (int kind = 0; kind < PENDING_KINDS; kind++) {
		pending->links[kind] = memory_map((PENDING_MAX + 1) * sizeof(struct pending_link));
		if (!pending->links[kind])
			return -1;
	}
	return 0;
}

void pending_free(struct pending *pending)
{
	for (int kind = 0; kind < PENDING_KINDS; kind++)
		memory_unmap(pending->links[kind], (PENDING_MAX + 1) * sizeof(struct pending_link));
}

static void insert_after(struct pending_link *links, struct pending_list *list, uint32_t place,
			 uint32_t index)
{
	uint32_t next = place ? links[place].next : list->first;

	links[index] = (struct pending_link){.next = next, .previous = place};
	*(place ? &links[place].next : &list->first) = index;
	*(next ? &links[next].previous : &list->last) = index;
}

static void take_out(struct pending_link *links, struct pending_list *list, uint32_t index)
{
	uint32_t next = links[index].next;
	uint32_t previous = links[index].previous;

	*(previous ? &links[previous].next : &list->first) = next;
	*(next ? &links[next].previous : &list->last) = previous;
}

/* A chunk uses as many of its PENDING_CHUNK indexes as it has places. */
static uint32_t places_of(uint32_t stride)
{
	uint32_t places = (uint32_t)((RINGFILE_SEGMENT - sizeof(struct segment)) / stride);

	return places < PENDING_CHUNK ? places : PENDING_CHUNK;
}

static int add_chunk(struct pending *pending, struct ringfile *ringfile, struct pending_pool *pool)
{
	uint32_t places = places_of(pool->stride);
	uint32_t first = pending->chunk_count * PENDING_CHUNK + 1;
	uint64_t size;
	struct segment *segment;

	if (first > PENDING_MAX)
		return -1;
	size = sizeof(*segment) + (uint64_t)places * pool->stride;
	segment = ringfile_segment(ringfile, SEGMENT_PENDING, size);
	if (!segment)
		return -1;
	segment->stride = pool->stride;
	pending->chunks[pending->chunk_count++] = (struct pending_chunk){
		.places = (char *)(segment + 1),
		.stride = pool->stride,
		.pool = (uint32_t)(pool - pending->pools),
	};
	pool->next = first;
	pool->end = first + places < PENDING_MAX + 1 ? first + places : PENDING_MAX + 1;
	return 0;
}

/* Doubles the space for blocks each time. Places that are too small are no longer used. */
static uint32_t stride_for(uint32_t size)
{
	uint32_t blocks = 32;

	while (sizeof(struct record) + blocks < size)
		blocks *= 2;
	return (uint32_t)sizeof(struct record) + blocks;
}

static uint32_t take_free(struct pending *pending, struct ringfile *ringfile,
			  struct pending_pool *pool, uint32_t size)
{
	struct pending_pool *plain = &pending->pools[PENDING_PLAIN];
	uint32_t index;

	if (pool->stride < size)
		*pool = (struct pending_pool){.stride = stride_for(size)};
	/* Leaves chunks for other records. */
	if (!plain->end && pool != plain && add_chunk(pending, ringfile, plain))
		return 0;
	index = pool->free;
	if (index) {
		pool->free = pending->links[PENDING_ORDER][index].next;
		return index;
	}
	if (pool->next == pool->end && add_chunk(pending, ringfile, pool))
		return 0;
	return pool->next++;
}

/* The list of running commands that it is in. */
static uint32_t stream_of(const struct record *record)
{
	uint64_t stream = (uint64_t)record->context << 32 | record->stream;

	/* The queues of many contexts may all be number 1. */
	return (uint32_t)((stream * 0x9e3779b97f4a7c15u) >> (64 - PENDING_STREAM_BITS));
}

static void set_busy(struct pending *pending, uint32_t stream, bool busy)
{
	uint64_t bit = UINT64_C(1) << stream % 64, *word = &pending->busy[stream / 64];

	*word = busy ? *word | bit : *word & ~bit;
}

/* Recovery uses a place if its size is set, which is written last. Nothing is copied through the
 * stack: reading recently written data in other portions waits for all earlier writes. */
static void copy_all_but_size(struct record *to, const struct record *from)
{
	enum { REST = offsetof(struct record, frame.correlation),
	       HALF = (sizeof(struct record) - REST) / 2 };

	to->frame.kind = from->frame.kind;
	to->frame.flags = from->frame.flags;
	memcpy((char *)to + REST, (const char *)from + REST, HALF);
	memcpy((char *)to + REST + HALF, (const char *)from + REST + HALF, HALF);
}

uint32_t pending_add(struct pending *pending, struct ringfile *ringfile,
		     const struct record *record)
{
	uint32_t size = record->frame.size;
	struct pending_pool *pools = pending->pools;
	uint32_t index = take_free(pending, ringfile, &pools[size > sizeof(*record)], size);
	struct record *to;

	if (!index && size > sizeof(*to) && !pools[PENDING_COUNTED].end) {
		size = sizeof(*to);
		index = take_free(pending, ringfile, &pools[PENDING_PLAIN], size);
	}
	if (!index)
		return 0;
	to = pending_record(pending, index);
	copy_all_but_size(to, record);
	if (size > sizeof(*to))
		memcpy(to + 1, record + 1, size - sizeof(*to));
	__atomic_store_n(&to->frame.size, size, __ATOMIC_RELEASE);
	pending->used++;
	if (record->handle) {
		uint32_t stream = stream_of(record);
		struct pending_list *list = &pending->running[stream];

		insert_after(pending->links[PENDING_RUNNING], list, list->last, index);
		set_busy(pending, stream, true);
		pending->in_flight++;
	}
	return index;
}

uint32_t pending_add_event(struct pending *pending, struct ringfile *ringfile,
			   const struct frame *event)
{
	struct pending_pool *pool = &pending->pools[PENDING_EVENTS];
	uint32_t index = pool->free;
	struct frame *to;

	if (index)
		pool->free = pending->links[PENDING_ORDER][index].next;
	else
		index = take_free(pending, ringfile, pool, event->size);
	if (!index)
		return 0;
	to = &pending_record(pending, index)->frame;
	to->kind = event->kind;
	to->flags = event->flags;
	if (event->size == sizeof(struct call)) /* the usual one; a constant for the compiler */
		memcpy(&to->correlation, &event->correlation,
		       sizeof(struct call) - offsetof(struct frame, correlation));
	else
		memcpy(&to->correlation, &event->correlation,
		       event->size - offsetof(struct frame, correlation));
	__atomic_store_n(&to->size, event->size, __ATOMIC_RELEASE);
	pending->used++;
	return index;
}

void pending_remove(struct pending *pending, uint32_t index)
{
	const struct pending_chunk *chunk = &pending->chunks[(index - 1) / PENDING_CHUNK];
	struct pending_pool *pool = &pending->pools[chunk->pool];

	__atomic_store_n(&pending_record(pending, index)->frame.size, 0, __ATOMIC_RELEASE);
	pending->used--;
	if (chunk->stride != pool->stride)
		return;
	pending->links[PENDING_ORDER][index].next = pool->free;
	pool->free = index;
}

/* The list becomes the start of the chain of free places. */
void pending_remove_events(struct pending *pending, uint32_t first)
{
	struct pending_link *links = pending->links[PENDING_ORDER];
	struct pending_pool *pool = &pending->pools[PENDING_EVENTS];
	uint32_t index = first;

	for (;;) {
		__atomic_store_n(&pending_record(pending, index)->frame.size, 0, __ATOMIC_RELEASE);
		pending->used--;
		if (!links[index].next)
			break;
		index = links[index].next;
	}
	links[index].next = pool->free;
	pool->free = first;
}

void pending_each(struct pending *pending, void (*visit)(void *argument, struct frame *frame),
		  void *argument)
{
	for (uint32_t i = 0; i < pending->chunk_count; i++) {
		const struct pending_chunk *chunk = &pending->chunks[i];
		uint32_t places = places_of(chunk->stride);

		for (uint32_t j = 0; j < places; j++) {
			struct frame *frame = (void *)(chunk->places + (uint64_t)j * chunk->stride);

			if (frame->size)
				visit(argument, frame);
		}
	}
}

/* Returns the record after which it belongs, 0 if before all. Most belong at the end. Whole runs of
 * records may come late (from another thread's buffer): each of these belongs near the one before
 * it. So the search starts at both places at once, and ends when the nearer one succeeds. */
static uint32_t find_place(const struct pending *pending, const struct pending_list *order,
			   const struct record *record)
{
	const struct pending_link *links = pending->links[PENDING_ORDER];
	uint32_t back = order->last, near = order->recent;

	while (back && launched_before(record, pending_record(pending, back))) {
		back = links[back].previous;
		if (near && launched_before(record, pending_record(pending, near))) {
			near = links[near].previous;
			if (!near)
				return 0;
		} else if (near) {
			uint32_t next = links[near].next; /* it belongs after the last one */

			if (launched_before(record, pending_record(pending, next)))
				return near;
			near = next;
		}
	}
	return back;
}

void pending_order(struct pending *pending, struct pending_list *order, uint32_t index)
{
	uint32_t place = find_place(pending, order, pending_record(pending, index));

	if (place != order->last)
		order->recent = index;
	insert_after(pending->links[PENDING_ORDER], order, place, index);
}

uint32_t pending_order_pop(struct pending *pending, struct pending_list *order)
{
	uint32_t index = order->first;

	take_out(pending->links[PENDING_ORDER], order, index);
	if (order->recent == index)
		order->recent = order->first;
	return index;
}

void pending_stop_polling(struct pending *pending, uint32_t index)
{
	uint32_t stream = stream_of(pending_record(pending, index));
	struct pending_list *list = &pending->running[stream];

	if (pending->resume[stream] == index)
		pending->resume[stream] = pending->links[PENDING_RUNNING][index].next;
	take_out(pending->links[PENDING_RUNNING], list, index);
	if (!list->first)
		set_busy(pending, stream, false);
	pending->in_flight--;
}

/* Queries from `index` on, and sets it to the command at which the query stopped, or to 0. */
static uint32_t poll_from(struct pending *pending, uint32_t *index,
			  int (*poll)(struct record *record))
{
	uint32_t ended = 0, next;
	int running = 0;

	for (; *index && running < PATIENCE; *index = next) {
		next = pending->links[PENDING_RUNNING][*index].next;
		if (!poll(pending_record(pending, *index))) {
			running++;
			continue;
		}
		running = 0;
		pending_stop_polling(pending, *index);
		ended++;
	}
	return ended;
}

static uint32_t poll_stream(struct pending *pending, uint32_t stream,
			    int (*poll)(struct record *record))
{
	uint32_t at = pending->running[stream].first;
	uint32_t ended = poll_from(pending, &at, poll);

	if (!at)
		return ended;
	/* After the last one it starts again after the oldest ones. */
	if (pending->resume[stream])
		at = pending->resume[stream];
	ended += poll_from(pending, &at, poll);
	pending->resume[stream] = at;
	return ended;
}

uint32_t pending_poll(struct pending *pending, int (*poll)(struct record *record))
{
	uint32_t ended = 0;

	for (uint32_t i = 0; pending->in_flight && i < PENDING_STREAMS / 64; i++)
		for (uint64_t busy = pending->busy[i]; busy; busy &= busy - 1) {
			uint32_t stream = i * 64 + (uint32_t)__builtin_ctzll(busy);

			ended += poll_stream(pending, stream, poll);
		}
	return ended;
}

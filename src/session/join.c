/* SPDX-License-Identifier: MIT */
#include "session/join.h"

#include <string.h>

#include "base/memory.h"
#include "model/event.h"

/* The number of consecutive running commands of a stream that are queried: in an in-order queue no
 * command after a running one has ended. In an out-of-order queue one may have, so the next time
 * the following commands are also queried, as many at a time. */
enum { PATIENCE = 64 };

int join_init(struct join *join)
{
	join->pools[JOIN_PLAIN].stride = sizeof(struct record);
	join->pools[JOIN_EVENTS].stride = sizeof(union event);
	for (int kind = 0; kind < JOIN_KINDS; kind++) {
		join->links[kind] = memory_map((JOIN_MAX + 1) * sizeof(struct join_link));
		if (!join->links[kind])
			return -1;
	}
	return 0;
}

void join_free(struct join *join)
{
	for (int kind = 0; kind < JOIN_KINDS; kind++)
		memory_unmap(join->links[kind], (JOIN_MAX + 1) * sizeof(struct join_link));
}

static void insert_after(struct join_link *links, struct join_list *list, uint32_t place,
			 uint32_t index)
{
	uint32_t next = place ? links[place].next : list->first;

	links[index] = (struct join_link){.next = next, .previous = place};
	*(place ? &links[place].next : &list->first) = index;
	*(next ? &links[next].previous : &list->last) = index;
}

static void take_out(struct join_link *links, struct join_list *list, uint32_t index)
{
	uint32_t next = links[index].next;
	uint32_t previous = links[index].previous;

	*(previous ? &links[previous].next : &list->first) = next;
	*(next ? &links[next].previous : &list->last) = previous;
}

/* A chunk uses as many of its JOIN_CHUNK indexes as it has places. */
static int add_chunk(struct join *join, struct spool *spool, struct join_pool *pool)
{
	uint32_t places = (uint32_t)((SPOOL_SEGMENT - sizeof(struct segment)) / pool->stride);
	uint32_t first = join->chunk_count * JOIN_CHUNK + 1;
	uint64_t size;
	struct segment *segment;

	if (first > JOIN_MAX)
		return -1;
	places = places < JOIN_CHUNK ? places : JOIN_CHUNK;
	size = sizeof(*segment) + (uint64_t)places * pool->stride;
	segment = spool_segment(spool, SEGMENT_PENDING, size);
	if (!segment)
		return -1;
	segment->stride = pool->stride;
	join->chunks[join->chunk_count++] = (struct join_chunk){
		.places = (char *)(segment + 1),
		.stride = pool->stride,
		.pool = (uint32_t)(pool - join->pools),
	};
	pool->next = first;
	pool->end = first + places < JOIN_MAX + 1 ? first + places : JOIN_MAX + 1;
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

static uint32_t take_free(struct join *join, struct spool *spool, struct join_pool *pool,
			  uint32_t size)
{
	struct join_pool *plain = &join->pools[JOIN_PLAIN];
	uint32_t index;

	if (pool->stride < size)
		*pool = (struct join_pool){.stride = stride_for(size)};
	/* Leaves chunks for other records. */
	if (!plain->end && pool != plain && add_chunk(join, spool, plain))
		return 0;
	index = pool->free;
	if (index) {
		pool->free = join->links[JOIN_ORDER][index].next;
		return index;
	}
	if (pool->next == pool->end && add_chunk(join, spool, pool))
		return 0;
	return pool->next++;
}

/* The list of running commands that it is in. */
static uint32_t stream_of(const struct record *record)
{
	uint64_t stream = (uint64_t)record->context << 32 | record->stream;

	/* The queues of many contexts may all be number 1. */
	return (uint32_t)((stream * 0x9e3779b97f4a7c15u) >> (64 - JOIN_STREAM_BITS));
}

static void set_busy(struct join *join, uint32_t stream, bool busy)
{
	uint64_t bit = UINT64_C(1) << stream % 64, *word = &join->busy[stream / 64];

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

uint32_t join_add(struct join *join, struct spool *spool, const struct record *record)
{
	uint32_t size = record->frame.size;
	struct join_pool *pools = join->pools;
	uint32_t index = take_free(join, spool, &pools[size > sizeof(*record)], size);
	struct record *to;

	if (!index && size > sizeof(*to) && !pools[JOIN_COUNTED].end) {
		size = sizeof(*to);
		index = take_free(join, spool, &pools[JOIN_PLAIN], size);
	}
	if (!index)
		return 0;
	to = join_record(join, index);
	copy_all_but_size(to, record);
	if (size > sizeof(*to))
		memcpy(to + 1, record + 1, size - sizeof(*to));
	__atomic_store_n(&to->frame.size, size, __ATOMIC_RELEASE);
	join->used++;
	if (record->handle) {
		uint32_t stream = stream_of(record);
		struct join_list *list = &join->running[stream];

		insert_after(join->links[JOIN_RUNNING], list, list->last, index);
		set_busy(join, stream, true);
		join->in_flight++;
	}
	return index;
}

uint32_t join_add_event(struct join *join, struct spool *spool, const struct frame *event)
{
	uint32_t index = take_free(join, spool, &join->pools[JOIN_EVENTS], event->size);
	struct frame *to;

	if (!index)
		return 0;
	to = &join_record(join, index)->frame;
	to->kind = event->kind;
	to->flags = event->flags;
	memcpy(&to->correlation, &event->correlation,
	       event->size - offsetof(struct frame, correlation));
	__atomic_store_n(&to->size, event->size, __ATOMIC_RELEASE);
	join->used++;
	return index;
}

void join_remove(struct join *join, uint32_t index)
{
	const struct join_chunk *chunk = &join->chunks[(index - 1) / JOIN_CHUNK];
	struct join_pool *pool = &join->pools[chunk->pool];

	__atomic_store_n(&join_record(join, index)->frame.size, 0, __ATOMIC_RELEASE);
	join->used--;
	if (chunk->stride != pool->stride)
		return;
	join->links[JOIN_ORDER][index].next = pool->free;
	pool->free = index;
}

/* Returns the record after which it belongs, 0 if before all. Most belong at the end. Whole runs of
 * records may come late (from another thread's buffer): each of these belongs near the one before
 * it. So the search starts at both places at once, and ends when the nearer one succeeds. */
static uint32_t find_place(const struct join *join, const struct join_list *order,
			   const struct record *record)
{
	const struct join_link *links = join->links[JOIN_ORDER];
	uint32_t back = order->last, near = order->recent;

	while (back && join_before(record, join_record(join, back))) {
		back = links[back].previous;
		if (near && join_before(record, join_record(join, near))) {
			near = links[near].previous;
			if (!near)
				return 0;
		} else if (near) {
			uint32_t next = links[near].next; /* it belongs after the last one */

			if (join_before(record, join_record(join, next)))
				return near;
			near = next;
		}
	}
	return back;
}

void join_order(struct join *join, struct join_list *order, uint32_t index)
{
	uint32_t place = find_place(join, order, join_record(join, index));

	if (place != order->last)
		order->recent = index;
	insert_after(join->links[JOIN_ORDER], order, place, index);
}

uint32_t join_order_pop(struct join *join, struct join_list *order)
{
	uint32_t index = order->first;

	take_out(join->links[JOIN_ORDER], order, index);
	if (order->recent == index)
		order->recent = order->first;
	return index;
}

void join_settled(struct join *join, uint32_t index)
{
	uint32_t stream = stream_of(join_record(join, index));
	struct join_list *list = &join->running[stream];

	if (join->resume[stream] == index)
		join->resume[stream] = join->links[JOIN_RUNNING][index].next;
	take_out(join->links[JOIN_RUNNING], list, index);
	if (!list->first)
		set_busy(join, stream, false);
	join->in_flight--;
}

/* Queries from `index` on, and sets it to the command at which the query stopped, or to 0. */
static uint32_t poll_from(struct join *join, uint32_t *index, int (*poll)(struct record *record))
{
	uint32_t settled = 0, next;
	int running = 0;

	for (; *index && running < PATIENCE; *index = next) {
		next = join->links[JOIN_RUNNING][*index].next;
		if (!poll(join_record(join, *index))) {
			running++;
			continue;
		}
		running = 0;
		join_settled(join, *index);
		settled++;
	}
	return settled;
}

static uint32_t poll_stream(struct join *join, uint32_t stream, int (*poll)(struct record *record))
{
	uint32_t at = join->running[stream].first;
	uint32_t settled = poll_from(join, &at, poll);

	if (!at)
		return settled;
	/* After the last one it starts again after the oldest ones. */
	if (join->resume[stream])
		at = join->resume[stream];
	settled += poll_from(join, &at, poll);
	join->resume[stream] = at;
	return settled;
}

uint32_t join_poll(struct join *join, int (*poll)(struct record *record))
{
	uint32_t settled = 0;

	for (uint32_t i = 0; join->in_flight && i < JOIN_STREAMS / 64; i++)
		for (uint64_t busy = join->busy[i]; busy; busy &= busy - 1) {
			uint32_t stream = i * 64 + (uint32_t)__builtin_ctzll(busy);

			settled += poll_stream(join, stream, poll);
		}
	return settled;
}

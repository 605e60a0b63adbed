/* SPDX-License-Identifier: MIT */
#ifndef BASE_RING_H
#define BASE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tsan.h"

/*
 * A ring of frames between one producer and one consumer, in memory that may be shared and that
 * outlives a killed producer: the frames between `tail` and `head` are whole. The producer reserves
 * room, fills it in place and commits; the consumer peeks at the oldest frame and consumes it.
 * Frames start with their size in bytes (u32, a multiple of 8) and their kind (u16). The ring
 * itself writes frames of kind RING_PAD, which fill the rest of the data before it starts over.
 */
enum { RING_PAD = 1, RING_LINE = 64 };

struct ring {
	_Atomic uint64_t head; /* bytes ever committed */
	_Atomic uint64_t open; /* set by the producer: see session/probe.c */
	uint64_t seen_tail;    /* tail as last read by the producer */
	uint64_t counter;      /* number of the producer's latest record */
	uint64_t head_lap;     /* the last value of head at which data started over */
	uint64_t events;       /* number of the producer's latest event */
	char producer_line[RING_LINE - 48];
	_Atomic uint64_t tail; /* bytes ever consumed */
	uint64_t tail_lap;     /* the same for tail; a division by the capacity would be slow */
	char consumer_line[RING_LINE - 16];
	uint64_t capacity; /* of data, a multiple of 8 */
	char constant_line[RING_LINE - 8];
	unsigned char data[];
};

void ring_init(struct ring *ring, size_t size); /* `size` of the whole struct, data included */

/* What follows is inline for the most frequent case; these have the others. */
void *ring_reserve_slowly(struct ring *ring, uint32_t size);
void ring_commit_told(struct ring *ring, uint64_t head);

/* Returns room for a frame of `size` bytes, or NULL while the ring is too full for it. */
static inline void *ring_reserve(struct ring *ring, uint32_t size)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	uint64_t at = head - ring->head_lap;

	if (at + size <= ring->capacity && head + size - ring->seen_tail <= ring->capacity)
		return ring->data + at;
	return ring_reserve_slowly(ring, size);
}

static inline void ring_commit(struct ring *ring, uint32_t size)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed) + size;

	if (tsan_is_here())
		ring_commit_told(ring, head);
	else
		atomic_store_explicit(&ring->head, head, memory_order_release);
}

/* Returns the room of the last ring_reserve, until it is committed. */
static inline void *ring_reserved(struct ring *ring)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	return ring->data + (head - ring->head_lap);
}

/* Returns the number of bytes that wait for the consumer. */
uint64_t ring_used(const struct ring *ring);

static inline bool ring_is_half_full(const struct ring *ring)
{
	return ring_used(ring) * 2 >= ring->capacity;
}

/* ring_peek returns the oldest frame, or NULL; it stays valid, and may be changed, until
 * ring_consume removes it. ring_next removes the frame that was returned last, and returns the next
 * one. */
void *ring_peek(struct ring *ring);
void ring_consume(struct ring *ring);
void *ring_next(struct ring *ring, const void *consumed);

/* Reads ahead without consuming: returns the frame at or after position `*at` (start with tail),
 * and moves `*at` past it; NULL at the end or where the ring is damaged. `size` bytes are
 * mapped. */
const void *ring_walk(const struct ring *ring, size_t size, uint64_t *at);

#endif

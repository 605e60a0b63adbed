/* SPDX-License-Identifier: MIT */
#include "base/ring.h"

/* The members of a frame that the ring reads. */
struct head {
	uint32_t size;
	uint16_t kind;
	uint16_t flags;
};

void ring_init(struct ring *ring, size_t size)
{
	ring->capacity = (size - sizeof(*ring)) & ~(uint64_t)7;
}

/* Returns true if `size` more bytes fit after `head`. */
static int fits(struct ring *ring, uint64_t head, uint64_t size)
{
	if (head + size - ring->seen_tail <= ring->capacity)
		return 1;
	ring->seen_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	return head + size - ring->seen_tail <= ring->capacity;
}

/* Returns the offset of `position` in the data; *lap is the last position with offset 0. */
static uint64_t place(const struct ring *ring, uint64_t position, uint64_t *lap)
{
	if (position - *lap >= ring->capacity)
		*lap += ring->capacity;
	return position - *lap;
}

void *ring_reserve_slowly(struct ring *ring, uint32_t size)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	uint64_t at = place(ring, head, &ring->head_lap);
	uint64_t rest = ring->capacity - at;

	if (rest < size) {
		struct head *pad = (struct head *)(void *)(ring->data + at);

		if (!fits(ring, head, rest + size))
			return NULL;
		*pad = (struct head){.size = (uint32_t)rest, .kind = RING_PAD};
		atomic_store_explicit(&ring->head, head + rest, memory_order_release);
		ring->head_lap += ring->capacity;
		return ring->data;
	}
	return fits(ring, head, size) ? ring->data + at : NULL;
}

/* In functions of their own, so that the others have nothing to save around a call. */
__attribute__((cold, noinline)) void ring_commit_told(struct ring *ring, uint64_t head)
{
	tsan_release(ring);
	atomic_store_explicit(&ring->head, head, memory_order_release);
}

__attribute__((cold, noinline)) static void *peek_told(struct ring *ring, void *frame)
{
	tsan_acquire(ring);
	return frame;
}

uint64_t ring_used(const struct ring *ring)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);

	return atomic_load_explicit(&ring->head, memory_order_acquire) - tail;
}

/* Returns the frame at `tail`, or NULL; padding before it is removed. */
static inline void *frame_at(struct ring *ring, uint64_t tail)
{
	for (;;) {
		struct head *frame;

		if (tail == atomic_load_explicit(&ring->head, memory_order_acquire))
			return NULL;
		frame = (void *)(ring->data + place(ring, tail, &ring->tail_lap));
		if (frame->kind != RING_PAD)
			return tsan_is_here() ? peek_told(ring, frame) : frame;
		tail += frame->size;
		atomic_store_explicit(&ring->tail, tail, memory_order_release);
	}
}

void *ring_peek(struct ring *ring)
{
	return frame_at(ring, atomic_load_explicit(&ring->tail, memory_order_relaxed));
}

void ring_consume(struct ring *ring)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	const struct head *frame =
		(const void *)(ring->data + place(ring, tail, &ring->tail_lap));

	atomic_store_explicit(&ring->tail, tail + frame->size, memory_order_release);
}

void *ring_next(struct ring *ring, const void *consumed)
{
	const struct head *frame = consumed;
	uint64_t tail =
		atomic_load_explicit(&ring->tail, memory_order_relaxed) + frame->size;

	atomic_store_explicit(&ring->tail, tail, memory_order_release);
	return frame_at(ring, tail);
}

const void *ring_walk(const struct ring *ring, size_t size, uint64_t *at)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	uint64_t capacity = ring->capacity;

	if (!capacity || capacity > size - sizeof(*ring) || capacity % 8)
		return NULL;
	while (head - *at <= capacity && head != *at && *at % 8 == 0) {
		const struct head *frame = (const void *)(ring->data + *at % capacity);

		if (frame->size < sizeof(*frame) || frame->size % 8 ||
		    frame->size > capacity - *at % capacity || frame->size > head - *at)
			return NULL;
		*at += frame->size;
		if (frame->kind != RING_PAD)
			return frame;
	}
	return NULL;
}

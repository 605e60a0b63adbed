/* SPDX-License-Identifier: MIT */
#include "session/merge.h"

#include "session/state.h"

/*
 * Merges the records of all rings in launch order. Rings that are not empty are in a heap by their
 * first records, so a record costs little more with hundreds of threads than with one.
 */

/* Moves it down until both children are later. */
static void sink(struct ring_head *heads, uint32_t count, uint32_t at)
{
	struct ring_head sinking = heads[at];

	for (uint32_t below; (below = 2 * at + 1) < count; at = below) {
		if (below + 1 < count &&
		    launched_before(heads[below + 1].record, heads[below].record))
			below++;
		if (!launched_before(heads[below].record, sinking.record))
			break;
		heads[at] = heads[below];
	}
	heads[at] = sinking;
}

void merge_begin(struct session *session)
{
	struct ring_head *heads = session->heads;
	uint32_t count = 0;

	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++) {
		struct ring *ring = &atomic_load(&session->rings[i])->ring;
		struct record *record = ring_peek(ring);

		if (record)
			heads[count++] = (struct ring_head){record, ring};
	}
	for (uint32_t i = count / 2; i-- > 0;)
		sink(heads, count, i);
	session->head_count = count;
}

void merge_consume(struct session *session)
{
	struct ring_head *heads = session->heads;

	heads[0].record = ring_next(heads[0].ring, heads[0].record);
	if (!heads[0].record)
		heads[0] = heads[--session->head_count];
	if (session->head_count > 1)
		sink(heads, session->head_count, 0);
}

/* Returns the smallest `enter` in a ring. All records after a record that is not nested were
 * launched later. After a nested record or an event the call around it may follow. */
static uint64_t earliest(const struct ring *ring)
{
	uint64_t at = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	uint64_t least = UINT64_MAX;
	const struct record *record;

	while ((record = ring_walk(ring, sizeof(*ring) + ring->capacity, &at))) {
		if (record->enter < least)
			least = record->enter;
		if (!frames_is_event(&record->frame) && !(record->frame.flags & RECORD_NESTED))
			break;
	}
	return least;
}

uint64_t merge_left(const struct session *session)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < session->head_count; i++) {
		uint64_t enter = earliest(session->heads[i].ring);

		if (enter < least)
			least = enter;
	}
	return least;
}

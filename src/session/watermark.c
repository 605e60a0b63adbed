/* SPDX-License-Identifier: MIT */
#include "session/watermark.h"

#include "base/clock.h"
#include "session/state.h"

/* Computes the time up to which no older record can come. */

enum {
	SLACK = 100000, /* ns by which a thread's store may be seen late */
};

uint64_t watermark_threads(const struct session *session)
{
	uint64_t mark = clock_monotonic() - SLACK;

	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++) {
		struct thread_ring *ring = atomic_load(&session->rings[i]);
		uint64_t open = atomic_load_explicit(&ring->ring.open, memory_order_acquire);

		if (open && open < mark)
			mark = open;
	}
	return mark;
}

bool watermark_blocks(const struct watermarks *marks, const struct session *session,
		  const struct log_file *log, const struct record *record)
{
	const struct pending *pending = &session->pending;

	if (record->enter >= marks->sources[log->target.layout.api])
		return true;
	/* A thread may stay in its call for hours. */
	return record->enter >= marks->threads &&
	       pending->used - pending->in_flight < PENDING_ENDED_MOST;
}

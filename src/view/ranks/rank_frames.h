/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_FRAMES_H
#define VIEW_RANKS_RANK_FRAMES_H

#include "model/event.h"
#include "view/ranks/rank_catalog.h"

/*
 * Converts the records and events of several processes, the parts, to those of one process:
 *
 *   ids           those of one catalog (rank_catalog.h)
 *   correlations  the ring, their upper 24 bits, is numbered anew for each ring of each part
 *   threads       a number that an earlier part has is replaced by one above all that Linux uses
 *   addresses     the number of the part is added in the upper 12 bits
 *   times         those of the first part's clocks
 */
struct rank_frames {
	struct rank_catalog catalog;
	struct map rings;   /* of a ring of a part: its number */
	struct map owners;  /* of a thread: 1 + the first part that has it */
	struct map threads; /* of a thread of another part: its number */
	uint64_t ring_count;
	uint32_t thread_count;
	uint64_t part;
	/* Of the present part: what is added to CLOCK_MONOTONIC and to times since the epoch. */
	uint64_t host_shift, device_shift;
};

/* Returns 0, or -1 without memory. The caller calls rank_frames_close in both cases. */
int rank_frames_open(struct rank_frames *frames);
void rank_frames_close(struct rank_frames *frames);

/* Begins the next part. */
void rank_frames_begin(struct rank_frames *frames, const struct catalog *part, uint64_t rank);

/* Called when the part's process is known: `epoch` is what is added to its CLOCK_MONOTONIC to get
 * the common time since 1970, `first_epoch` the same of the first part. */
void rank_frames_align(struct rank_frames *frames, int64_t epoch, int64_t first_epoch);

/* Converts a record with its blocks, or an event, in place. Returns 0, or -1 with one sentence in
 * `error`. */
int rank_frames_convert(struct rank_frames *frames, struct frame *frame, struct strbuf *error);

#endif

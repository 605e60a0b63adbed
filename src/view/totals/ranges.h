/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_RANGES_H
#define VIEW_TOTALS_RANGES_H

#include "base/strbuf.h"
#include "model/event.h"

/*
 * The ranges of a file (struct mark), and the lookup of those around a time of a thread. A file has
 * no order: all ranges are added first, and looked up then.
 *
 * A range belongs to the thread that started it, on its stack or by an id, whichever thread ends
 * it. A range without an end extends to the latest time of the file. Ranges of one thread, domain
 * and text have one label.
 *
 * Memory: 48 bytes per range, 40 more during the sort, 16 for its end until then, and 16 per label.
 * A zeroed struct is empty.
 */
struct ranges {
	struct strbuf list;   /* struct range */
	struct strbuf ends;   /* struct range_end */
	struct strbuf labels; /* struct range_label; in the order of their members */
	struct strbuf threads;
	struct strbuf overs; /* uint64_t: the ends, thread by thread, in their order */
	struct strbuf found; /* labels */
	uint64_t last;	     /* latest time of the file; all times are CLOCK_MONOTONIC ns */
};

struct range_label {
	uint32_t thread;
	uint32_t domain; /* names, as in struct mark */
	uint32_t name;
};

/* Adds any frame of the file, in any order. Returns -1 without memory. */
int ranges_add(struct ranges *ranges, const struct frame *frame);

/* Returns true if there is a range. */
bool ranges_any(const struct ranges *ranges);

/* After the last frame: passes each range to `take`, with the index of its label. Returns -1
 * without memory, or if `take` failed. */
int ranges_end(struct ranges *ranges,
	       int (*take)(void *context, uint32_t label, uint64_t start, uint64_t end),
	       void *context);
const struct range_label *ranges_labels(const struct ranges *ranges, size_t *count);

/*
 * Returns the labels of the ranges that started at or before `enter` and ended at or after `leave`,
 * each once. `count` is their number; they are valid until the next call. The time is proportional
 * to their number, times the logarithm of the number of the thread's ranges.
 */
const uint32_t *ranges_around(struct ranges *ranges, uint32_t thread, uint64_t enter,
			      uint64_t leave, size_t *count);

/* The number of threads with ranges. The number of such a thread, from 0; -1 for other threads. */
size_t ranges_threads(const struct ranges *ranges);
int64_t ranges_thread(const struct ranges *ranges, uint32_t thread);

/* Returns true if ranges_around would return the same labels as the last time for the thread with
 * this number. The time does not depend on the number of labels. */
bool ranges_are_same(const struct ranges *ranges, size_t number, uint64_t enter, uint64_t leave);

void ranges_free(struct ranges *ranges);

#endif

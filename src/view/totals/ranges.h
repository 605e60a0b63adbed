/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_RANGES_H
#define VIEW_TOTALS_RANGES_H

#include "base/strbuf.h"
#include "model/event.h"

/*
 * The ranges of a file (struct mark), and which of them are around a moment of a thread. A file has
 * no order: all of them are taken first, and asked for when it is read again.
 *
 * A range is of the thread that began it, on its stack or by an id, whoever ends it; one without an
 * end ends with the last moment of the file. Ranges of one thread, domain and text have one label.
 *
 * Memory: 48 bytes for each range, 40 more while they are sorted, 16 for its end until then, and 16
 * for each label. Begin with zeros.
 */
struct ranges {
	struct strbuf list;   /* struct range */
	struct strbuf ends;   /* struct range_end */
	struct strbuf labels; /* struct range_label; in the order of their members */
	struct strbuf threads;
	struct strbuf overs; /* uint64_t: the ends, thread by thread, in their order */
	struct strbuf found; /* labels */
	uint64_t last;	     /* moment of the file, CLOCK_MONOTONIC ns as all of them */
};

struct range_label {
	uint32_t thread;
	uint32_t domain; /* names, as in struct mark */
	uint32_t name;
};

/* Any frame of the file, in any order; -1 when memory ran out. */
int ranges_add(struct ranges *ranges, const struct frame *frame);

/* Whether a range has begun. */
bool ranges_any(const struct ranges *ranges);

/* Behind the last frame: gives each range to `take`, with the index of its label. -1 when memory
 * ran out, or `take` said so. */
int ranges_settle(struct ranges *ranges,
		  int (*take)(void *context, uint32_t label, uint64_t start, uint64_t end),
		  void *context);
const struct range_label *ranges_labels(const struct ranges *ranges, size_t *count);

/*
 * The labels of those that began at or before `enter` and ended at or after `leave`, each once;
 * they are `count`, and valid until the next call. Takes time for each of them, times the logarithm
 * of how many ranges the thread has; none for those that are over.
 */
const uint32_t *ranges_around(struct ranges *ranges, uint32_t thread, uint64_t enter,
			      uint64_t leave, size_t *count);

/* Threads that have ranges; the number of one of them, from 0, or -1 for any other thread. */
size_t ranges_threads(const struct ranges *ranges);
int64_t ranges_thread(const struct ranges *ranges, uint32_t thread);

/* Whether ranges_around would find the same as it did last for the thread with this number. Takes
 * no time for the labels. */
bool ranges_are_same(const struct ranges *ranges, size_t number, uint64_t enter, uint64_t leave);

void ranges_free(struct ranges *ranges);

#endif

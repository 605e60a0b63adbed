/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_ORDERED_H
#define VIEW_STREAM_ORDERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * The ordered reader. A stream has no order: a call may stand before or after the records that it
 * made, and the end of a range before its start. This joins the two sides of each pair by their key
 * (the correlation of a record or the id of a range) and, if requested, sorts the pairs by time. A
 * view adds the data that it needs of each frame, as bytes of its own, and gets them back as pairs.
 *
 * Firsts are calls and starts of ranges, seconds are records and ends of ranges. A call may have
 * made several records, with consecutive keys.
 *
 * A file may have errors. If several firsts claim one second, any one of them gets it, and the
 * others are given without it. Each second that a first claims has a first, except that of several
 * seconds with one key only one is sure to have it. Views follow this rule for calls and records.
 *
 * Most partners are near: tables in memory keep ORDERED_NEAR of each side. All others are sorted by
 * key (view/stream/external_sort.h) and joined at the end. So pairs are joined at any distance, and
 * memory does not depend on their number: the tables, and SPILL_BUDGET each for the sort by key,
 * the sort by time, and the queue of the records before any call (spill_queue.h). A stream without
 * calls gives its records in its own order.
 */
struct ordered;

enum { ORDERED_NEAR = 1 << 16, ORDERED_BYTES_MOST = 512 };

struct ordered_side {
	uint64_t key;
	uint64_t time;	/* the order of pairs by time; `then` decides if times are equal */
	uint64_t then;
	const void *bytes; /* aligned as uint64_t */
	size_t size; /* at most ORDERED_BYTES_MOST; the same for all firsts, and for all seconds */
};

/* The view's bytes of each side; NULL: the side is missing in the stream. */
struct ordered_pair {
	const void *first;
	const void *second;
	bool again;	  /* the first was already given with another second */
	uint64_t ordinal; /* of the second among those of the first, from 0 */
};

struct ordered_options {
	bool by_time;	  /* ordered_end gives all pairs, in the order of the times of their firsts,
			     or of seconds without one; otherwise each is given as soon as it is
			     joined */
	bool firsts_only; /* neither seconds without a first nor pairs with `again` are given */
	size_t first_size;
	size_t second_size;
	/* Returns 0, or -1 with one sentence in `error`. */
	int (*take)(void *context, const struct ordered_pair *pair, struct strbuf *error);
	void *context;
};

/* Returns NULL without memory, or if a side has too many bytes. */
struct ordered *ordered_new(const struct ordered_options *options);
void ordered_free(struct ordered *ordered); /* NULL: does nothing */

/*
 * Each returns 0, or -1 with one sentence in `error`: that of `take`, or that a temporary file
 * cannot be written. `seconds` is the number of seconds of the first, with keys from side->key on;
 * 0: none, and the key is ignored.
 */
int ordered_add_first(struct ordered *ordered, const struct ordered_side *side, uint32_t seconds,
		      struct strbuf *error);
int ordered_add_second(struct ordered *ordered, const struct ordered_side *side,
		       struct strbuf *error);

/* Ends the input: gives all remaining pairs. */
int ordered_end(struct ordered *ordered, struct strbuf *error);

#endif

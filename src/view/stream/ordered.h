/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_ORDERED_H
#define VIEW_STREAM_ORDERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * The order of events. A stream has none: a call may stand before or behind the records that it
 * made, the end of a range before its start, and each frame where it was when it was over. This
 * joins the two sides of each pair by their key, the correlation of a record or the id of a range,
 * and, if that is wanted, brings the pairs into the order of time. A view adds what it needs of
 * each frame, as bytes of its own, and gets them back as pairs.
 *
 * Firsts are calls and starts of ranges, seconds are records and ends of ranges. A call may have
 * made several records, whose keys follow each other. Where several sides have one key, which is a
 * mistake in the file, the earliest are joined, if they are near.
 *
 * Most partners stand close to each other: ORDERED_NEAR of each side are kept in tables of memory.
 * All others are sorted by key (view/stream/external_sort.h) and joined at the end. So a pair is
 * joined however far apart its sides are, and memory does not depend on how many there are: that of
 * the tables, and SORT_BUDGET each for the sort by key, the sort by time, and the records that came
 * before any call. A stream that has no calls gives its records as they came.
 */
struct ordered;

enum { ORDERED_NEAR = 1 << 16, ORDERED_BYTES_MOST = 512 };

struct ordered_side {
	uint64_t key;
	uint64_t time;	/* and `then`, where times are equal: of pairs by time */
	uint64_t then;
	const void *bytes; /* aligned as uint64_t */
	size_t size; /* ORDERED_BYTES_MOST at most; the same of all firsts, of all seconds */
};

/* The view's bytes of each side; NULL: the stream does not have this side. */
struct ordered_pair {
	const void *first;
	const void *second;
	bool again;	  /* the first was given with another second already */
	uint64_t ordinal; /* of the second among those that the first may have, from 0 */
};

struct ordered_options {
	bool by_time;	  /* all pairs are given by ordered_end, in the order of the time of their
			     first, or of the second that has none; else each is given as soon as
			     it is joined */
	bool firsts_only; /* seconds without a first are not given, nor pairs that are `again` */
	size_t first_size;
	size_t second_size;
	/* 0, or -1 with one sentence in `error`. */
	int (*take)(void *context, const struct ordered_pair *pair, struct strbuf *error);
	void *context;
};

/* NULL without memory, or where a side has too many bytes. */
struct ordered *ordered_new(const struct ordered_options *options);
void ordered_free(struct ordered *ordered); /* NULL: nothing */

/*
 * Each is 0, or -1 with one sentence in `error`: that of `take`, or of a temporary file that cannot
 * be written. `seconds` is how many the first may have, their keys from side->key on; 0: none, and
 * the key means nothing.
 */
int ordered_add_first(struct ordered *ordered, const struct ordered_side *side, uint32_t seconds,
		      struct strbuf *error);
int ordered_add_second(struct ordered *ordered, const struct ordered_side *side,
		       struct strbuf *error);

/* The bytes of a second that waits for its first and is near; NULL: there is none. */
const void *ordered_near_second(const struct ordered *ordered, uint64_t key);

/* There are no more: gives all pairs that were not given yet. */
int ordered_end(struct ordered *ordered, struct strbuf *error);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_EXTERNAL_SORT_H
#define VIEW_STREAM_EXTERNAL_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * A sort of any number of items in bounded memory. Items are collected and sorted in `budget`
 * bytes. When these are full, they are written to a temporary file as a sorted run; runs are merged
 * when the items are read back (spill_file.h). Without a spill no file is made.
 *
 * Memory: `budget` bytes, filled lazily, and 24 bytes for each run that is being merged.
 */
struct external_sort;

enum { SORT_ITEM_MOST = 7168 /* bytes of an item: a record with all counters, by names */ };

/* The order is by `key`, `second`, `third`; equal items keep the order of adding. */
struct sort_item {
	uint64_t key;
	uint64_t second;
	uint64_t third;
	const void *bytes; /* aligned as uint64_t */
	size_t size; /* when reading: rounded up to a multiple of 8 */
};

/* `budget` as in spill_file_budget. Returns NULL without memory. */
struct external_sort *external_sort_new(size_t budget);
void external_sort_free(struct external_sort *sort); /* NULL: does nothing */

/* Returns 0, or -1 with one sentence in `error`. Nothing may be added after the first read. */
int external_sort_add(struct external_sort *sort, const struct sort_item *item,
		      struct strbuf *error);

/* Returns 1 and the next item, valid until the next call; 0 after the last; -1 with one
 * sentence. */
int external_sort_next(struct external_sort *sort, struct sort_item *item, struct strbuf *error);

/* Number of runs written so far. */
uint64_t external_sort_runs(const struct external_sort *sort);

#endif

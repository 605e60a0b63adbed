/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_EXTERNAL_SORT_H
#define VIEW_STREAM_EXTERNAL_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * A sort of any number of items in bounded memory. Items are collected and sorted in `budget`
 * bytes. When these are full, they are written to a temporary file as a sorted run; runs are merged
 * when the items are read back. Without a spill no file is made.
 *
 * The file has no name: nothing of it is left, however the process ends. It is in TMPDIR, or /tmp.
 *
 * Memory: `budget` bytes, filled lazily, and 24 bytes for each run that is being merged.
 */
struct external_sort;

enum {
	SORT_BUDGET = 32 << 20,
	SORT_BUDGET_LEAST = 1 << 16,
	SORT_ITEM_MOST = 2048, /* bytes of an item */
};

/* Items are in the order of `key`, `second`, `third`; equal ones in the order in which they were
 * added. */
struct sort_item {
	uint64_t key;
	uint64_t second;
	uint64_t third;
	const void *bytes; /* aligned as uint64_t */
	size_t size; /* of one that is read: rounded up to a multiple of 8 */
};

/* A budget of 0 is SORT_BUDGET; COMPUTEPROF_TEST_SORT_BUDGET takes the place of either, for tests.
 * NULL without memory. */
struct external_sort *external_sort_new(size_t budget);
void external_sort_free(struct external_sort *sort); /* NULL: nothing */

/* 0, or -1 with one sentence in `error`. None may be added once one was read. */
int external_sort_add(struct external_sort *sort, const struct sort_item *item,
		      struct strbuf *error);

/* 1 and the next item, valid until the next call; 0 behind the last one; -1 with one sentence. */
int external_sort_next(struct external_sort *sort, struct sort_item *item, struct strbuf *error);

/* Runs that were written so far. */
uint64_t external_sort_runs(const struct external_sort *sort);

#endif

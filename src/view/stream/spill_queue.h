/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_SPILL_QUEUE_H
#define VIEW_STREAM_SPILL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/*
 * A queue of any number of items of one size, in bounded memory: first all are added, then all are
 * read in the same order. When the memory is full, items are written to a temporary file
 * (spill_file.h). Without a spill no file is made.
 *
 * Memory: spill_file_budget(0) bytes, filled lazily. In the file an item needs its own bytes only.
 */
struct spill_queue;

enum { SPILL_ITEM_MOST = 1024 };

/* `size` is that of an item, a multiple of 8 and at most SPILL_ITEM_MOST. Returns NULL without
 * memory. */
struct spill_queue *spill_queue_new(size_t size);
void spill_queue_free(struct spill_queue *queue); /* NULL: does nothing */

/* Returns 0, or -1 with one sentence in `error`. Nothing may be added after the first read. */
int spill_queue_add(struct spill_queue *queue, const void *item, struct strbuf *error);

/* Returns 1 and the next item, aligned as uint64_t and valid until the next call; 0 after the last;
 * -1 with one sentence. */
int spill_queue_next(struct spill_queue *queue, const void **item, struct strbuf *error);

/* Returns true if items were written to the file. */
bool spill_queue_has_spilled(const struct spill_queue *queue);

#endif

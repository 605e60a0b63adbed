/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CORRELATION_H
#define BACKEND_CUDA_CORRELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

/*
 * What waits for one of CUPTI's correlation ids. Ids count the calls, so a table has a slot for
 * each of the newest ones, found by the low bits of the id; a slot's former owner is as many calls
 * old as there are slots when it has to go. match.c keeps work and calls in one, api_event.c calls
 * that are held, counter_values.c values of counters. A table has no lock: its user has one.
 *
 * `shape` is always a constant, so that finding a slot costs as much as in an array.
 */
struct correlation_shape {
	uint32_t slots; /* a power of two, at least 64 */
	size_t size;    /* of a slot, whose first member is its owner's id (uint32_t, 0: none) */
};

struct correlation_table {
	char *slots;
	uint64_t *marks; /* a bit for each slot, see correlation_mark */
};

enum { CORRELATION_WORD = 64 };

/* 0, or -1 without memory. */
static inline int correlation_init(struct correlation_table *table, struct correlation_shape shape)
{
	size_t size = shape.slots * shape.size;

	table->slots = memory_map(size + shape.slots / 8);
	if (!table->slots)
		return -1;
	table->marks = (void *)(table->slots + size);
	return 0;
}

static inline void *correlation_slot(const struct correlation_table *table,
				     struct correlation_shape shape, uint32_t id)
{
	return table->slots + id % shape.slots * shape.size;
}

/* The slot, made this id's; NULL if it has a later one's by now. `give_up` is told of a former
 * owner's slot; the new one's is zero but for the id. */
static inline void *correlation_claim(const struct correlation_table *table,
				      struct correlation_shape shape, uint32_t id,
				      void (*give_up)(void *slot))
{
	void *slot = correlation_slot(table, shape, id);
	uint32_t *owner = slot;

	if (*owner == id)
		return slot;
	if (*owner && (int32_t)(id - *owner) < 0)
		return NULL;
	give_up(slot);
	memset(slot, 0, shape.size);
	*owner = id;
	return slot;
}

/* Marks are how slots in which something waits are found without a look at all of them: the bits of
 * number `word` are those of slots CORRELATION_WORD * word and so on. */
static inline void correlation_mark(const struct correlation_table *table,
				    struct correlation_shape shape, uint32_t id, bool yes)
{
	uint32_t index = id % shape.slots;
	uint64_t bit = UINT64_C(1) << index % CORRELATION_WORD;
	uint64_t *word = &table->marks[index / CORRELATION_WORD];

	*word = yes ? *word | bit : *word & ~bit;
}

/*
 * When the latest call of a thread began, of those that have come. In a thread calls come one after
 * the other: a call is not inside of another one once a later one has come.
 */
enum { CORRELATION_THREADS = 1 << 8 }; /* so many are remembered */

struct correlation_latest {
	uint32_t thread;
	uint64_t enter;
};

static inline void correlation_note_latest(struct correlation_latest *latest, uint32_t thread,
					   uint64_t enter)
{
	latest += thread % CORRELATION_THREADS;
	if (latest->thread == thread && latest->enter >= enter)
		return;
	latest->thread = thread;
	latest->enter = enter;
}

static inline bool correlation_is_over(const struct correlation_latest *latest, uint32_t thread,
				       uint64_t leave)
{
	latest += thread % CORRELATION_THREADS;
	return latest->thread == thread && latest->enter >= leave;
}

#endif

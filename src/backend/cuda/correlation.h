/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CORRELATION_H
#define BACKEND_CUDA_CORRELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

/*
 * A table by CUPTI's correlation ids. Ids count calls, so the table has a slot for each of the
 * newest ids, at the low bits of the id. A slot is reused after as many calls as there are slots.
 * match.c has a table of work and calls, api_event.c one of held calls, counter_values.c one of
 * counter values. A table has no lock: its user has one.
 *
 * `shape` is always a constant, so finding a slot costs as much as in an array.
 */
struct correlation_shape {
	uint32_t slots; /* a power of two, at least 64 */
	size_t size;    /* of a slot; its first member is its id (uint32_t, 0: none) */
};

struct correlation_table {
	char *slots;
	uint64_t *marks; /* one bit per slot, see correlation_mark */
};

enum { CORRELATION_WORD = 64 };

/* Returns 0, or -1 without memory. */
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

/* Returns the slot, assigned to this id; NULL if a later id already has it. A newly assigned slot
 * is zero except for its id; before, `give_up` gets it with its former contents, if any. */
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

/* Marks find the slots with waiting data without reading all of them: the bits of word `word` stand
 * for the slots from CORRELATION_WORD * word on. */
static inline void correlation_mark(const struct correlation_table *table,
				    struct correlation_shape shape, uint32_t id, bool yes)
{
	uint32_t index = id % shape.slots;
	uint64_t bit = UINT64_C(1) << index % CORRELATION_WORD;
	uint64_t *word = &table->marks[index / CORRELATION_WORD];

	*word = yes ? *word | bit : *word & ~bit;
}

/*
 * The start of the latest delivered call of a thread. The calls of a thread are delivered in order:
 * after a later call, a call is not inside another one.
 */
enum { CORRELATION_THREADS = 1 << 8 }; /* number of remembered threads */

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

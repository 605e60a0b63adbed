/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BLOCK_H
#define MODEL_BLOCK_H

#include "model/record.h"

/*
 * Blocks stand behind the struct of a record or an event, one after the other, up to the end of its
 * frame. Each has a tag and its size. Readers pass over tags that they do not know.
 */

/* Values are written to trace files: append only. */
enum block_tag {
	BLOCK_COUNTERS = 1, /* of records: struct counters_block */
	BLOCK_VALUES = 2,   /* this one and those below are reserved */
	BLOCK_ARGUMENTS = 3,
	BLOCK_LABEL = 4,
};

struct frame_block {
	uint32_t size; /* of the whole block, a multiple of 8 */
	uint16_t tag;  /* enum block_tag */
	uint16_t reserved;
};

/* The values of hardware counters. Behind it stand the values, a double each. */
struct counters_block {
	struct frame_block block;
	uint32_t set; /* id of the counter set, in the catalog */
	uint32_t reserved;
};

/* Whether the bytes of the frame behind its first `fixed` ones are whole blocks. The frame itself
 * is in memory, and `fixed` is not more than its size. */
bool blocks_valid(const struct frame *frame, uint32_t fixed);

/* The first block with that tag, or NULL. Only for a frame whose blocks are valid. */
const struct frame_block *block_find(const struct frame *frame, uint32_t fixed, enum block_tag tag);

/* The block of counters behind a record, or NULL. Only for a record that lies where its blocks do;
 * so the next two. */
static inline const struct counters_block *record_counters(const struct record *record)
{
	const void *block = record->frame.size > sizeof(*record)
				    ? block_find(&record->frame, sizeof(*record), BLOCK_COUNTERS)
				    : NULL;

	return block;
}

/* The values of that block, NULL if there is none, and how many they are. */
static inline const double *record_values(const struct record *record)
{
	const struct counters_block *counters = record_counters(record);

	return counters ? (const void *)(counters + 1) : NULL;
}

static inline uint32_t record_value_count(const struct record *record)
{
	const struct counters_block *counters = record_counters(record);

	return counters ? (uint32_t)((counters->block.size - sizeof(*counters)) / sizeof(double))
			: 0;
}

_Static_assert(sizeof(struct frame_block) == 8, "struct frame_block is part of the trace format");
_Static_assert(sizeof(struct counters_block) == 16,
	       "struct counters_block is part of the trace format");

#endif

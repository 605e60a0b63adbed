/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BLOCK_H
#define MODEL_BLOCK_H

#include "model/record.h"

/*
 * Blocks follow the struct of a record or an event, one after the other, up to the end of its
 * frame. Each has a tag and a size. Readers skip unknown tags.
 */

/* Values are written to trace files: append only. */
enum block_tag {
	BLOCK_COUNTERS = 1, /* of records: struct counters_block */
	BLOCK_VALUES = 2,   /* reserved, like those below */
	BLOCK_ARGUMENTS = 3,
	BLOCK_LABEL = 4,
};

struct frame_block {
	uint32_t size; /* of the whole block, a multiple of 8 */
	uint16_t tag;  /* enum block_tag */
	uint16_t reserved;
};

/* Hardware counters. The values follow, a double each. */
struct counters_block {
	struct frame_block block;
	uint32_t set; /* id of the counter set, in the catalog */
	uint32_t reserved;
};

/* Returns true if the bytes of the frame after the first `fixed` bytes are complete blocks. The
 * whole frame must be in memory, and `fixed` at most its size. */
bool blocks_valid(const struct frame *frame, uint32_t fixed);

/* Returns the first block with the tag, or NULL. The blocks of the frame must be valid. */
const struct frame_block *block_find(const struct frame *frame, uint32_t fixed, enum block_tag tag);

/* Returns the record's block of counters, or NULL. The record must be in its frame, not a copy
 * without the blocks; the same holds for the next two functions. */
static inline const struct counters_block *record_counters(const struct record *record)
{
	const void *block = record->frame.size > sizeof(*record)
				    ? block_find(&record->frame, sizeof(*record), BLOCK_COUNTERS)
				    : NULL;

	return block;
}

/* The values of that block, NULL without one, and their number. */
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

/* SPDX-License-Identifier: MIT */
#include "model/block.h"

/* Sizes of blocks with the tag, without the data after the struct. */
static uint32_t least_size(uint16_t tag)
{
	return tag == BLOCK_COUNTERS ? sizeof(struct counters_block) : sizeof(struct frame_block);
}

bool blocks_valid(const struct frame *frame, uint32_t fixed)
{
	const char *at = (const char *)frame + fixed;
	bool has_counters = false;

	for (uint32_t left = frame->size - fixed; left;) {
		const struct frame_block *block = (const void *)at;

		if (left < sizeof(*block) || block->size > left || block->size % 8 ||
		    block->size < least_size(block->tag))
			return false;
		if (block->tag == BLOCK_COUNTERS && has_counters)
			return false;
		has_counters |= block->tag == BLOCK_COUNTERS;
		left -= block->size;
		at += block->size;
	}
	return true;
}

const struct frame_block *block_find(const struct frame *frame, uint32_t fixed, enum block_tag tag)
{
	const char *at = (const char *)frame + fixed;

	for (uint32_t left = frame->size - fixed; left >= sizeof(struct frame_block);) {
		const struct frame_block *block = (const void *)at;

		if (block->tag == tag)
			return block;
		left -= block->size;
		at += block->size;
	}
	return NULL;
}

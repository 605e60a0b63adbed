/* SPDX-License-Identifier: MIT */
#include "backend/cuda/match_slot.h"

#include <stddef.h>

struct correlation_table match_table;

int match_slot_init(void)
{
	return correlation_init(&match_table, MATCH_SHAPE);
}

const struct match_call *match_slot_open_call(uint32_t correlation)
{
	const struct match_slot *slot = match_slot_of(correlation);

	return slot->correlation == correlation && !slot->answered ? &slot->call : NULL;
}

bool match_slot_has_work(uint32_t correlation)
{
	return match_slot_of(correlation)->work != 0;
}

void match_slot_give_up(uint32_t correlation)
{
	match_slot_of(correlation)->given_up = true;
}

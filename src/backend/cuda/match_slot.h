/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_SLOT_H
#define BACKEND_CUDA_MATCH_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/correlation.h"
#include "backend/cuda/match.h"
#include "backend/cuda/match_record.h"

/* The slot of a call and its work. */
struct match_slot {
	uint32_t correlation;
	uint32_t work;		/* the newest waiting piece, 0 if none */
	struct match_call call; /* leave is 0 before the call has come */
	uint64_t since;		/* CLOCK_MONOTONIC at the first check; 0: not yet checked */
	bool answered;		/* it has had work */
	bool met;		/* a row has used the call's time */
	struct match_counted counted;
	bool given_up; /* its work was counted as lost */
};

enum { MATCH_SLOTS = 1 << 17 };
#define MATCH_SHAPE ((struct correlation_shape){MATCH_SLOTS, sizeof(struct match_slot)})
extern struct correlation_table match_table;

/* Returns 0, or -1 without memory. Called once. */
int match_slot_init(void);

static inline struct match_slot *match_slot_of(uint32_t correlation)
{
	return correlation_slot(&match_table, MATCH_SHAPE, correlation);
}

static inline bool match_slot_has_call(const struct match_slot *slot)
{
	return slot->call.leave != 0;
}

/* Returns the call if none of its work has been delivered, otherwise NULL. */
const struct match_call *match_slot_open_call(uint32_t correlation);

/* Returns true if work of the slot waits for delivery. */
bool match_slot_has_work(uint32_t correlation);

/* Counts the work of the slot as lost. */
void match_slot_give_up(uint32_t correlation);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_SLOT_H
#define BACKEND_CUDA_MATCH_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/correlation.h"
#include "backend/cuda/match.h"
#include "backend/cuda/match_row.h"

/* Where a call and its work meet. */
struct match_slot {
	uint32_t correlation;
	uint32_t work;		/* the newest piece that waits here, 0 if none */
	struct match_call call; /* leave is 0 while there is none */
	uint64_t since;		/* CLOCK_MONOTONIC when they were first looked at; 0: not yet */
	bool answered;		/* it has had work */
	bool met;		/* a row has the call's time */
	struct match_counted counted;
	bool given_up; /* its work has been counted as lost */
};

enum { MATCH_SLOTS = 1 << 17 };
#define MATCH_SHAPE ((struct correlation_shape){MATCH_SLOTS, sizeof(struct match_slot)})
extern struct correlation_table match_table;

/* 0, or -1 without memory. Once. */
int match_slot_init(void);

static inline struct match_slot *match_slot_of(uint32_t correlation)
{
	return correlation_slot(&match_table, MATCH_SHAPE, correlation);
}

static inline bool match_slot_has_call(const struct match_slot *slot)
{
	return slot->call.leave != 0;
}

/* The call if no work of it has been handed on, or NULL. */
const struct match_call *match_slot_open_call(uint32_t correlation);

/* Whether it has some that waits to be handed on. */
bool match_slot_has_work(uint32_t correlation);

/* Its work is counted as lost. */
void match_slot_give_up(uint32_t correlation);

#endif

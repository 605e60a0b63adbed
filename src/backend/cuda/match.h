/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_H
#define BACKEND_CUDA_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/calls.h"
#include "model/record.h"

/*
 * Brings the two halves of a record together: the call, and what the device did for it. CUPTI gives
 * both the same correlation id, and delivers them in different buffers, in any order, some of them
 * never. Times are CUPTI's until a record is handed on. Everything here is called by one thread at
 * a time, under the session's drain lock.
 */
struct match_call {
	uint32_t correlation;
	uint32_t thread; /* kernel thread id */
	enum call_kind kind;
	bool runtime; /* of the runtime API: it lasts longer than the driver's call inside it */
	uint64_t enter;
	uint64_t leave;
};

/* 0, or -1 without memory. Once. */
int match_init(void);

/* A call that succeeded. */
void match_add_call(const struct match_call *call);

/* A stream begins to make a graph of what is launched into it, or ends to (CUPTI's clock): launches
 * in between may have no work. */
void match_add_capture(uint64_t begin);
void match_end_capture(uint64_t end);

/* A piece of device work, its times on CUPTI's clock in `started` and `ended` (0 if they are no
 * good), and the node of its graph in `handle`. correlation 0 is nobody's call. */
void match_add_work(const struct record *record, uint32_t correlation);

/* Work that nobody wants to see: its call need not wait for it. */
void match_add_nothing(uint32_t correlation);

/* The same of a kernel: it has values all the same, which are no other's. */
void match_add_unwanted(const struct record *record, uint32_t correlation);

/*
 * Hands on, to session_take, the work whose call is certain, and that which has waited for it long
 * enough; with `all`, everything. How many records that were.
 */
uint64_t match_hand_on(bool all);

/* Whether much waits for calls that have not come: more of it may have to go without. */
bool match_is_crowded(void);

/* Then hands on the work whose call is certain. To be called between two buffers: that of others
 * may be in the next one. */
uint64_t match_make_room(void);

/* CLOCK_MONOTONIC ns: nothing that was entered before is still to come, as far as can be told. */
uint64_t match_horizon(void);

/* How many launches that were entered before this (CLOCK_MONOTONIC ns) wait for their kernels. */
uint32_t match_count_waiting(uint64_t before);

/* CUPTI has given out everything that was entered before `moment` (CLOCK_MONOTONIC ns): calls
 * without work have none, and rows wait for none of them. Returns how many launches are among
 * them. */
uint64_t match_settle(uint64_t moment);

/* How many of these launches have had work after all, since the last such question. */
uint64_t match_come_after_all(void);

#endif

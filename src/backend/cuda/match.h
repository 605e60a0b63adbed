/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_H
#define BACKEND_CUDA_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/calls.h"
#include "model/record.h"

/*
 * Joins the two halves of a record: the call, and its work on the device. CUPTI gives both the same
 * correlation id, and delivers them in different buffers, in any order, some of them never. Times
 * are CUPTI's until a record is delivered. All functions run in one thread at a time, under the
 * session's drain lock.
 */
struct match_call {
	uint32_t correlation;
	uint32_t thread; /* kernel thread id */
	enum call_kind kind;
	bool runtime; /* of the runtime API: it lasts longer than the driver's call inside it */
	uint64_t enter;
	uint64_t leave;
};

/* Returns 0, or -1 without memory. Called once. */
int match_init(void);

/* A successful call. */
void match_add_call(const struct match_call *call);

/* A stream starts or ends the capture of a graph (CUPTI's clock): launches in between may have no
 * work. */
void match_add_capture(uint64_t begin);
void match_end_capture(uint64_t end);

/* Call if captures of graphs may have been missed: it is then not known whether launches without
 * work are lost, and match_doubts_launches returns true. */
void match_doubt_launches(void);
bool match_doubts_launches(void);

/* A piece of device work, with its times on CUPTI's clock in `started` and `ended` (0: not valid),
 * and the node of its graph in `handle`. Correlation 0 belongs to no call. */
void match_add_work(const struct record *record, uint32_t correlation);

/* Recording was started again at `since` (CUPTI's clock). This release of CUPTI then gives wrong
 * correlation ids to kernels of graphs: one that started after `since` is not of a call before it.
 * The initial value is 0: all ids are right. May be called by any thread. */
void match_distrust_graphs(uint64_t since);

/* Work that is not logged: its call need not wait for it. */
void match_add_unlogged(uint32_t correlation);

/* As match_add_unlogged, for a kernel. The kernel has values of counters, which must not go to
 * another kernel, and uses of memory. */
void match_add_filtered(const struct record *record, uint32_t correlation);

/*
 * Delivers to session_take the work whose call is certain, and the work that has waited long
 * enough; with `all`, everything. Returns the number of records.
 */
uint64_t match_deliver(bool all);

/* Returns true if much work waits for its calls: more work may be delivered without its call. */
bool match_has_backlog(void);

/* In that case, delivers the work whose call is certain. Called between two buffers, since the
 * calls of other work may be in the next one. */
uint64_t match_deliver_certain(void);

/* Returns the horizon, CLOCK_MONOTONIC ns: no call that was entered before it is expected to
 * come. */
uint64_t match_horizon(void);

/* Number of launches entered before this time (CLOCK_MONOTONIC ns) that wait for their kernels. */
uint32_t match_count_waiting(uint64_t before);

/* CUPTI has delivered everything that was entered before `moment` (CLOCK_MONOTONIC ns): calls
 * without work have none, and rows no longer wait for them. Returns the number of launches among
 * them. */
uint64_t match_end_waiting(uint64_t moment);

/* Number of these launches whose work came nevertheless, since the last query. */
uint64_t match_count_late(void);

#endif

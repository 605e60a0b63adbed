/* SPDX-License-Identifier: MIT */
#include "backend/cuda/match_open.h"

#include "backend/cuda/stamps.h"
#include "base/clock.h"
#include "base/memory.h"

/* How long a row waits, in ns. */
#define ROW_WAITS UINT64_C(1000000000)	  /* for what nothing is known of yet, */
#define COPY_WAITS INT64_C(2000000000)	  /* for an earlier copy, which may never come, */
#define LAUNCH_WAITS INT64_C(60000000000) /* for an earlier launch, which may be long */

static uint32_t *open, open_count, most; /* correlations */
static uint64_t settled; /* CLOCK_MONOTONIC: everything entered before this has come */

int match_open_init(uint32_t room)
{
	most = room;
	open = memory_map(most * sizeof(*open));
	return open ? 0 : -1;
}

/* Those whose work has come in the meantime go. */
static void forget_answered(void)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < open_count; i++)
		if (match_open_call(open[i]))
			open[left++] = open[i];
	open_count = left;
}

void match_open_add(uint32_t correlation)
{
	if (open_count == most)
		forget_answered();
	if (open_count < most)
		open[open_count++] = correlation;
}

uint64_t match_horizon(void)
{
	uint64_t now = clock_monotonic(), horizon = now - ROW_WAITS;
	uint32_t left = 0;

	if (horizon < settled)
		horizon = settled;
	for (uint32_t i = 0; i < open_count; i++) {
		const struct match_call *call = match_open_call(open[i]);
		uint64_t enter = call ? stamps_monotonic(call->enter) : 0;
		int64_t age = (int64_t)(now - enter);

		if (!call || (!calls_launch(call->kind) && age > COPY_WAITS &&
			      !match_has_work(open[i])))
			continue;
		open[left++] = open[i];
		if (enter < horizon && age <= LAUNCH_WAITS)
			horizon = enter;
	}
	open_count = left;
	return horizon;
}

uint32_t match_count_waiting(uint64_t before)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < open_count; i++) {
		const struct match_call *call = match_open_call(open[i]);

		count += call && calls_launch(call->kind) && !match_has_work(open[i]) &&
			 stamps_monotonic(call->enter) < before;
	}
	return count;
}

uint64_t match_settle(uint64_t moment)
{
	uint64_t launches = 0;
	uint32_t left = 0;

	for (uint32_t i = 0; i < open_count; i++) {
		const struct match_call *call = match_open_call(open[i]);

		if (call && stamps_monotonic(call->enter) >= moment) {
			open[left++] = open[i];
		} else if (call && calls_launch(call->kind)) {
			match_give_up(open[i]);
			launches++;
		}
	}
	open_count = left;
	settled = moment;
	return launches;
}

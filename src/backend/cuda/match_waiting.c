/* SPDX-License-Identifier: MIT */
#include "backend/cuda/match_waiting.h"

#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/match_slot.h"
#include "base/clock.h"
#include "base/memory.h"

/* Times that a row waits, in ns. */
#define ROW_WAITS UINT64_C(1000000000)	  /* for a call of which nothing is known yet */
#define COPY_WAITS INT64_C(2000000000)	  /* for work that may never come, such as copies */
#define LAUNCH_WAITS INT64_C(60000000000) /* for an earlier launch, which may be long */

enum { CAPTURES = 256 }; /* number of remembered captures */

static uint32_t *open, open_count, most; /* correlations */
static struct capture {
	uint64_t begin; /* CUPTI's clock */
	uint64_t end;	/* UINT64_MAX while it is active */
} captures[CAPTURES];
static uint32_t newest_capture;
static uint64_t captured; /* CUPTI's clock: no known capture is active from here on */
static bool doubtful;	 /* captures may be unknown */
static uint64_t delivered_until; /* CLOCK_MONOTONIC: everything entered before was delivered */

int match_waiting_init(uint32_t room)
{
	most = room;
	open = memory_map(most * sizeof(*open));
	return open ? 0 : -1;
}

/* Removes the calls whose work has come in the meantime. */
static void forget_answered(void)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < open_count; i++)
		if (match_slot_open_call(open[i]))
			open[left++] = open[i];
	open_count = left;
}

void match_waiting_add(uint32_t correlation)
{
	if (open_count == most)
		forget_answered();
	if (open_count < most)
		open[open_count++] = correlation;
}

void match_add_capture(uint64_t begin)
{
	newest_capture = (newest_capture + 1) % CAPTURES;
	captures[newest_capture] = (struct capture){begin, UINT64_MAX};
	captured = UINT64_MAX;
}

void match_end_capture(uint64_t end)
{
	struct capture *first = NULL;

	for (uint32_t i = 0; i < CAPTURES; i++)
		if (captures[i].end == UINT64_MAX && captures[i].begin < end &&
		    (!first || captures[i].begin < first->begin))
			first = &captures[i];
	if (first)
		first->end = end;
	captured = 0;
	for (uint32_t i = 0; i < CAPTURES; i++)
		if (captured < captures[i].end)
			captured = captures[i].end;
}

void match_doubt_launches(void)
{
	doubtful = true;
}

bool match_doubts_launches(void)
{
	return doubtful;
}

/* A launch that must have work. During a capture it may be a node of the graph instead. */
static bool is_due(const struct match_call *call)
{
	if (!calls_launch(call->kind))
		return false;
	if (call->enter >= captured)
		return true;
	for (uint32_t i = 0; i < CAPTURES; i++)
		if (call->enter >= captures[i].begin && call->enter < captures[i].end)
			return false;
	return true;
}

/* A copy, a fill or a graph, whose work may still come. */
static bool is_young(const struct match_call *call)
{
	int64_t age = (int64_t)(clock_monotonic() - cupti_clock_monotonic(call->enter));

	return age <= COPY_WAITS && call->enter >= captured;
}

uint64_t match_horizon(void)
{
	uint64_t now = clock_monotonic(), horizon = now - ROW_WAITS;
	uint32_t left = 0;

	if (horizon < delivered_until)
		horizon = delivered_until;
	for (uint32_t i = 0; i < open_count; i++) {
		const struct match_call *call = match_slot_open_call(open[i]);
		uint64_t enter = call ? cupti_clock_monotonic(call->enter) : 0;
		int64_t age = (int64_t)(now - enter);

		if (!call ||
		    (age > COPY_WAITS && !is_due(call) && !match_slot_has_work(open[i])))
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
		const struct match_call *call = match_slot_open_call(open[i]);

		count += call && (is_due(call) || is_young(call)) &&
			 !match_slot_has_work(open[i]) &&
			 cupti_clock_monotonic(call->enter) < before;
	}
	return count;
}

uint64_t match_end_waiting(uint64_t moment)
{
	uint64_t launches = 0;
	uint32_t left = 0;

	for (uint32_t i = 0; i < open_count; i++) {
		const struct match_call *call = match_slot_open_call(open[i]);

		if (call && cupti_clock_monotonic(call->enter) >= moment) {
			open[left++] = open[i];
		} else if (call && is_due(call)) {
			match_slot_give_up(open[i]);
			launches++;
		}
	}
	open_count = left;
	delivered_until = moment;
	return launches;
}

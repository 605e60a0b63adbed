/* SPDX-License-Identifier: MIT */
#include "backend/cuda/cupti_clock.h"

#include "backend/cuda/functions.h"
#include "base/clock.h"
#include "session/session.h"

/* ns: clocks that differ by less are the same clock. Others are years apart. */
#define NEAR INT64_C(10000000000)

/* ns: the drift and the measuring error of a clock difference are smaller. */
enum { STEP = 1000000 };

static uint64_t to_epoch; /* ns to add to CUPTI's stamps, modulo 2^64 */
static uint64_t to_monotonic; /* ns to add to the result */

void cupti_clock_compare(void)
{
	uint64_t before = clock_read(CLOCK_REALTIME), stamp, after;
	int64_t difference;

	to_epoch = 0;
	to_monotonic = 0 - (uint64_t)session_catalog()->process.monotonic_to_epoch;
	if (cupti.GetTimestamp(&stamp))
		return;
	after = clock_read(CLOCK_REALTIME);
	difference = (int64_t)(before + (after - before) / 2 - stamp);
	if (difference > NEAR || difference < -NEAR)
		to_epoch = (uint64_t)difference;
}

void cupti_clock_check(void)
{
	uint64_t now;
	int64_t moved;

	if (to_epoch)
		return; /* CUPTI's clock is not CLOCK_REALTIME, which can be set */
	now = (uint64_t)clock_offset(CLOCK_MONOTONIC, CLOCK_REALTIME);
	moved = (int64_t)(now - to_monotonic);
	if (moved > STEP || moved < -STEP)
		to_monotonic = now;
}

uint64_t cupti_clock_epoch(uint64_t stamp)
{
	return stamp + to_epoch;
}

uint64_t cupti_clock_monotonic(uint64_t stamp)
{
	return cupti_clock_epoch(stamp) + to_monotonic;
}

/* SPDX-License-Identifier: MIT */
#include "backend/cuda/match_row.h"

#include "backend/cuda/counters/measured.h"
#include "backend/cuda/stamps.h"
#include "base/clock.h"
#include "session/session.h"

bool match_row_has_more(uint64_t records, uint32_t correlation)
{
	size_t kernels = measured_left(correlation);

	return kernels && records > kernels;
}

bool match_row_is_again(const struct record *record, const struct match_call *call,
			struct match_counted *counted)
{
	bool again = counted->any && call && call->kind == CALL_LAUNCH;

	again |= counted->any && counted->again && record->handle &&
		 record->handle == counted->node;
	counted->any = true;
	counted->node = record->handle;
	return again;
}

void match_row_set(struct record *record, const struct match_call *call, bool met)
{
	if (call)
		record->enter = stamps_monotonic(call->enter);
	else
		record->enter = record->started ? stamps_monotonic(record->started)
						: clock_monotonic();
	record->leave = record->enter;
	record->frame.thread = call ? call->thread : 0;
	if (call && !met)
		record->leave = stamps_monotonic(call->leave);
	else
		record->frame.flags |= RECORD_NO_CALL;
	if (!(record->known & KNOWN_TIMES))
		return;
	record->started = stamps_epoch(record->started);
	record->ended = stamps_epoch(record->ended);
	record->queued = record->submitted = record->started;
}

void match_row_take(struct record *record, uint32_t correlation)
{
	static double values[CHOICE_LIMIT]; /* guarded by the drain lock */
	size_t count = correlation ? measured_take(correlation, values) : 0;

	record->handle = 0;
	session_take(record, values, (uint32_t)count);
}

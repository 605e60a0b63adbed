/* SPDX-License-Identifier: MIT */
#include "backend/cuda/match_record.h"

#include "backend/cuda/api_event.h"
#include "backend/cuda/counters/counter_values.h"
#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/launch_stacks.h"
#include "base/clock.h"
#include "session/session.h"

/* The ns for which kernels wait for their values, which may come with the next launch of the
 * context, half a minute later at most; and after that, for other kernels of the graph. */
#define VALUES_WAIT  UINT64_C(60000000000)
#define KERNELS_WAIT UINT64_C(500000000)

bool match_record_is_kernel(const struct record *record)
{
	return record->frame.kind == FRAME_KERNEL || record->frame.kind == FRAME_NONE;
}

bool match_record_lacks(uint64_t kernels, uint32_t correlation, const struct match_call *call,
			uint64_t waited)
{
	if (!kernels)
		return false;
	if (counter_values_state(correlation) == MEASURED_EXPECTED)
		return waited < VALUES_WAIT;
	return call->kind == CALL_GRAPH && counter_values_left(correlation) > kernels &&
	       counter_values_is_fresh(correlation, KERNELS_WAIT);
}

void match_record_begin(uint64_t kernels, uint32_t correlation, const struct match_call *call,
			struct match_counted *counted)
{
	size_t values = kernels ? counter_values_left(correlation) : 0;

	counted->again |= values && kernels > values;
	if (call->kind == CALL_GRAPH && values > kernels)
		counter_values_drop(correlation);
}

bool match_record_is_replay_pass(const struct record *record, const struct match_call *call,
				 struct match_counted *counted)
{
	bool again = counted->any && call && calls_launch_one(call->kind);

	again |= counted->any && counted->again && record->handle &&
		 record->handle == counted->node;
	counted->any = true;
	counted->node = record->handle;
	return again;
}

void match_record_set(struct record *record, const struct match_call *call, bool met)
{
	if (api_event_wanted && call && record->frame.kind != FRAME_NONE)
		api_event_made(call->correlation);
	if (launch_stacks_on && call)
		record->frame.stack = launch_stacks_of(call->correlation);
	if (launch_stacks_on && call && record->handle)
		record->frame.stack = launch_stacks_in_graph(record->frame.stack, record->handle);
	if (call)
		record->enter = cupti_clock_monotonic(call->enter);
	else
		record->enter = record->started ? cupti_clock_monotonic(record->started)
						: clock_monotonic();
	record->leave = record->enter;
	record->frame.thread = call ? call->thread : 0;
	if (call && !met)
		record->leave = cupti_clock_monotonic(call->leave);
	else
		record->frame.flags |= RECORD_NO_CALL;
	if (!(record->known & KNOWN_TIMES))
		return;
	record->started = cupti_clock_epoch(record->started);
	record->ended = cupti_clock_epoch(record->ended);
	record->queued = record->submitted = record->started;
}

void match_record_take(struct record *record, uint32_t correlation)
{
	static double values[COUNTER_REQUESTS_MOST]; /* guarded by the drain lock */
	size_t count = correlation ? counter_values_take(correlation, values) : 0;

	record->handle = 0;
	if (record->frame.kind != FRAME_NONE)
		session_take(record, values, (uint32_t)count);
}

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_MATCH_STUBS_H
#define TESTS_UNIT_MATCH_STUBS_H

/* Include after cmocka.h, once per program: runs match.c, with stubs for its neighbours. */
#include "backend/cuda/api_event.h"
#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/launch_stacks.h"
#include "backend/cuda/match.h"
#include "backend/cuda/pending_uses.h"
#include "session/session.h"

/* Stubs of the session and of CUPTI's clock: the delivered records; times are not converted. */
enum { MOST = 16, SLOTS = 1 << 17 };
static struct record taken[MOST];
static double first_value[MOST]; /* of the record's values, value_count of them */
static uint32_t value_count[MOST];
static int count;
static uint32_t newest; /* base of the correlations and threads of a test */
static bool ignores_records;

void session_take(struct record *record, const double *values, uint32_t values_count)
{
	if (ignores_records)
		return;
	assert_true(count < MOST);
	assert_int_equal(record->handle, 0);
	value_count[count] = values_count;
	first_value[count] = values_count ? *values : 0;
	taken[count++] = *record;
}

/* Stub of api_event.c: the calls that made records, and the last one that made none. */
static uint32_t made_by[MOST], made_count, nothing_of;

bool api_event_wanted = true;

void api_event_made(uint32_t correlation)
{
	if (ignores_records)
		return;
	assert_true(made_count < MOST);
	made_by[made_count++] = correlation - newest;
}

void api_event_no_record(uint32_t correlation)
{
	nothing_of = correlation - newest;
}

/* The stack of a call has its id and one more. */
bool launch_stacks_on = true;

uint32_t launch_stacks_of(uint32_t correlation)
{
	return correlation + 1;
}

uint32_t launch_stacks_in_graph(uint32_t launch, uint64_t node)
{
	return launch + (uint32_t)node;
}

/* Stub of pending_uses.c: the calls whose uses were delivered, after their records. */
static uint32_t used_by[MOST];
static int used_count;

bool pending_uses_on;

void pending_uses_deliver(uint32_t correlation, const struct record *record)
{
	assert_true(used_count < MOST);
	assert_true(record->frame.kind == FRAME_NONE || used_count < count);
	used_by[used_count++] = correlation - newest;
}

uint64_t cupti_clock_epoch(uint64_t stamp)
{
	return stamp;
}

uint64_t cupti_clock_monotonic(uint64_t stamp)
{
	return stamp;
}

static inline int begin(void **state)
{
	(void)state;
	match_deliver(true);
	match_end_waiting(UINT64_MAX);
	match_end_waiting(0);
	match_count_late();
	newest += 1000;
	count = 0;
	used_count = 0;
	made_count = nothing_of = 0;
	return 0;
}

enum { DRIVER, RUNTIME };

/* Adds a launch of the thread that lasts from `enter` to `leave` (ns). */
static inline void call(uint32_t thread, int runtime, uint32_t correlation, uint64_t enter,
			uint64_t leave)
{
	match_add_call(&(struct match_call){
		.correlation = newest + correlation,
		.thread = newest + thread,
		.kind = CALL_LAUNCH,
		.runtime = runtime,
		.enter = enter,
		.leave = leave,
	});
}

static inline void work(uint32_t correlation, uint64_t started)
{
	struct record record = {
		.frame.kind = FRAME_KERNEL,
		.started = started,
		.ended = started + 5,
		.known = KNOWN_TIMES,
	};

	match_add_work(&record, correlation ? newest + correlation : 0);
}

static inline void assert_row(int row, uint64_t enter, uint64_t leave, uint64_t started)
{
	assert_true(row < count);
	assert_int_equal(taken[row].enter, enter);
	assert_int_equal(taken[row].leave, leave);
	assert_int_equal(taken[row].started, started);
	assert_int_equal(taken[row].ended, started + 5);
	assert_false(taken[row].frame.flags & RECORD_NO_CALL);
}

static inline void assert_no_call(int row, uint64_t enter, uint64_t started)
{
	assert_true(row < count);
	assert_int_equal(taken[row].enter, enter);
	assert_int_equal(taken[row].started, started);
	assert_true(taken[row].frame.flags & RECORD_NO_CALL);
}

#endif

/* SPDX-License-Identifier: MIT */
/* CUDA calls as events, for every order of CUPTI's records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_stubs.h"

/* The session takes a record of the call. */
static uint64_t made(uint32_t correlation)
{
	api_event_made(newest + correlation);
	return ++number;
}

static void test_no_work(void **state)
{
	(void)state;
	call(RUNTIME, CALL_OTHER, 1, 100, 110, 0);
	call(RUNTIME, CALL_LAUNCH, 2, 120, 130, 700);
	assert_int_equal(api_event_deliver(false), 2);
	assert_int_equal(taken[0].call.name, 200 + CALL_OTHER);
	assert_int_equal(taken[0].call.number, CALL_OTHER);
	assert_int_equal(taken[0].call.enter, 100);
	assert_int_equal(taken[0].call.leave, 110);
	assert_int_equal(taken[0].call.api, API_CUDA);
	assert_int_equal(taken[0].frame.kind, FRAME_CALL);
	assert_int_equal(taken[0].frame.thread, newest + 7);
	assert_int_equal(taken[0].call.made, 0);
	assert_int_equal(taken[0].call.records, 0);
	assert_int_equal(taken[1].call.result, 700); /* failed calls have no records */
	assert_int_equal(api_event_deliver(true), 0);
}

static void test_work_in_either_order(void **state)
{
	uint64_t first, second;

	(void)state;
	call(RUNTIME, CALL_LAUNCH, 1, 100, 110, 0);
	assert_int_equal(api_event_deliver(false), 0);
	first = made(1);
	second = made(2);
	assert_int_equal(api_event_deliver(false), 1);
	assert_int_equal(taken[0].call.made, first);
	assert_int_equal(taken[0].call.records, 1);
	made(1); /* too late */
	call(RUNTIME, CALL_LAUNCH, 2, 120, 130, 0);
	assert_int_equal(api_event_deliver(false), 1);
	assert_int_equal(taken[1].call.made, second);
}

/* Several records of a graph, unless a record of another call is between them. */
static void test_several_records(void **state)
{
	uint64_t first;

	(void)state;
	call(RUNTIME, CALL_GRAPH, 1, 100, 110, 0);
	first = made(1);
	made(1);
	made(1);
	made(2);
	made(1);
	assert_int_equal(api_event_deliver(false), 1);
	assert_int_equal(taken[0].call.made, first);
	assert_int_equal(taken[0].call.records, 3);
}

static void test_inside(void **state)
{
	(void)state;
	call(DRIVER, CALL_LAUNCH, 1, 102, 108, 0);
	made(1);
	assert_int_equal(api_event_deliver(false), 0);
	call(RUNTIME, CALL_LAUNCH, 1, 100, 110, 0);
	assert_int_equal(api_event_deliver(false), 1);
	assert_int_equal(taken[0].call.name, 200 + CALL_LAUNCH);
	assert_int_equal(taken[0].call.records, 1);
	call(DRIVER, CALL_LAUNCH, 1, 102, 108, 0); /* the reverse order */
	assert_int_equal(api_event_deliver(true), 0);
	/* Several driver calls in one runtime call: the one that makes the work counts. */
	call(DRIVER, CALL_OTHER, 2, 122, 123, 0);
	call(DRIVER, CALL_COPY, 2, 124, 125, 0);
	call(DRIVER, CALL_OTHER, 2, 126, 127, 0);
	made(2);
	assert_int_equal(api_event_deliver(true), 1);
	assert_int_equal(taken[1].call.name, 100 + CALL_COPY);
	assert_int_equal(taken[1].call.records, 1);
	/* The call of the runtime API comes too late. */
	call(RUNTIME, CALL_COPY, 2, 120, 130, 0);
	assert_int_equal(count, 3);
	assert_int_equal(taken[2].call.made, 0);
}

static void test_driver_alone(void **state)
{
	(void)state;
	call(DRIVER, CALL_OTHER, 1, 100, 110, 0);
	assert_int_equal(api_event_deliver(false), 0);
	call(DRIVER, CALL_OTHER, 2, 110, 120, 0);
	assert_int_equal(api_event_deliver(false), 1);
	assert_int_equal(taken[0].call.enter, 100);
	assert_int_equal(api_event_deliver(true), 1);
}

static void test_slot_is_needed(void **state)
{
	(void)state;
	call(RUNTIME, CALL_LAUNCH, 1, 100, 110, 0);
	call(RUNTIME, CALL_LAUNCH, 1 + SLOTS, 120, 130, 0);
	assert_int_equal(count, 1);
	assert_int_equal(taken[0].call.enter, 100);
	call(RUNTIME, CALL_OTHER, 1, 100, 110, 0); /* and is written unchanged */
	assert_int_equal(count, 2);
	made(1);
	assert_int_equal(api_event_deliver(true), 1);
	assert_int_equal(taken[2].call.records, 0);
	newest += SLOTS;
}

static void test_nothing(void **state)
{
	(void)state;
	call(RUNTIME, CALL_LAUNCH, 1, 100, 110, 0);
	api_event_no_record(newest + 1);
	api_event_no_record(0);
	assert_int_equal(api_event_deliver(false), 1);
	assert_int_equal(taken[0].call.made, 0);
	call(RUNTIME, CALL_LAUNCH, 2, 120, 130, 0); /* never comes */
	assert_int_equal(api_event_deliver(false), 0);
	assert_int_equal(api_event_deliver(true), 1);
}

static void test_own_queries(void **state)
{
	(void)state;
	asked = true;
	call(DRIVER, CALL_OTHER, 1, 100, 110, 0);
	assert_int_equal(api_event_deliver(true), 0);
}

static void test_no_stamps(void **state)
{
	uint64_t now = clock_monotonic();

	(void)state;
	call(RUNTIME, CALL_OTHER, 1, 0, 0, 0);
	assert_int_equal(api_event_deliver(false), 1);
	assert_in_range(taken[0].call.enter, now, now + 1000000000);
	assert_true(taken[0].call.enter <= taken[0].call.leave);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_no_work, begin),
		cmocka_unit_test_setup(test_work_in_either_order, begin),
		cmocka_unit_test_setup(test_several_records, begin),
		cmocka_unit_test_setup(test_inside, begin),
		cmocka_unit_test_setup(test_driver_alone, begin),
		cmocka_unit_test_setup(test_slot_is_needed, begin),
		cmocka_unit_test_setup(test_nothing, begin),
		cmocka_unit_test_setup(test_own_queries, begin),
		cmocka_unit_test_setup(test_no_stamps, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

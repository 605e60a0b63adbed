/* SPDX-License-Identifier: MIT */
/* The time that rows wait for earlier launches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "match_stubs.h"

static void test_horizon(void **state)
{
	uint64_t now = clock_monotonic(), late = now - 500000000;

	(void)state;
	assert_in_range(match_horizon(), now - 1000000000, now - 900000000);
	call(7, RUNTIME, 1, now - 3000000000u, now - 3000000000u + 9);
	call(7, RUNTIME, 2, late, late + 9);
	assert_int_equal(match_horizon(), now - 3000000000u);
	assert_int_equal(match_count_waiting(now), 2);
	assert_int_equal(match_count_waiting(now - 4000000000u), 0);
	work(1, now - 2000000000);
	match_deliver(false);
	assert_in_range(match_horizon(), now - 1000000000, now - 900000000);
	assert_int_equal(match_count_waiting(now), 1);
	/* CUPTI has delivered everything but the second kernel: it is lost and no longer waited
	 * for. */
	assert_int_equal(match_end_waiting(now), 1);
	assert_int_equal(match_horizon(), now);
	assert_int_equal(match_count_waiting(now), 0);
	match_end_waiting(0);
}

/* Work that still runs when everything is delivered is given up, but may come later. */
static void test_given_up(void **state)
{
	uint64_t now = clock_monotonic(), early = now - 3000000000u;

	(void)state;
	call(7, RUNTIME, 1, early, early + 9);
	call(8, RUNTIME, 2, early + 10, early + 19);
	call(9, RUNTIME, 3, now, now + 9); /* another thread, meanwhile */
	assert_int_equal(match_end_waiting(now), 2);
	assert_int_equal(match_count_waiting(now + 1), 1);
	assert_int_equal(match_count_late(), 0);
	work(2, early + 20);
	work(3, now + 20);
	match_deliver(false);
	assert_row(0, early + 10, early + 19, early + 20);
	assert_row(1, now, now + 9, now + 20);
	assert_int_equal(match_count_late(), 1);
	assert_int_equal(match_count_late(), 0);
}

/* Captured launches have no work until their graph is launched. Launches of other threads during
 * the capture may have some. */
static void test_captured(void **state)
{
	uint64_t now = clock_monotonic(), early = now - 3000000000u;

	(void)state;
	match_add_capture(early - 10);
	call(7, RUNTIME, 1, early, early + 9);
	call(8, RUNTIME, 2, early + 10, early + 19);
	match_end_capture(early + 20);
	call(7, RUNTIME, 3, early + 30, early + 39);
	assert_int_equal(match_horizon(), early + 30);
	assert_int_equal(match_count_waiting(now), 1);
	work(2, early + 15);
	match_deliver(false);
	assert_row(0, early + 10, early + 19, early + 15);
	assert_int_equal(match_end_waiting(now), 1);
	match_end_capture(now); /* its start is unknown */
	match_end_waiting(0);
}

/* Rows do not wait for a very long kernel any more. The exit of the process waits for it, and it is
 * then lost. */
static void test_very_long(void **state)
{
	uint64_t now = clock_monotonic(), early = now - 61000000000u;

	(void)state;
	call(7, RUNTIME, 1, early, early + 9);
	assert_in_range(match_horizon(), now - 1000000000, now - 900000000);
	assert_int_equal(match_count_waiting(now), 1);
	assert_int_equal(match_end_waiting(now), 1);
}

/* It is waited for, but for two seconds after its call only, and is not lost. */
static void test_a_copy_may_never_come(void **state)
{
	uint64_t now = clock_monotonic();
	struct match_call copy = {
		.correlation = newest + 1,
		.kind = CALL_COPY,
		.runtime = true,
		.enter = now - 1500000000,
		.leave = now - 1400000000,
	};

	(void)state;
	match_add_call(&copy);
	assert_int_equal(match_horizon(), copy.enter);
	assert_int_equal(match_count_waiting(now), 1);
	copy.correlation++;
	copy.enter -= 1000000000;
	match_add_call(&copy);
	assert_int_equal(match_count_waiting(now), 1);
	assert_int_equal(match_horizon(), now - 1500000000);
	assert_int_equal(match_end_waiting(now), 0);
	match_end_waiting(0);
}

/* Graph launches have no name in CUPTI of CUDA 8. */
static void test_a_call_without_a_name(void **state)
{
	uint64_t now = clock_monotonic(), early = now - 3000000000u;
	const struct match_call launch = {
		.correlation = newest + 1,
		.kind = CALL_OTHER,
		.runtime = true,
		.enter = early,
		.leave = early + 9,
	};

	(void)state;
	match_add_call(&launch);
	assert_in_range(match_horizon(), now - 1000000000, now - 900000000);
	work(1, early + 20);
	assert_int_equal(match_deliver(false), 1);
	assert_row(0, early, early + 9, early + 20);
}

static void test_unwanted(void **state)
{
	uint64_t now = clock_monotonic(), early = now - 3000000000u;

	(void)state;
	call(7, RUNTIME, 1, early, early + 9);
	match_add_unlogged(newest + 1);
	match_add_unlogged(newest + 2);
	call(7, RUNTIME, 2, early, early + 9);
	assert_in_range(match_horizon(), now - 1000000000, now - 900000000);
	/* A graph may have other kernels, and the first of those has the call's time. */
	work(1, early + 20);
	match_deliver(false);
	assert_row(0, early, early + 9, early + 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_horizon, begin),
		cmocka_unit_test_setup(test_captured, begin),
		cmocka_unit_test_setup(test_given_up, begin),
		cmocka_unit_test_setup(test_very_long, begin),
		cmocka_unit_test_setup(test_a_copy_may_never_come, begin),
		cmocka_unit_test_setup(test_a_call_without_a_name, begin),
		cmocka_unit_test_setup(test_unwanted, begin),
	};

	return match_init() || cmocka_run_group_tests(tests, NULL, NULL);
}

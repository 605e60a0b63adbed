/* SPDX-License-Identifier: MIT */
/* Counters when the engine fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counters_stubs.h"

static char heard[4096];
static int kept, ends[2];

static void listen(void)
{
	kept = dup(2);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 2);
	close(ends[1]);
}

static const char *what_was_heard(void)
{
	ssize_t size;

	dup2(kept, 2);
	close(kept);
	size = read(ends[0], heard, sizeof(heard) - 1);
	heard[size < 0 ? 0 : size] = '\0';
	close(ends[0]);
	return heard;
}

static int begin(void **state)
{
	(void)state;
	start_again();
	return 0;
}

/* Before there is a log: the counters are refused in it. */
static void test_at_start(void **state)
{
	(void)state;
	script.start = BUSY;
	listen();
	counters_add_context(HANDLE(0));
	counters_add_context(HANDLE(1));
	assert_int_equal(counter_values_state(launch(0)), MEASURED_NOT);
	assert_string_equal(what_was_heard(),
			    "computeprof: counters not in the log (compute capability 9.0): "
			    "sm__one.sum, sm__two.sum: another profiler uses the counters\n");
	assert_int_equal(starts, 1);
	assert_int_equal(counted_columns[0], 0);
	assert_string_equal(refused, "sm__one.sum\nsm__two.sum\n");
}

/* Later: empty values. After a few consecutive errors a context is not measured any more. */
static void test_in_later_context(void **state)
{
	uint32_t one;

	(void)state;
	counters_add_context(HANDLE(0));
	assert_int_equal(counted_columns[0], 2);
	script.start = BUSY;
	listen();
	for (int i = 0; i < 10; i++)
		assert_int_equal(counter_values_state(launch(1)), MEASURED_NOT);
	assert_string_equal(what_was_heard(),
			    "computeprof: counters of some kernels are missing in the log: another "
			    "profiler uses the counters\n"
			    "computeprof: counters of a context are disabled after 3 errors: "
			    "another profiler uses the counters\n");
	assert_int_equal(starts, 4);
	script.start = 0;
	one = launch(0);
	assert_true(first_value(one) == 10);
	assert_int_equal(counted_columns[0], 2);
}

static void test_at_enter(void **state)
{
	uint32_t one, two, three;

	(void)state;
	script.late = true;
	one = launch(0);
	script.enter = 999;
	two = launch(0);
	script.enter = 0;
	three = launch(0);
	counters_fetch(true);
	assert_true(first_value(one) == 10);
	assert_int_equal(counter_values_state(two), MEASURED_NOT);
	assert_true(first_value(three) == 20);
}

static void test_at_leave(void **state)
{
	uint32_t one;

	(void)state;
	script.leave = 999;
	for (int i = 0; i < 2; i++) {
		one = launch(0);
		assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
	}
	script.leave = 0;
	one = launch(0);
	assert_true(first_value(one) == 30);
	script.leave = 999; /* counted from 0 again */
	for (int i = 0; i < 2; i++)
		launch(0);
	script.leave = 0;
	assert_true(first_value(launch(0)) == 60);
}

static void test_at_pause(void **state)
{
	uint32_t one;

	(void)state;
	script.late = true;
	script.pause = 999;
	one = launch(0);
	launch_named(0, CALL_LAUNCH_COOPERATIVE, "x");
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
	assert_int_equal(stops, 1);
	script.pause = 0;
	one = launch(0);
	counters_fetch(true);
	assert_true(first_value(one) == 20);
}

/* CUPTI returns no values: one message, and no further attempt. */
static void test_silent(void **state)
{
	(void)state;
	launch(0);
	script.enter = ENGINE_SILENT;
	listen();
	launch(0);
	script.enter = 0;
	for (int i = 0; i < 5; i++)
		assert_int_equal(counter_values_state(launch(0)), MEASURED_NOT);
	assert_string_equal(what_was_heard(),
			    "computeprof: counters of a context are disabled: CUPTI has returned "
			    "no counters of several kernels in a row\n");
	assert_int_equal(starts, 1);
	assert_int_equal(stops, 1);
}

/* After a change of the counters it is tried again. */
static void test_new_plan(void **state)
{
	(void)state;
	script.enter = 999;
	for (int i = 0; i < 5; i++)
		launch(0);
	script.enter = 0;
	assert_int_equal(counter_values_state(launch(0)), MEASURED_NOT);
	atomic_store(&current_settings, &settings[1]);
	counters_replan();
	assert_int_equal(counter_values_state(launch(0)), MEASURED_COMPLETE);
}

/* The session has no room for other columns, and the values would be in the old ones. */
static void test_no_room(void **state)
{
	uint32_t one;

	(void)state;
	launch(0);
	full = -1;
	counters_replan();
	one = launch(0);
	assert_int_equal(starts, stops); /* nothing is measured */
	full = 0;
	assert_true(first_value(one) == -1);
	counters_replan();
	assert_true(first_value(launch(0)) == 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_at_start, begin),
		cmocka_unit_test_setup(test_in_later_context, begin),
		cmocka_unit_test_setup(test_at_enter, begin),
		cmocka_unit_test_setup(test_at_leave, begin),
		cmocka_unit_test_setup(test_at_pause, begin),
		cmocka_unit_test_setup(test_silent, begin),
		cmocka_unit_test_setup(test_new_plan, begin),
		cmocka_unit_test_setup(test_no_room, begin),
	};

	prepare();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

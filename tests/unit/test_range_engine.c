/* SPDX-License-Identifier: MIT */
/* The range engine with a scripted Range Profiler: the assignment of values by their time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "rangeuse.h"

/* Values are requested at the entry of the next launch, and at the end. */
static void test_order(void **state)
{
	(void)state;
	start(0);
	check_calls("Availability Host Add ConfigSize Config Passes "
		    "Enable Size Image SetConfig Start ");
	launch(0, 1, 1);
	check_calls("Decode Info ");
	assert_int_equal(leave(0), 0);
	check_calls("");
	assert_false(contexts[0].no_more_values);
	launch(0, 2, 1);
	check_calls("Decode Info Evaluate Image ");
	check(1, 1);
	assert_int_equal(leave(0), 0);
	stop(0);
	check_calls("Stop Decode Info Evaluate Image Disable EndHost ");
	check(2, 1);
	assert_int_equal(play.hosts, 0);
}

/* All functions may be called if nothing was started. */
static void test_not_started(void **state)
{
	(void)state;
	assert_int_equal(enter(0), 0);
	assert_int_equal(leave(0), 0);
	assert_true(contexts[0].no_more_values);
	assert_int_equal(pause_context(0), 0);
	stop(0);
	check_calls("");
}

static void test_graph(void **state)
{
	(void)state;
	start(0);
	for (int i = 0; i < 3; i++) {
		launch(0, i * 100, 50);
		assert_int_equal(leave(0), 0);
		assert_int_equal(pause_context(0), 0);
		check(i * 100, 50);
	}
	stop(0);
	check(0, 0);
}

/* Graphs without kernels: their values are looked for a few times, and others are not affected. */
static void test_empty_graphs(void **state)
{
	(void)state;
	start(0);
	for (int i = 0; i < 10; i++) {
		contexts[0].graph = true;
		forget_calls();
		launch(0, 0, 0);
		check_calls(i == 0	       ? "Decode Info "
			    : i < 4 ? "Decode Info Stop Decode Info Start "
				    : "Decode Info ");
		assert_int_equal(leave(0), 0);
		check(0, 0);
	}
	contexts[0].graph = false;
	launch(0, 7, 1);
	assert_int_equal(leave(0), 0);
	finish(0);
	check(7, 1);
	stop(0);
}

/* Values come only after Stop, as CUPTI's header says: they are waited for, and never assigned to
 * the next launch. The session is not torn down. */
static void test_at_stop(void **state)
{
	(void)state;
	play.when = PLAY_AT_STOP;
	start(0);
	for (int i = 0; i < 10; i++) {
		forget_calls();
		launch(0, i * 10, 3);
		check((i - 1) * 10, i ? 3 : 0);
		check_calls(i ? "Decode Info Stop Decode Info Evaluate Evaluate Evaluate Image "
				"Start "
			      : "Decode Info ");
		assert_int_equal(leave(0), 0);
		assert_false(contexts[0].no_more_values);
		check(0, 0);
	}
	stop(0);
	check(90, 3);
}

/* No values come at all: after three launches the engine gives up. */
static void test_silent(void **state)
{
	(void)state;
	play.when = PLAY_NEVER;
	start(0);
	for (int i = 0; i < 3; i++) {
		launch(0, i, 1);
		assert_int_equal(leave(0), 0);
	}
	assert_null(strstr(play.calls, "Disable"));
	assert_int_equal(enter(0), ENGINE_SILENT);
	forget_calls();
	stop(0);
	check_calls("Disable EndHost ");
	check(0, 0);
	play.when = PLAY_AT_ENTRY; /* a few launches without values are no reason */
	start(0);
	for (int i = 0; i < 9; i++) {
		launch(0, i, i % 3 == 2);
		assert_int_equal(leave(0), 0);
		given_count = 0;
	}
	stop(0);
}

/* A launch that failed has no values to wait for. */
static void test_failed_launches(void **state)
{
	(void)state;
	start(0);
	for (int i = 0; i < 9; i++) {
		launch(0, 0, 0);
		assert_int_equal(leave(0), 0);
		contexts[0].expected = false;
		assert_int_equal(range_engine.leave(&contexts[0], NULL, NULL), 0);
		assert_true(contexts[0].no_more_values);
	}
	assert_null(strstr(play.calls, "Stop"));
	stop(0);
}

/* Measuring pauses and goes on, whatever CUPTI needs for that. */
static void test_pause(void **state)
{
	(void)state;
	for (int once = 0; once < 2; once++) {
		play.starts_once = once;
		start(0);
		for (int i = 0; i < 5; i++) {
			launch(0, i * 10, 2);
			assert_int_equal(leave(0), 0);
			forget_calls();
			assert_int_equal(pause_context(0), 0);
			check_calls("Stop Decode Info Evaluate Evaluate Image ");
			check(i * 10, 2);
			assert_int_equal(pause_context(0), 0);
			check_calls("");
			play_kernels(0, 1000, 1); /* not measured */
			forget_calls();
			launch(0, i * 10 + 5, 1);
			check_calls(!once ? "Start " : !i ? "Start SetConfig Start "
							  : "SetConfig Start ");
			check(0, 0);
			assert_int_equal(leave(0), 0);
			launch(0, 99, 1);
			check(i * 10 + 5, 1);
			assert_int_equal(leave(0), 0);
			assert_int_equal(pause_context(0), 0);
			check(99, 1);
		}
		stop(0);
		assert_int_equal(play.hosts, 0);
	}
}

/* Kernels that were not reported, after a launch whose values were taken: they are in no launch's
 * values. */
static void test_unreported_kernels(void **state)
{
	(void)state;
	start(0);
	for (int i = 0; i < 10; i++) {
		launch(0, i * 10, 2);
		contexts[0].expected = false;
		assert_int_equal(range_engine.leave(&contexts[0], NULL, NULL), 0);
		play_kernels(0, 1000, 5);
	}
	check(0, 0);
	launch(0, 7, 1);
	check(0, 0);
	assert_int_equal(leave(0), 0);
	stop(0);
	check(7, 1);
}

static void test_two_contexts(void **state)
{
	(void)state;
	start(0);
	start(1);
	for (int i = 0; i < 6; i++) {
		launch(i % 2, i * 10, 2);
		check((i - 2) * 10, i < 2 ? 0 : 2);
		assert_int_equal(leave(i % 2), 0);
	}
	stop(0);
	check(40, 2);
	launch(1, 99, 1);
	check(50, 2);
	assert_int_equal(leave(1), 0);
	stop(1);
	check(99, 1);
	assert_int_equal(play.hosts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_order, begin),
		cmocka_unit_test_setup(test_not_started, begin),
		cmocka_unit_test_setup(test_graph, begin),
		cmocka_unit_test_setup(test_empty_graphs, begin),
		cmocka_unit_test_setup(test_at_stop, begin),
		cmocka_unit_test_setup(test_silent, begin),
		cmocka_unit_test_setup(test_failed_launches, begin),
		cmocka_unit_test_setup(test_pause, begin),
		cmocka_unit_test_setup(test_unreported_kernels, begin),
		cmocka_unit_test_setup(test_two_contexts, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

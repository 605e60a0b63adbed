/* SPDX-License-Identifier: MIT */
/* The range engine with a scripted Range Profiler: the assignment of values by their time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rangeuse.h"

static void test_order(void **state)
{
	(void)state;
	start(0);
	check_calls("Availability Host Add ConfigSize Config Passes "
		    "Enable Size Image SetConfig Start ");
	launch(0, 1, 1);
	check_calls("Decode Info ");
	assert_int_equal(leave(0), 0);
	check_calls("Decode Info Evaluate Image ");
	assert_true(contexts[0].settled);
	check(1, 1);
	assert_int_equal(drain(0), 0);
	check_calls("");
	stop(0);
	check_calls("Stop Decode Info Disable EndHost ");
	check(0, 0);
	assert_int_equal(play.hosts, 0);
}

/* All functions may be called if nothing was started. */
static void test_not_started(void **state)
{
	(void)state;
	assert_int_equal(enter(0), 0);
	assert_int_equal(leave(0), 0);
	assert_true(contexts[0].settled);
	assert_int_equal(drain(0), 0);
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
		check(i * 100, 50);
	}
	launch(0, 0, 0); /* a graph without kernels */
	assert_int_equal(leave(0), 0);
	assert_false(contexts[0].settled);
	check(0, 0);
	stop(0);
	check(0, 0);
}

/* Values come at the next entry only: they are delivered there, and exits are soon not tried any
 * more. */
static void test_late(void **state)
{
	(void)state;
	play.when = PLAY_AT_ENTRY;
	start(0);
	for (int i = 0; i < 10; i++) {
		launch(0, i * 10, 3);
		check((i - 1) * 10, i ? 3 : 0);
		forget_calls();
		assert_int_equal(leave(0), 0);
		check_calls(i < 3 ? "Decode Info " : "");
		assert_false(contexts[0].settled);
		assert_int_equal(drain(0), 0);
		assert_false(contexts[0].settled);
		check(0, 0);
	}
	stop(0);
	check(90, 3);
}

/* Values come even later: they are waited for, and never assigned to the next launch. */
static void test_later(void **state)
{
	(void)state;
	play.when = PLAY_AT_STOP;
	start(0);
	for (int i = 0; i < 10; i++) {
		forget_calls();
		launch(0, i * 10, 3);
		check((i - 1) * 10, i ? 3 : 0);
		if (i == 1)
			check_calls("Decode Info Stop Decode Info Evaluate Evaluate Evaluate Image "
				    "Disable Enable Size Image SetConfig Start ");
		assert_int_equal(leave(0), 0);
		assert_false(contexts[0].settled);
		check(0, 0);
	}
	stop(0);
	check(90, 3);
}

static void test_drained(void **state)
{
	(void)state;
	play.when = PLAY_IN_ROUND;
	start(0);
	for (int i = 0; i < 10; i++) {
		launch(0, i * 10, 3);
		check(0, 0);
		forget_calls();
		assert_int_equal(leave(0), 0);
		check_calls(i < 3 ? "Decode Info " : "");
		assert_int_equal(drain(0), 0);
		assert_true(contexts[0].settled);
		check(i * 10, 3);
	}
	stop(0);
	check(0, 0);
}

/* Kernels that were not reported are in no launch's values. */
static void test_strays(void **state)
{
	(void)state;
	start(0);
	play_kernels(0, 1000, 5);
	for (int i = 0; i < 10; i++) {
		launch(0, i * 10, 2);
		given_count = 0; /* late ones and unreported ones cannot be distinguished; but see
				  * below */
		assert_int_equal(leave(0), 0);
		if (contexts[0].settled)
			check(i * 10, 2);
		play_kernels(0, 1000, 5);
	}
	given_count = 0;
	stop(0);
	for (size_t i = 0; i < given_count; i++)
		assert_true(given[i] == (i < 2 ? 90 + (double)i : 1000 + (double)i - 2));
}

static void test_two_contexts(void **state)
{
	(void)state;
	start(0);
	start(1);
	for (int i = 0; i < 6; i++) {
		launch(i % 2, i * 10, 2);
		assert_int_equal(leave(i % 2), 0);
		check(i * 10, 2);
	}
	stop(0);
	launch(1, 99, 1);
	assert_int_equal(leave(1), 0);
	check(99, 1);
	stop(1);
	assert_int_equal(play.hosts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_order, begin),
		cmocka_unit_test_setup(test_not_started, begin),
		cmocka_unit_test_setup(test_graph, begin),
		cmocka_unit_test_setup(test_late, begin),
		cmocka_unit_test_setup(test_later, begin),
		cmocka_unit_test_setup(test_drained, begin),
		cmocka_unit_test_setup(test_strays, begin),
		cmocka_unit_test_setup(test_two_contexts, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

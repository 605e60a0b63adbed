/* SPDX-License-Identifier: MIT */
/* The range engine with a scripted Range Profiler: limits and failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "rangeuse.h"

static void test_dropped(void **state)
{
	(void)state;
	start(0);
	launch(0, 0, 100);
	assert_int_equal(leave(0), 0);
	forget_calls();
	assert_int_equal(enter(0), 0);
	assert_non_null(strstr(play.calls, "Stop Disable Enable Size Image SetConfig Start "));
	check(0, 64);
	play_kernels(0, 500, 100);
	finish(0);
	check(500, 100);
	launch(0, 0, USE_GIVEN - 1);
	finish(0);
	check(0, 128);
	launch(0, 0, USE_GIVEN - 1);
	finish(0);
	check(0, 1 << 14);
	forget_calls();
	launch(0, 0, 1); /* it grows no more */
	check_calls("Start ");
	finish(0);
	check(0, 1);
	stop(0);
}

/* If the first kernel of a graph is dropped, the second one's values are not assigned to it. */
static void test_dropped_elsewhere(void **state)
{
	(void)state;
	start(0);
	play.drops_first = true;
	launch(0, 0, 3);
	finish(0);
	assert_int_equal(given_count, 2); /* that are no numbers */
	launch(0, 0, 1);
	assert_int_equal(leave(0), 0);
	assert_int_equal(pause_context(0), 0);
	assert_int_equal(given_count, 2);
	given_count = 0;
	play.drops_first = false;
	launch(0, 7, 2);
	finish(0);
	check(7, 2);
	stop(0);
}

/* An image that cannot grow stays. */
static void test_no_room(void **state)
{
	(void)state;
	play.most = 64;
	start(0);
	for (int i = 0; i < 4; i++) {
		launch(0, i * 100, 100);
		finish(0);
		check(i * 100, 64);
	}
	stop(0);
	assert_int_equal(play.hosts, 0);
}

/* CUPTI accepts fewer ranges than are wanted: the number is halved until it does. */
static void test_halved(void **state)
{
	static const size_t most[] = {64, 100, 128, 2000, 2048, 3000, 10000};

	for (size_t i = 0; i < sizeof(most) / sizeof(*most); i++) {
		size_t fits = 64;

		while (fits * 2 <= most[i])
			fits *= 2;
		begin(state);
		play.most = most[i];
		start(0);
		for (int k = 0; k < 4; k++) {
			launch(0, 0, USE_GIVEN - 1);
			finish(0);
			check(0, k ? fits : 64);
		}
		stop(0);
		assert_int_equal(play.hosts, 0);
	}
}

/* Or it accepts them and fails later: the next session has fewer. */
static void test_halved_later(void **state)
{
	int failures = 0;

	(void)state;
	play.most_decoded = 3000;
	start(0);
	for (int k = 0; k < 20; k++) {
		launch(0, 0, USE_GIVEN - 1);
		assert_int_equal(leave(0), 0);
		given_count = 0;
		if (!pause_context(0))
			continue;
		failures++;
		stop(0);
		start(0);
	}
	check(0, 2048);
	assert_int_equal(failures, 3); /* 16384, 8192, 4096 */
	stop(0);
}

static void test_infinite(void **state)
{
	(void)state;
	play.infinite = true;
	start(0);
	launch(0, 0, 1);
	finish(0);
	assert_int_equal(given_count, 1);
	stop(0);
}

/* Launches until one fails; values delivered in between belong to the last launch. */
static void run_until_error(void)
{
	double last = -1000;

	for (int i = 0; i < 6; i++) {
		double first = i * 1000;
		size_t count = i == 2 ? 100 : 3;
		int result = enter(0);

		for (size_t k = 0; k < given_count; k++)
			assert_true(given[k] == last + (double)k);
		given_count = 0;
		if (result)
			return;
		play_kernels(0, first, count);
		last = first;
		if (leave(0) || (i % 2 && pause_context(0)))
			return;
		for (size_t k = 0; k < given_count; k++)
			assert_true(given[k] == last + (double)k);
		given_count = 0;
	}
}

/* Each call that can fail fails once. */
static void test_errors(void **state)
{
	static const enum play_when when[] = {PLAY_AT_EXIT, PLAY_AT_ENTRY, PLAY_AT_STOP};
	unsigned total = 0, failed = 0;

	for (size_t w = 0; w < sizeof(when) / sizeof(when[0]); w++)
		for (unsigned number = 1;; number++) {
			begin(state);
			play.when = when[w];
			play.fails = number;
			if (range_engine.start(&contexts[0])) {
				assert_null(contexts[0].state);
				failed++;
			} else {
				run_until_error();
			}
			stop(0);
			assert_int_equal(play.hosts, 0);
			total++;
			if (play.number < number)
				break;
		}
	assert_true(total > 60);
	assert_true(failed >= 3 * 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_dropped, begin),
		cmocka_unit_test_setup(test_dropped_elsewhere, begin),
		cmocka_unit_test_setup(test_no_room, begin),
		cmocka_unit_test_setup(test_halved, begin),
		cmocka_unit_test_setup(test_halved_later, begin),
		cmocka_unit_test_setup(test_infinite, begin),
		cmocka_unit_test_setup(test_errors, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

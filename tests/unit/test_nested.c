/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

#include "profiled_program.h"

/* Nested calls: the log has all in launch order. */

static void check(int count)
{
	struct rows rows;

	assert_int_equal(read_rows("log", &rows, (uint64_t)count), 0);
	assert_true(rows.ordered);
	assert_int_equal(rows.count, count);
	assert_int_equal(wrong_counts(&rows, 0, (uint64_t)count), 0);
	free(rows.seen);
}

/* A nested call: the outer one is launched first and recorded last. */
static void launch_nested(uint64_t serial, useconds_t pause)
{
	struct probe outer;

	probe_begin(&outer);
	launch(1, serial + 1, FAKE_DONE);
	usleep(pause);
	launched(&outer, 0, 0, serial, FAKE_DONE);
}

static void nested(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 200; i += 2)
		launch_nested(i, i == 100 ? 50000 : 0); /* the writer must wait for the outer one */
	session_stop();
	session_end();
}

enum { THREADS = 15, EACH = 1400 };

static _Atomic int gathered;

static void *launch_nested_ones(void *argument)
{
	uint64_t first = (uintptr_t)argument * EACH + 2;

	for (uint64_t i = first; i < first + EACH; i += 2)
		launch_nested(i, 0);
	gathered++;
	for (;;) /* its ring stays its own */
		pause();
	return NULL;
}

/* The rings have one record and then pairs whose later call is recorded first. So a turn, which
 * takes an even number, ends within a pair. */
static void fill_rings(void)
{
	pthread_t thread;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	session_stop(); /* the writer makes no more rounds */
	launch(1, 1, FAKE_DONE);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, launch_nested_ones, (void *)i))
			_exit(3);
	while (gathered < THREADS)
		usleep(1000);
}

static void nested_at_the_end(void)
{
	fill_rings();
	session_end();
}

/* As a thread does whose ring is full. */
static void nested_before_a_helper(void)
{
	fill_rings();
	session_write_ended(NULL, NULL);
	session_end();
}

static void test_nested_calls_keep_launch_order(void **state)
{
	(void)state;
	assert_int_equal(run(nested), 0);
	check(200);
}

static void test_last_round(void **state)
{
	(void)state;
	assert_int_equal(run(nested_at_the_end), 0);
	check(2 + THREADS * EACH);
}

static void test_round_of_a_helper(void **state)
{
	(void)state;
	assert_int_equal(run(nested_before_a_helper), 0);
	check(2 + THREADS * EACH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nested_calls_keep_launch_order, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_last_round, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_round_of_a_helper, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

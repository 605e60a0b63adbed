/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checks.h"
#include "profiled_program.h"

enum { THREADS = 4, EACH = 20000, ALL = THREADS * EACH };

static void few(void)
{
	start(new_settings(API_OPENCL, "log"));
	if (count_files("log") || count_files(".ring"))
		_exit(1);
	for (uint64_t i = 0; i < 10; i++)
		launch(1, i, FAKE_DONE);
	if (count_files(".ring") != 1)
		_exit(2);
	session_stop();
	session_stop();
	session_end();
	session_end();
	session_stop();
	session_exec();
	launch(1, 10, FAKE_DONE);
}

static void test_few(void **state)
{
	(void)state;
	assert_int_equal(run(few), 0);
	check("log", 10, 10);
	assert_int_equal(count_files(".ring"), 0);
	assert_int_equal(count_files("said"), 1);
}

static void *launch_many(void *argument)
{
	uint64_t thread = (uintptr_t)argument;

	for (uint64_t i = 0; i < EACH; i++)
		launch((uint32_t)thread, thread * EACH + i, i % 7 ? FAKE_DONE : FAKE_SLOW);
	return NULL;
}

static void in_threads(void *(*body)(void *))
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, body, (void *)i))
			_exit(3);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void many(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	start(settings);
	in_threads(launch_many);
	session_stop();
	session_end();
}

static void test_threads(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(many), 0);
	check("log", ALL, ALL);
	assert_int_equal(read_trace("trace", &rows, ALL), 0);
	assert_int_equal(wrong_counts(&rows, 0, ALL), 0);
	free(rows.seen);
	assert_int_equal(count_files(".ring"), 0);
}

static void *launch_one(void *argument)
{
	launch(1, (uintptr_t)argument, FAKE_DONE);
	return NULL;
}

/* More threads than rings: rings are reused. */
static void short_threads(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uintptr_t i = 0; i < 500; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, launch_one, (void *)i))
			_exit(3);
		pthread_join(thread, NULL);
	}
	session_stop();
	session_end();
}

static void test_short_threads(void **state)
{
	(void)state;
	assert_int_equal(run(short_threads), 0);
	check("log", 500, 500);
}

/* By session_end alone, with more in the rings than one round takes. */
static _Atomic int gathered;

static void *fill_ring(void *argument)
{
	uint64_t thread = (uintptr_t)argument;

	for (uint64_t i = 0; i < 1500; i++)
		launch((uint32_t)thread, thread * 1500 + i, FAKE_NONE);
	gathered++;
	for (;;)
		pause();
	return NULL;
}

static void full_rings(void)
{
	pthread_t thread;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 60 * 1500, FAKE_NONE);
	session_stop(); /* the writer makes no more rounds */
	for (uintptr_t i = 0; i < 60; i++)
		if (pthread_create(&thread, NULL, fill_ring, (void *)i))
			_exit(3);
	while (gathered < 60)
		usleep(1000);
	session_end();
}

static void test_end_empties_all_rings(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(full_rings), 0);
	assert_int_equal(read_rows("log", &rows, 60 * 1500 + 1), 0);
	assert_int_equal(rows.count, 60 * 1500 + 1);
	free(rows.seen);
}

static void streamed(void)
{
	struct rows rows;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	launch(1, 1, FAKE_SLOW);
	usleep(400000);
	if (read_rows("log", &rows, 2) || rows.count != 2)
		_exit(1);
}

static void test_rows_are_streamed(void **state)
{
	(void)state;
	assert_int_equal(run(streamed), 0);
}

/* ns from a nudge until the record is polled, by an idle writer */
static uint64_t nudged(uint64_t serial)
{
	uint64_t begin;

	launch(1, serial, FAKE_DONE);
	begin = clock_monotonic();
	session_nudge();
	while (polled != serial && clock_monotonic() - begin < 1000000000u)
		usleep(100);
	return clock_monotonic() - begin;
}

/* Without nudges it would check within 90 ms, at a random time relative to the test; and within 20
 * ms while it has work. */
static void nudges(void)
{
	int soon = 0, again = 0;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	for (uint64_t i = 1; i <= 30; i += 2) {
		usleep(100000 + (useconds_t)(i * 13 % 90) * 1000);
		soon += nudged(i) < 20000000;
		again += nudged(i + 1) < 10000000;
	}
	session_stop();
	session_end();
	_exit(soon < 10 || again < 10);
}

static void test_nudged_writer_looks_at_once(void **state)
{
	(void)state;
	assert_int_equal(run(nudges), 0);
	check("log", 31, 31);
}

static void none(void)
{
	start(new_settings(API_OPENCL, "log"));
	session_stop();
	session_end();
}

static void test_idle_context_has_a_header(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(none), 0);
	assert_int_equal(read_rows("log", &rows, 1), 0);
	assert_int_equal(rows.count, 0);
	free(rows.seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_few, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_short_threads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_end_empties_all_rings, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rows_are_streamed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nudged_writer_looks_at_once, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_idle_context_has_a_header, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

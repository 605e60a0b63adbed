/* SPDX-License-Identifier: MIT */
/* Long launches and launches that never end: other threads meanwhile, and the values. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "counters_stubs.h"

static int begin(void **state)
{
	(void)state;
	start_again();
	return 0;
}

/* A launch does not return: threads that do not launch wait only for a limited time. */
static uint32_t long_launch;

static void *stay_inside(void *argument)
{
	uint32_t one = long_launch = enter(0, CALL_LAUNCH);

	atomic_store((atomic_int *)argument, 1);
	while (atomic_load((atomic_int *)argument) != 2)
		usleep(1000);
	leave(0, one);
	return NULL;
}

static void test_long_launch(void **state)
{
	atomic_int stage = 0;
	pthread_t thread;

	(void)state;
	counters_add_context(HANDLE(1));
	assert_int_equal(pthread_create(&thread, NULL, stay_inside, &stage), 0);
	while (atomic_load(&stage) != 1)
		usleep(1000);
	counters_fetch(true);
	counters_add_context(HANDLE(2));
	counters_context_ends(HANDLE(1));
	atomic_store(&current_settings, &settings[1]);
	counters_replan();
	assert_int_equal(counted_columns[0], 2);
	atomic_store(&stage, 2);
	pthread_join(thread, NULL);
	/* Its values are those of the old counters. */
	assert_int_equal(counter_values_state(long_launch), MEASURED_NOT);
	launch(2);
	assert_int_equal(counted_columns[0], 1);
}

/* A launch waits for a measured one for a limited time only, since the measured kernel may wait for
 * its kernel; that one is not measured any more. */
static void *stay_inside_named(void *argument)
{
	struct cupti_call call = call_of(0, ++newest);

	call.symbol = "waiting";
	counters_enter(&call, CALL_LAUNCH);
	atomic_store((atomic_int *)argument, 1);
	while (atomic_load((atomic_int *)argument) != 2)
		usleep(1000);
	counters_leave(&call);
	return NULL;
}

static void test_waiting_launch(void **state)
{
	atomic_int stage = 0;
	uint64_t before;
	pthread_t thread;
	uint32_t one;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, stay_inside_named, &stage), 0);
	while (atomic_load(&stage) != 1)
		usleep(1000);
	one = launch(5);
	assert_int_equal(counter_values_state(one), MEASURED_NOT);
	before = clock_monotonic();
	for (int i = 0; i < 10; i++) /* only the first one waits */
		assert_int_equal(counter_values_state(launch(5)), MEASURED_NOT);
	assert_true(clock_monotonic() - before < 1000000000);
	atomic_store(&stage, 2);
	pthread_join(thread, NULL);
	assert_int_equal(counter_values_state(launch_named(0, CALL_LAUNCH, "waiting")),
			 MEASURED_NOT);
	assert_int_equal(counter_values_state(launch_named(0, CALL_LAUNCH, "other")),
			 MEASURED_COMPLETE);
}

static void *launch_once(void *argument)
{
	*(uint32_t *)argument = launch(1);
	return NULL;
}

/* While a kernel that may wait is launched, no launch of another thread is measured: CUPTI would
 * measure both. */
static void test_excluded_launch(void **state)
{
	struct cupti_call call = call_of(0, ++newest);
	pthread_t thread;
	uint32_t one;

	(void)state;
	script.late = true;
	launch(0);
	call.symbol = "ncclDevKernel_Generic";
	counters_enter(&call, CALL_LAUNCH);
	assert_int_equal(pauses, 1);
	assert_int_equal(pthread_create(&thread, NULL, launch_once, &one), 0);
	pthread_join(thread, NULL);
	assert_int_equal(counter_values_state(one), MEASURED_NOT);
	counters_leave(&call);
	assert_int_equal(counter_values_state(launch(0)), MEASURED_EXPECTED);
	assert_int_equal(starts, 1);
}

/* It is awaited for a moment, so that a launch beside a short one is measured. */
static void test_short_excluded_launch(void **state)
{
	struct cupti_call call = call_of(0, ++newest);
	pthread_t thread;
	uint32_t one;

	(void)state;
	call.symbol = "ncclDevKernel_Generic";
	counters_enter(&call, CALL_LAUNCH);
	assert_int_equal(pthread_create(&thread, NULL, launch_once, &one), 0);
	usleep(5000);
	counters_leave(&call);
	pthread_join(thread, NULL);
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
}

/* Threads launch both kinds in one context: CUPTI measures nothing while a kernel that may wait is
 * launched. */
static void *launch_both(void *argument)
{
	for (int i = 0; i < 3000; i++) {
		uint32_t correlation = __atomic_add_fetch(&newest, 1, __ATOMIC_RELAXED);
		struct cupti_call call = call_of(1, correlation);

		call.symbol = i % 3 ? "wanted" : "ncclDevKernel_Generic";
		counters_enter(&call, CALL_LAUNCH);
		if (i % 3 == 0 && (i & 1))
			sched_yield();
		if (i % 3 == 0 && atomic_load(&measures[1]))
			return argument;
		counters_leave(&call);
	}
	return NULL;
}

static void test_both_kinds(void **state)
{
	pthread_t threads[4];
	void *wrong;

	(void)state;
	script.late = yields = true;
	launch(1);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, launch_both, &pauses), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	assert_true(pauses > 1);
	assert_int_equal(starts, 1);
}

/* CUPTI fails inside a launch and may not report its end: other threads do not wait for it. */
static void test_failure_inside(void **state)
{
	uint32_t one, two = 0;
	pthread_t thread;

	(void)state;
	one = enter(0, CALL_LAUNCH);
	assert_int_equal(pthread_create(&thread, NULL, launch_once, &two), 0);
	usleep(20000);
	atomic_store(&works, false);
	pthread_join(thread, NULL);
	assert_int_equal(counter_values_state(two), MEASURED_NOT);
	leave(0, one);
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
	assert_true(first_value(one) == -1);
	atomic_store(&works, true);
	states[0].inside = false;
	atomic_store(&inside, 0);
}

/* The profiler is switched off and on during launches: launches that are not measured do not wait,
 * and their kernels may be counted with a measured one. */
static void test_others(void **state)
{
	atomic_int stage = 0;
	uint32_t one, two;
	pthread_t thread;

	(void)state;
	one = enter(0, CALL_LAUNCH);
	atomic_store(&profiler_on, false);
	assert_int_equal(pthread_create(&thread, NULL, launch_once, &two), 0);
	pthread_join(thread, NULL);
	leave(0, one);
	assert_int_equal(counter_values_state(two), MEASURED_NOT);
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
	assert_int_equal(counter_values_left(one), 0);
	assert_int_equal(pthread_create(&thread, NULL, stay_inside, &stage), 0);
	while (atomic_load(&stage) != 1)
		usleep(1000);
	atomic_store(&profiler_on, true);
	one = launch(0);
	atomic_store(&stage, 2);
	pthread_join(thread, NULL);
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
	assert_int_equal(counter_values_left(one), 0);
	assert_true(first_value(launch(0)) == 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_long_launch, begin),
		cmocka_unit_test_setup(test_waiting_launch, begin),
		cmocka_unit_test_setup(test_excluded_launch, begin),
		cmocka_unit_test_setup(test_short_excluded_launch, begin),
		cmocka_unit_test_setup(test_both_kinds, begin),
		cmocka_unit_test_setup(test_failure_inside, begin),
		cmocka_unit_test_setup(test_others, begin),
	};

	prepare();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

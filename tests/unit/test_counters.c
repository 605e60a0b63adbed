/* SPDX-License-Identifier: MIT */
/* The choice of measured launches; their values wait for their records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "counters_stubs.h"

static int begin(void **state)
{
	(void)state;
	start_again();
	return 0;
}

static void test_launches(void **state)
{
	uint32_t one, two;

	(void)state;
	counters_add_context(HANDLE(0));
	assert_int_equal(counted_columns[0], 2);
	assert_int_equal(starts, 1);
	one = enter(0, CALL_LAUNCH);
	assert_int_equal(counter_values_state(one), MEASURED_EXPECTED);
	leave(0, one);
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
	two = launch(0);
	assert_true(first_value(two) == 20 && first_value(one) == 10 && first_value(one) == -1);
	assert_int_equal(starts, 1);
}

/* A context that existed before the library was loaded. */
static void test_older_context(void **state)
{
	uint32_t one = launch(1);

	(void)state;
	assert_true(first_value(one) == 10);
	assert_int_equal(counted_columns[0], 2);
}

static void test_late_values(void **state)
{
	uint32_t one, two, three;

	(void)state;
	script.late = true;
	one = launch(0);
	assert_int_equal(counter_values_state(one), MEASURED_EXPECTED);
	two = launch(0);
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
	assert_true(first_value(one) == 10);
	usleep(60000);
	counters_fetch(false); /* the writer does not request values while the program runs */
	assert_int_equal(counter_values_state(two), MEASURED_EXPECTED);
	assert_int_equal(stops, 0);
	three = launch(0);
	assert_true(first_value(two) == 20);
	counters_fetch(true);
	assert_true(first_value(three) == 30);
	assert_int_equal(stops, 1);
}

static void test_graph(void **state)
{
	uint32_t one;

	(void)state;
	script.graph = 3;
	one = enter(0, CALL_GRAPH);
	leave(0, one);
	assert_int_equal(counter_values_left(one), 3);
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
}

/* After half a minute without a launch the writer gets the last values. */
static void test_idle(void **state)
{
	const char *level = getenv("COMPUTEPROF_TEST_LEVEL");
	uint32_t one;

	(void)state;
	if (level && !strcmp(level, "quick"))
		skip();
	script.late = true;
	one = launch(0);
	sleep(31);
	counters_fetch(false);
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
	assert_true(first_value(one) == 10);
	assert_int_equal(stops, 1);
}

/* Kernels that may wait for each other, and those that are not wanted: CUPTI measures nothing while
 * they are launched. */
static void test_excluded(void **state)
{
	static const char *const waiting[] = {
		"_Z29ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgsStorageILm4096EE",
		"ncclKernel_AllReduce_RING_LL_Sum_float",
		"_Z33ncclAllReduceRingLLKernel_sum_f3212ncclWorkElem",
		"_ZN4vllm26cross_device_reduce_1stageIfLi2EEEvPNS_8RankDataE",
		"_ZN12_GLOBAL__N_126one_shot_all_reduce_kernelIfLi16EEEvPPT_",
	};
	static const char *const others[] = {"mynccl", "_Z10ncclfriendv", "across_device_reduce_1",
					     ""};
	uint32_t one, two;

	(void)state;
	script.late = true;
	for (size_t i = 0; i < sizeof(waiting) / sizeof(*waiting); i++) {
		one = launch_named(0, CALL_LAUNCH, "wanted");
		assert_int_equal(counter_values_state(one), MEASURED_EXPECTED);
		two = launch_named(0, CALL_LAUNCH, waiting[i]);
		assert_int_equal(counter_values_state(two), MEASURED_NOT);
		assert_true(first_value(one) == (double)(10 * (i + 1)));
		assert_int_equal(pauses, i + 1);
		launch_named(0, CALL_LAUNCH, waiting[i]);
		launch_named(1, CALL_LAUNCH, waiting[i]);
		assert_int_equal(pauses, i + 1);
	}
	assert_int_equal(starts, 1);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_int_equal(counter_values_state(launch_named(0, CALL_LAUNCH, others[i])),
				 MEASURED_EXPECTED);
	one = launch_named(0, CALL_LAUNCH_COOPERATIVE, "x");
	assert_int_equal(counter_values_state(one), MEASURED_NOT);
	assert_int_equal(pauses, sizeof(waiting) / sizeof(*waiting) + 1);
}

static uint32_t launch_ex(int id, int value)
{
	const struct cuda_launch_attribute attributes[] = {
		{.id = 1, .value.cooperative = 1},
		{.id = (uint32_t)id, .value.cooperative = value},
	};
	const struct cuda_launch_config config = {.attributes = attributes, .count = 2};
	const struct cuda_launch_config *given = &config;
	uint32_t correlation = ++newest;
	struct cupti_call call = call_of(0, correlation);

	call.symbol = "x";
	call.parameters = &given;
	counters_enter(&call, CALL_LAUNCH_EX);
	counters_leave(&call);
	return correlation;
}

static void test_attributes(void **state)
{
	(void)state;
	assert_int_equal(counter_values_state(launch_ex(CUDA_LAUNCH_COOPERATIVE, 1)), MEASURED_NOT);
	assert_int_equal(counter_values_state(launch_ex(CUDA_LAUNCH_COOPERATIVE, 0)),
			 MEASURED_COMPLETE);
	assert_int_equal(counter_values_state(launch_ex(4, 1)), MEASURED_COMPLETE);
}

/* An engine that measures one context of a device at a time. */
static void test_contexts(void **state)
{
	uint32_t one, two, other, three;

	(void)state;
	script.late = true;
	one = launch(0);
	other = launch(5);
	assert_int_equal(stops, 0);
	two = launch(1);
	assert_int_equal(stops, 1);
	assert_true(first_value(one) == 10);
	three = launch(0);
	assert_true(first_value(two) == 10);
	assert_int_equal(counter_values_state(other), MEASURED_EXPECTED);
	counters_context_ends(HANDLE(5));
	assert_true(first_value(other) == 10);
	counters_context_ends(HANDLE(0));
	assert_true(first_value(three) == 20);
	counters_context_ends(HANDLE(0)); /* unknown by then */
	assert_int_equal(counted_columns[1], 2);
}

static void test_pause(void **state)
{
	uint32_t one;

	(void)state;
	script.late = true;
	one = launch(0);
	atomic_store(&profiler_on, false);
	counters_pause();
	assert_int_equal(stops, 1);
	assert_true(first_value(one) == 10);
	one = launch(0);
	assert_int_equal(counter_values_state(one), MEASURED_NOT);
	counters_add_context(HANDLE(6)); /* tried, and destroyed */
	assert_int_equal(starts, 2);
	assert_int_equal(stops, 2);
	atomic_store(&profiler_on, true);
	one = launch(0);
	counters_fetch(true);
	assert_true(first_value(one) == 20);
}

static void test_capture(void **state)
{
	struct cupti_call call = call_of(0, 7);
	uint32_t one;

	(void)state;
	call.site = CUPTI_ENTER;
	counters_capture(&call, CALL_CAPTURE);
	call.site = CUPTI_EXIT;
	counters_capture(&call, CALL_CAPTURE);
	one = launch(0);
	assert_int_equal(counter_values_state(one), MEASURED_NOT);
	call.site = CUPTI_ENTER;
	counters_capture(&call, CALL_CAPTURE_END);
	assert_int_equal(counter_values_state(launch(0)), MEASURED_NOT);
	call.site = CUPTI_EXIT;
	counters_capture(&call, CALL_CAPTURE_END);
	assert_true(first_value(launch(0)) == 10);
	/* A capture that did not begin. */
	call_result = 1;
	call.site = CUPTI_ENTER;
	counters_capture(&call, CALL_CAPTURE);
	call.site = CUPTI_EXIT;
	counters_capture(&call, CALL_CAPTURE);
	counters_capture(&call, CALL_CAPTURE_END);
	call_result = 0;
	assert_true(first_value(launch(0)) == 20);
}

/* The end of a missing capture, or by another thread, does not end this one; its invalidation
 * does. */
static void test_capture_goes_on(void **state)
{
	static const int others[] = {1, 201, 400, 401, 903, 908};
	struct cupti_call call = call_of(0, 7);

	(void)state;
	call.site = CUPTI_ENTER;
	counters_capture(&call, CALL_CAPTURE);
	call.site = CUPTI_EXIT;
	counters_capture(&call, CALL_CAPTURE);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		call_result = others[i];
		counters_capture(&call, CALL_CAPTURE_END);
		call_result = 0;
		assert_int_equal(counter_values_state(launch(0)), MEASURED_NOT);
	}
	call_result = 901;
	counters_capture(&call, CALL_CAPTURE_END);
	call_result = 0;
	assert_true(first_value(launch(0)) == 10);
}

/* A driver's launch inside a launch, and a failed one. */
static void test_odd_launches(void **state)
{
	uint32_t one, inner;

	(void)state;
	one = enter(0, CALL_LAUNCH);
	inner = launch(0);
	assert_int_equal(counter_values_state(inner), MEASURED_NOT);
	counters_add_context(HANDLE(1)); /* made by it */
	leave(0, one);
	leave(0, one); /* of a launch that was entered before callbacks were enabled */
	assert_true(first_value(one) == 10);
	one = enter(0, CALL_LAUNCHES); /* on several devices */
	leave(0, one);
	assert_int_equal(counter_values_state(one), MEASURED_NOT);
	call_result = 1;
	script.late = true;
	one = launch(0);
	assert_int_equal(counter_values_state(one), MEASURED_COMPLETE);
}

static void test_other_counters(void **state)
{
	uint32_t one;

	(void)state;
	script.late = true;
	one = launch(0);
	atomic_store(&current_settings, &settings[1]);
	told = 0;
	counters_replan();
	assert_int_equal(counted_columns[0], 1);
	assert_in_range(told, 1, 2);
	assert_int_equal(counter_values_state(one), MEASURED_NOT); /* of the old counters */
	one = launch(0);
	counters_fetch(true);
	assert_true(first_value(one) == 20);
}

/* callbacks.c excludes forked children; this checks that nothing hangs. */
static void *launch_many(void *argument)
{
	unsigned context = (unsigned)(uintptr_t)argument;

	for (int i = 0; i < 2000; i++) {
		uint32_t correlation = launch(context);

		if (i % 500 == 499) {
			counters_context_ends(HANDLE(context));
			counters_add_context(HANDLE(context));
		}
		if (!script.late && counter_values_state(correlation) != MEASURED_COMPLETE)
			return argument;
	}
	return NULL;
}

static void test_threads(void **state)
{
	pthread_t threads[4];
	void *wrong;

	(void)state;
	for (uintptr_t i = 0; i < 4; i++)
		assert_int_equal(
			pthread_create(&threads[i], NULL, launch_many, (void *)(i * 2 + 1)), 0);
	for (int i = 0; i < 50; i++) {
		counters_fetch(i % 10 == 0);
		counters_pause();
		usleep(1000);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_launches, begin),
		cmocka_unit_test_setup(test_older_context, begin),
		cmocka_unit_test_setup(test_late_values, begin),
		cmocka_unit_test_setup(test_graph, begin),
		cmocka_unit_test_setup(test_idle, begin),
		cmocka_unit_test_setup(test_excluded, begin),
		cmocka_unit_test_setup(test_attributes, begin),
		cmocka_unit_test_setup(test_contexts, begin),
		cmocka_unit_test_setup(test_pause, begin),
		cmocka_unit_test_setup(test_capture, begin),
		cmocka_unit_test_setup(test_capture_goes_on, begin),
		cmocka_unit_test_setup(test_odd_launches, begin),
		cmocka_unit_test_setup(test_other_counters, begin),
		cmocka_unit_test_setup(test_threads, begin),
	};

	prepare();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

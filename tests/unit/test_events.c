/* SPDX-License-Identifier: MIT */
/* The event engine: its calls of CUPTI and the values that it computes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_run.h"

static void measure_once(void)
{
	takes = 0;
	assert_int_equal(start(), CUPTI_DONE);
	assert_int_equal(enter(), CUPTI_DONE);
	assert_int_equal(leave(), CUPTI_DONE);
	assert_true(context.no_more_values);
	assert_int_equal(takes, 1);
	stop();
}

static void test_examine(void **state)
{
	(void)state;
	assert_null(event_engine.examine(&device));
	assert_calls("id3 ");
	failing_call = 2;
	assert_string_equal(event_engine.examine(&device), "no more");
	lacking = true;
	assert_non_null(strstr(event_engine.examine(&device), "lacks"));
	lacking = false;
	driver.cuCtxSynchronize = NULL;
	assert_non_null(strstr(event_engine.examine(&device), "lacks"));
	driver.cuCtxSynchronize = synchronize;
	for (device.capability = 13; device.capability <= 90; device.capability += 62)
		assert_non_null(strstr(event_engine.examine(&device), "2.0 to 7.2"));
	device.capability = 72;
	assert_null(event_engine.examine(&device));
	device.capability = 20;
	assert_null(event_engine.examine(&device));
}

static bool together(const char *const *inputs, size_t count, cuda_context of)
{
	return event_engine.together(&device, of, inputs, count);
}

static void test_together(void **state)
{
	static const char *const unknown[] = {"branch", "branches"};
	cuda_context some_context = (cuda_context)&device;

	(void)state;
	assert_true(together(some, 2, some_context));
	assert_calls("id3 id3 create2 destroy ");
	assert_false(together(unknown, 2, some_context));
	assert_true(together(unknown, 0, some_context));
	registers = 1;
	assert_true(together(some, 2, some_context));
	assert_false(together(all, 4, some_context));
	assert_int_equal(live, 0);
	assert_true(together(all, 4, NULL));
	assert_false(together(unknown, 2, NULL));
	device.replay = true;
	assert_true(together(all, 4, some_context));
	assert_false(together(unknown, 2, some_context));
	device.replay = false;
	failing_call = call_count + 3;
	failure = CUPTI_INVALID_EVENT;
	assert_false(together(some, 2, some_context));
	failing_call = call_count + 3;
	failure = CUPTI_INSUFFICIENT_PRIVILEGES;
	assert_true(together(some, 2, some_context));
}

/* Both groups have two attributes and one domain, which are queried before their instances. */
static void test_order(void **state)
{
	(void)state;
	assert_int_equal(start(), CUPTI_DONE);
	assert_calls("id3 id3 create2 mode1 get3 get4 set1 get5 get0 domain1 "
		     "get3 get4 set1 get5 get0 domain0 enable0 disable0 ");
	assert_false(any_enabled());
	for (int i = 1; i <= 2; i++) {
		assert_int_equal(enter(), CUPTI_DONE);
		assert_calls("sync enable0 ");
		assert_int_equal(event_engine.pause(&context, take, &takes), CUPTI_DONE);
		assert_int_equal(takes, i - 1);
		assert_int_equal(leave(), CUPTI_DONE);
		assert_calls("sync read2 read1 disable0 ");
		assert_int_equal(takes, i);
		assert_true(context.no_more_values);
	}
	stop();
	assert_calls("destroy ");
	assert_int_equal(live, 0);
	stop();
	assert_calls("");
}

static void test_all_instances(void **state)
{
	(void)state;
	counts[2][0] = 1, counts[2][1] = 2, counts[2][2] = 3, counts[2][3] = 4;
	counts[1][3] = UINT64_C(1) << 60;
	measure_once();
	assert_true(taken[0] == 20);
	assert_true(taken[1] == 0x1p61);
}

/* Three of eight are counted: the value is extrapolated. */
static void test_whole_numbers(void **state)
{
	(void)state;
	counted = 3;
	counts[2][0] = 5, counts[2][1] = 0, counts[2][2] = 5;
	counts[1][0] = 5;
	measure_once();
	assert_true(taken[0] == 27);
	assert_true(taken[1] == 13);
}

static void test_one_instance(void **state)
{
	(void)state;
	context.inputs = first;
	counts[2][0] = 7, counts[2][1] = 70;
	counts[1][1] = 1, counts[1][2] = CUPTI_EVENT_OVERFLOW;
	measure_once();
	assert_null(strstr(calls, "set"));
	assert_true(taken[0] == 7);
	assert_true(taken[1] == 0);
	context.inputs = both;
	measure_once();
	assert_true(taken[0] == 7);
	assert_true(taken[1] == 154);
	context.inputs = some;
	context.count = 1;
}

static void test_no_value(void **state)
{
	(void)state;
	counts[2][1] = CUPTI_EVENT_OVERFLOW;
	counts[1][0] = 4;
	measure_once();
	assert_true(isnan(taken[0]));
	assert_true(taken[1] == 8);
	counts[2][1] = 0;
	counts[1][0] = CUPTI_EVENT_INVALID;
	measure_once();
	assert_true(taken[0] == 0);
	assert_true(isnan(taken[1]));
	context.inputs = first;
	measure_once();
	assert_true(isnan(taken[1]));
}

static void test_replay(void **state)
{
	(void)state;
	registers = 1;
	context.inputs = all;
	context.count = 4;
	assert_int_equal(start(), CUPTI_NOT_COMPATIBLE);
	assert_null(context.state);
	assert_calls("id3 id3 id3 id3 create4 destroy ");
	device.replay = true;
	for (int i = 0; i < EVENTS; i++)
		counts[i][0] = (uint64_t)i + 1;
	assert_int_equal(start(), CUPTI_DONE);
	assert_non_null(strstr(calls, "create4 replay get"));
	assert_null(strstr(calls, "mode"));
	*calls = '\0';
	assert_int_equal(enter(), CUPTI_DONE);
	assert_int_equal(leave(), CUPTI_DONE);
	assert_calls("sync enable0 enable1 sync read0 read1 read2 read3 disable0 disable1 ");
	for (int i = 0; i < EVENTS; i++)
		assert_true(taken[i] == 2 * (i + 1));
	stop();
	assert_calls("noreplay destroy ");
	registers = 2; /* one set after all */
	measure_once();
	assert_null(strstr(calls, "replay"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_examine, begin),
		cmocka_unit_test_setup(test_together, begin),
		cmocka_unit_test_setup(test_order, begin),
		cmocka_unit_test_setup(test_all_instances, begin),
		cmocka_unit_test_setup(test_whole_numbers, begin),
		cmocka_unit_test_setup(test_one_instance, begin),
		cmocka_unit_test_setup(test_no_value, begin),
		cmocka_unit_test_setup(test_replay, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

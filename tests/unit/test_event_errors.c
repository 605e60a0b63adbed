/* SPDX-License-Identifier: MIT */
/* The event engine when calls fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_run.h"

static void test_graph(void **state)
{
	(void)state;
	assert_int_equal(start(), CUPTI_DONE);
	*calls = '\0';
	context.graph = true;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(enter(), CUPTI_DONE);
		assert_int_equal(leave(), CUPTI_DONE);
		assert_true(context.no_more_values);
	}
	assert_calls("");
	assert_int_equal(takes, 0);
	assert_int_equal(said, 1);
	context.graph = false;
	enter();
	leave();
	assert_int_equal(takes, 1);
	stop();
}

/* Errors of the program itself have no effect. */
static void test_no_rest(void **state)
{
	(void)state;
	assert_int_equal(start(), CUPTI_DONE);
	*calls = '\0';
	sync_result = 700;
	assert_int_equal(enter(), CUPTI_DONE);
	assert_int_equal(leave(), CUPTI_DONE);
	assert_calls("sync ");
	sync_result = 0;
	assert_int_equal(enter(), CUPTI_DONE);
	sync_result = 700;
	assert_int_equal(leave(), CUPTI_DONE);
	assert_calls("sync enable0 sync disable0 ");
	assert_int_equal(takes, 0);
	stop();
}

/* Starts and stops; returns the first error, if any. */
static int live_once(void)
{
	int result = start();

	if (result) {
		assert_null(context.state);
		return result;
	}
	result = enter();
	if (!result)
		result = leave();
	stop();
	return result;
}

/* Every failure is returned, and everything is released as far as CUPTI permits. */
static void test_failures(void **state)
{
	unsigned failures = 0;

	(void)state;
	for (unsigned call = 1; failures == call - 1; call++) {
		int result;

		begin(state);
		context.inputs = all;
		context.count = 4;
		registers = 1;
		device.replay = true;
		failing_call = call;
		result = live_once();
		if (!failed) {
			assert_int_equal(result, CUPTI_DONE);
			break;
		}
		failures++;
		if (!strcmp(failed, "noreplay") || !strcmp(failed, "destroy")) {
			assert_int_equal(result, CUPTI_DONE);
			continue;
		}
		assert_int_equal(result, CUPTI_LEGACY_PROFILER_NOT_SUPPORTED);
		assert_false(any_enabled());
		assert_false(replaying);
		assert_int_equal(live, 0);
		assert_true(takes <= !strcmp(failed, "disable"));
	}
	assert_int_equal(failures, 4 + 2 + 4 * 6 + 2 + 2 + 2 + 4 + 2 + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_graph, begin),
		cmocka_unit_test_setup(test_no_rest, begin),
		cmocka_unit_test_setup(test_failures, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

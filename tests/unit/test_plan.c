/* SPDX-License-Identifier: MIT */
/* The composition of counters, with scripted engines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plans.h"

static double value(unsigned counter, const double *inputs)
{
	double values[COUNTER_REQUESTS_MOST];

	plan_values(&plan, inputs, values);
	return values[counter];
}

static void test_events(void **state)
{
	static const double inputs[] = {10, 20, 3};

	(void)state;
	want("gld_request"); /* global_load + generic_load */
	want("branch_efficiency"); /* no event for it on 7.0 */
	want("local_load");
	settings.aggregate_counters = true;
	make(70);
	assert_ptr_equal(plan.engine, &event_engine);
	assert_int_equal(questions, 1);
	assert_int_equal(plan.count, 2);
	assert_int_equal(plan.input_count, 3);
	assert_string_equal(plan.inputs[0], "global_load");
	assert_string_equal(plan.inputs[1], "generic_load");
	assert_string_equal(plan.inputs[2], "local_load");
	assert_true(value(0, inputs) == 30 && value(1, inputs) == 3);
	assert_string_equal(strbuf_text(&plan.refused), "branch_efficiency\n");
	assert_string_equal(heard, "computeprof: counter not in the log (compute capability 7.0): "
				   "branch_efficiency: these devices have no event for it\n");
	make(70);
	assert_string_equal(heard, ""); /* one message is enough */
	settings.aggregate_counters = false; /* nvprof's metrics always cover the whole device */
	make(62);
	assert_string_equal(plan.inputs[0], "global_load[0]");
	assert_int_equal(strcspn(plan.inputs[1], "["), strlen(plan.inputs[1]));
	assert_int_equal(plan.count, 3);
	assert_int_equal(plan.input_count, 4);
	assert_true(plan.counters[1].real && !plan.counters[0].real);
}

static void test_ranges(void **state)
{
	static const double inputs[] = {100, 4, __builtin_nan(""), 9, 2};

	(void)state;
	want("sm_cta_launched");
	want("l2_read_transactions");
	want("sm__cycles_active.avg");
	want("ipc");
	want("prof_trigger_00");
	make(90);
	assert_ptr_equal(plan.engine, &range_engine);
	assert_string_equal(plan.device.chip, "GH100");
	assert_int_equal(plan.count, 4);
	assert_string_equal(plan.inputs[0], "sm__ctas_launched.sum");
	assert_string_equal(plan.inputs[2], "sm__cycles_active.avg");
	assert_true(value(0, inputs) == 25); /* of one multiprocessor */
	assert_true(value(1, inputs) == 4);
	assert_true(value(2, inputs) != value(2, inputs));
	assert_false(plan.counters[0].real || plan.counters[1].real);
	assert_true(plan.counters[2].real && plan.counters[3].real);
	assert_string_equal(strbuf_text(&plan.refused), "prof_trigger_00\n");
	assert_non_null(strstr(heard, "no device after compute capability 7.2 counts"));
	settings.aggregate_counters = true;
	make(90);
	assert_true(value(0, inputs) == 100);
	settings.aggregate_counters = false;
}

/* Counters outside the table need no device. */
static void test_defined(void **state)
{
	static const double inputs[] = {7, 2};
	struct counter_choice *choice;

	(void)state;
	choice = want("mine");
	choice->metric = strdup("sm__cycles_active.sum / sm__warps_launched.sum");
	choice = want("old");
	choice->event = strdup("branch * 2");
	want("fb_raw_event");
	make(90);
	assert_int_equal(plan.count, 1);
	assert_true(value(0, inputs) == 3.5 && plan.counters[0].real);
	assert_string_equal(strbuf_text(&plan.refused),
			    "old\nfb_raw_event\n");
	make(35);
	assert_int_equal(plan.count, 2);
	assert_string_equal(plan.inputs[1], "fb_raw_event");
	assert_true(value(0, inputs) == 14 && value(1, inputs) == 2);
	assert_string_equal(strbuf_text(&plan.refused), "mine\n");
}

static void test_alternatives(void **state)
{
	(void)state;
	want("dram_read_bytes"); /* dram__bytes_read.sum | dram__bytes_op_read.sum */
	want("branch");
	lacking = " dram__bytes_read.sum ";
	make(100);
	assert_int_equal(plan.count, 2);
	assert_int_equal(plan.input_count, 2);
	assert_string_equal(plan.inputs[plan.counters[0].inputs[0]], "dram__bytes_op_read.sum");
	assert_string_equal(heard, "");
	lacking = " dram__bytes_read.sum dram__bytes_op_read.sum ";
	make(100);
	assert_int_equal(plan.count, 1);
	assert_string_equal(plan.inputs[plan.counters[0].inputs[0]],
			    "smsp__inst_executed_op_branch.sum");
	assert_string_equal(strbuf_text(&plan.refused), "dram_read_bytes\n");
	assert_non_null(strstr(heard, "lacks their events or metrics"));
}

/* Values too large for a log, or not numbers, are blank. */
static void test_no_number(void **state)
{
	static const double inputs[] = {3e10, 2, 0};

	(void)state;
	want("huge")->metric = strdup("sm__one.sum * sm__one.sum * 1000000000");
	want("less")->metric = strdup("sm__two.sum - sm__one.sum");
	want("below")->metric = strdup("0 - sm__one.sum * sm__one.sum");
	want("none")->metric = strdup("sm__one.sum / sm__three.sum");
	want("endless")->metric = strdup("sm__two.sum / 0.000000000000000000000000000001");
	settings.aggregate_counters = true;
	make(90);
	assert_int_equal(plan.count, 5);
	assert_true(__builtin_isnan(value(0, inputs)));
	assert_true(value(1, inputs) == 2 - 3e10);
	assert_true(__builtin_isnan(value(2, inputs)));
	assert_true(__builtin_isnan(value(3, inputs)));
	assert_true(__builtin_isnan(value(4, inputs)));
	settings.aggregate_counters = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_events, begin),
		cmocka_unit_test_setup(test_ranges, begin),
		cmocka_unit_test_setup(test_defined, begin),
		cmocka_unit_test_setup(test_alternatives, begin),
		cmocka_unit_test_setup(test_no_number, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

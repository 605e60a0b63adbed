/* SPDX-License-Identifier: MIT */
/* Refused counters and the messages about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plans.h"

static const char *name_of(unsigned counter)
{
	return settings.counters.items[plan.counters[counter].choice].name;
}

/* The first ones are kept, and those that do not fit are refused. */
static void test_combination(void **state)
{
	static const char *const names[] = {"branch", "local_load", "divergent_branch",
					    "local_store", "shared_load", "shared_store"};

	(void)state;
	for (size_t i = 0; i < 6; i++)
		want(names[i]);
	settings.aggregate_counters = true; /* inputs are called as their events */
	lacking = " divergent_branch ";
	most = 3;
	make(50);
	assert_int_equal(plan.count, 3);
	assert_int_equal(plan.input_count, 3);
	assert_string_equal(name_of(0), "branch");
	assert_string_equal(name_of(1), "local_load");
	assert_string_equal(name_of(2), "local_store");
	assert_string_equal(plan.inputs[2], "local_store");
	assert_string_equal(strbuf_text(&plan.refused),
			    "divergent_branch\nshared_load\nshared_store\n");
	assert_non_null(strstr(heard, "): divergent_branch: the device"));
	assert_non_null(strstr(heard, "): shared_load, shared_store: they cannot be measured in "
				      "one pass"));
	most = 0;
	make(50);
	assert_int_equal(plan.count, 0);
	assert_null(plan.engine);
}

static void test_four(void **state)
{
	static const char *const names[] = {"gld_32b", "gld_64b", "l1_global_load_hit",
					    "gst_32b", "gst_64b", "branch"};

	(void)state;
	for (size_t i = 0; i < 6; i++)
		want(names[i]);
	make(13);
	assert_int_equal(plan.count, 4);
	assert_string_equal(strbuf_text(&plan.refused), "l1_global_load_hit\nbranch\n");
	assert_non_null(strstr(heard, "): branch: these devices measure four counters at a time"));
}

static void test_engines(void **state)
{
	(void)state;
	want("branch");
	event_refusal = "there are no events";
	make(61);
	assert_int_equal(plan.count, 0);
	assert_null(plan.engine);
	assert_string_equal(strbuf_text(&plan.refused), "branch\n");
	assert_string_equal(heard, "computeprof: counter not in the log (compute capability 6.1): "
				   "branch: there are no events\n");
	make(70);
	assert_ptr_equal(plan.engine, &range_engine);
	assert_int_equal(plan.count, 1);
	range_refusal = "nor ranges";
	make(75);
	assert_non_null(strstr(heard, "(compute capability 7.5): branch: nor ranges\n"));
	make(0);
	assert_non_null(strstr(heard, "does not identify the device"));
	assert_int_equal(questions, 1);
}

static void test_concurrent(void **state)
{
	(void)state;
	want("branch");
	want("local_load");
	settings.concurrent_kernels = TRISTATE_ON;
	make(90);
	assert_int_equal(plan.count, 0);
	assert_int_equal(questions, 0);
	assert_string_equal(strbuf_text(&plan.refused), "branch\nlocal_load\n");
	assert_non_null(strstr(heard, "counters not in the log (compute capability 9.0): branch, "
				      "local_load: counters of kernels that run at the same time"));
	settings.concurrent_kernels = TRISTATE_OFF;
	make(90);
	assert_int_equal(plan.count, 2);
}

static void test_refused_later(void **state)
{
	(void)state;
	want("branch");
	want("prof_trigger_01");
	make(90);
	assert_int_equal(plan.count, 1);
	plan_refuse(&plan, &settings, "another profiler uses the counters");
	assert_int_equal(plan.count, 0);
	assert_null(plan.engine);
	assert_string_equal(strbuf_text(&plan.refused), "branch\nprof_trigger_01\n");
}

/* For any number of counters the sentence is limited and the plan complete. */
static void test_many(void **state)
{
	char name[64];

	(void)state;
	for (int i = 0; i < COUNTER_REQUESTS_MOST; i++) {
		snprintf(name, sizeof(name), "smsp__number_%d_of_many_more.sum", i);
		want(name);
	}
	make(90);
	assert_int_equal(plan.count, COUNTER_REQUESTS_MOST);
	assert_int_equal(plan.input_count, COUNTER_REQUESTS_MOST);
	assert_string_equal(plan.inputs[COUNTER_REQUESTS_MOST - 1],
			    "smsp__number_511_of_many_more.sum");
	most = 100;
	make(90);
	assert_int_equal(plan.count, 100);
	assert_non_null(strstr(heard, " and 4"));
	assert_non_null(strstr(heard, " more: they cannot be measured together"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_combination, begin),
		cmocka_unit_test_setup(test_four, begin),
		cmocka_unit_test_setup(test_engines, begin),
		cmocka_unit_test_setup(test_concurrent, begin),
		cmocka_unit_test_setup(test_refused_later, begin),
		cmocka_unit_test_setup(test_many, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

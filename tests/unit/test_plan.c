/* SPDX-License-Identifier: MIT */
/* Which counters are measured, and from what: with engines that know what a test tells them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/cuda/plan.h"
#include "model/counter.h"

static struct settings settings;
static struct plan plan;
static char heard[4096];

/* The engines: what they refuse, which inputs they lack, how many they take in one run. */
static const char *event_refusal, *range_refusal, *lacking;
static size_t most;
static int questions;

static const char *examine_events(struct engine_device *device)
{
	(void)device;
	return event_refusal;
}

static const char *examine_ranges(struct engine_device *device)
{
	device->chip = "GH100";
	return range_refusal;
}

static bool together(const struct engine_device *device, cuda_context context,
		     const char *const *inputs, size_t count)
{
	char word[128];

	(void)device;
	(void)context;
	questions++;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(inputs[i], inputs[k]);
		snprintf(word, sizeof(word), " %s ", inputs[i]);
		if (lacking && strstr(lacking, word))
			return false;
	}
	return count <= most;
}

const struct engine event_engine = {.examine = examine_events, .together = together};
const struct engine range_engine = {.examine = examine_ranges, .together = together};

static int begin(void **state)
{
	(void)state;
	plan_free(&plan);
	settings_free(&settings);
	event_refusal = range_refusal = lacking = NULL;
	most = 1000;
	questions = 0;
	return 0;
}

static struct counter_choice *want(const char *name)
{
	struct counter_choice *choice = choices_add(&settings.counters, name, counter_find(name));

	assert_non_null(choice);
	return choice;
}

static void make(uint32_t capability)
{
	struct engine_device device = {.capability = capability, .multiprocessors = 4};
	int ends[2], kept = dup(2);
	ssize_t size;

	plan_free(&plan);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], 2);
	close(ends[1]);
	assert_int_equal(plan_make(&plan, &settings, &device, NULL), 0);
	dup2(kept, 2);
	close(kept);
	size = read(ends[0], heard, sizeof(heard) - 1);
	heard[size < 0 ? 0 : size] = '\0';
	close(ends[0]);
}

static const char *name_of(unsigned counter)
{
	return settings.counters.items[plan.counters[counter].choice].name;
}

static double value(unsigned counter, const double *inputs)
{
	double values[CHOICE_LIMIT];

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
	assert_string_equal(heard, ""); /* once is enough */
	make(62);
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

/* What is no number of the table, and needs no device. */
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
	assert_non_null(strstr(heard, "does not know what they are made of"));
}

/* The first ones are kept, and those go that do not fit. */
static void test_combination(void **state)
{
	static const char *const names[] = {"branch", "local_load", "divergent_branch",
					    "local_store", "shared_load", "shared_store"};

	(void)state;
	for (size_t i = 0; i < 6; i++)
		want(names[i]);
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
	assert_non_null(strstr(heard, "): shared_load, shared_store: they cannot be counted in one "
				      "pass"));
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
	assert_non_null(strstr(heard, "): branch: these devices count four at a time"));
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
	assert_non_null(strstr(heard, "what device it is"));
	assert_int_equal(questions, 1);
}

static void test_concurrent(void **state)
{
	(void)state;
	want("branch");
	want("local_load");
	settings.concurrent_kernels = WISH_ON;
	make(90);
	assert_int_equal(plan.count, 0);
	assert_int_equal(questions, 0);
	assert_string_equal(strbuf_text(&plan.refused), "branch\nlocal_load\n");
	assert_non_null(strstr(heard, "counters not in the log (compute capability 9.0): branch, "
				      "local_load: kernels that run at the same time"));
	settings.concurrent_kernels = WISH_OFF;
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
	plan_refuse(&plan, &settings, "somebody else has the counters");
	assert_int_equal(plan.count, 0);
	assert_null(plan.engine);
	assert_string_equal(strbuf_text(&plan.refused), "branch\nprof_trigger_01\n");
}

/* However many there are, the sentence has an end and the plan all of them. */
static void test_many(void **state)
{
	char name[64];

	(void)state;
	for (int i = 0; i < CHOICE_LIMIT; i++) {
		snprintf(name, sizeof(name), "smsp__number_%d_of_many_more.sum", i);
		want(name);
	}
	make(90);
	assert_int_equal(plan.count, CHOICE_LIMIT);
	assert_int_equal(plan.input_count, CHOICE_LIMIT);
	assert_string_equal(plan.inputs[CHOICE_LIMIT - 1], "smsp__number_511_of_many_more.sum");
	most = 100;
	make(90);
	assert_int_equal(plan.count, 100);
	assert_non_null(strstr(heard, " and 4"));
	assert_non_null(strstr(heard, " more: they cannot be counted in one run"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_events, begin),
		cmocka_unit_test_setup(test_ranges, begin),
		cmocka_unit_test_setup(test_defined, begin),
		cmocka_unit_test_setup(test_alternatives, begin),
		cmocka_unit_test_setup(test_combination, begin),
		cmocka_unit_test_setup(test_four, begin),
		cmocka_unit_test_setup(test_engines, begin),
		cmocka_unit_test_setup(test_concurrent, begin),
		cmocka_unit_test_setup(test_refused_later, begin),
		cmocka_unit_test_setup(test_many, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

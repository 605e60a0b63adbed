/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_PLANS_H
#define TESTS_UNIT_PLANS_H

/* Include after cmocka.h, once per program: plans with scripted engines. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend/cuda/counters/plan.h"
#include "model/counter.h"

static struct settings settings;
static struct plan plan;
static char heard[4096];

/* The engines: their refusals, missing inputs, and limits per run. */
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

static inline int begin(void **state)
{
	(void)state;
	plan_free(&plan);
	settings_free(&settings);
	event_refusal = range_refusal = lacking = NULL;
	most = 1000;
	questions = 0;
	return 0;
}

static inline struct counter_choice *want(const char *name)
{
	struct counter_choice *choice =
		counter_requests_add(&settings.counters, name, counter_find(name));

	assert_non_null(choice);
	return choice;
}

static inline void make(uint32_t capability)
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

#endif

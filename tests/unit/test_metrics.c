/* SPDX-License-Identifier: MIT */
/*
 * Compares the metrics of every chip in the installed libcupti, which needs no driver, with
 * src/cli/counters/metrics.def for the table of counters. COMPUTEPROF_CUPTI names another libcupti.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "metricfacts.h"

/* The version of the file's passes; other versions may plan differently. */
enum { OF_THE_FILE = 130000, NEXT = 130100 };

static struct metricfacts facts;
static int there;

static int enter(void **state)
{
	const char *sanitizers = getenv("COMPUTEPROF_SANITIZERS");

	(void)state;
	if (sanitizers && *sanitizers)
		return 0; /* they end the process when libcupti opens libnvperf_host */
	there = metricfacts_open(&facts) == 0;
	if (there)
		printf("# CUPTI %u: %zu chips, %zu metrics\n", facts.version, facts.chip_count,
		       facts.metric_count);
	return 0;
}

/* All chips are checked once in a run of all tests, and a few in those of other builds. */
static size_t chip_step(void)
{
	const char *level = getenv("COMPUTEPROF_TEST_LEVEL");

	return level && !strcmp(level, "quick") ? 8 : 1;
}

static unsigned compare_passes(const struct chip *chip, const char *name, const bool *have)
{
	unsigned wrong = 0;

	for (int id = 0; id < COUNTER_COUNT; id++) {
		struct counter_way way = metricfacts_way(&facts, have, id);
		struct chip_counter found = chip_counter(chip, id);
		size_t passes;

		if (chip_access(chip) != CHIP_METRICS || way.grade == COUNTER_NONE)
			continue;
		passes = metricfacts_passes(&facts, name, way);
		if (passes && passes == found.passes)
			continue;
		printf("# %s on %s: %zu passes, not %u\n", counter_get(id).name, name, passes,
		       found.passes);
		wrong++;
	}
	return wrong;
}

static void test_chips(void **state)
{
	static bool have[FACT_METRICS];
	unsigned wrong = 0, others = 0, seen = 0;

	(void)state;
	if (!there)
		skip();
	for (size_t i = 0; i < facts.chip_count; i += chip_step()) {
		const struct chip *chip = chip_find(facts.chips[i]);

		if (!chip) {
			printf("# %s is not in src/cli/counters/chips.def\n", facts.chips[i]);
			continue;
		}
		if (metricfacts_have(&facts, facts.chips[i], have))
			continue;
		metricfacts_plan(&facts, facts.chips[i], have);
		seen++;
		for (size_t m = 0; m < facts.metric_count; m++) {
			const char *metric = facts.metrics[m];

			if (chip_has(chip, metric, strlen(metric)) == have[m])
				continue;
			printf("# %s: %s %s\n", chip->name, have[m] ? "has" : "lacks", metric);
			wrong++;
		}
		others += compare_passes(chip, facts.chips[i], have);
	}
	assert_int_equal(wrong, 0);
	if (facts.version >= OF_THE_FILE && facts.version < NEXT)
		assert_int_equal(others, 0);
	assert_true(seen >= 20 / chip_step());
}

/* Counters that fit one pass, and an unknown name. */
static void test_together(void **state)
{
	static const char *const four[] = {"sm__cycles_active.sum", "sm__warps_active.sum",
					   "sm__inst_executed.sum", "smsp__warps_launched.sum"};
	static const char *const wrong[] = {"sm__cycles_active.sum", "sm__no_such_thing.sum"};

	(void)state;
	if (!there)
		skip();
	assert_int_equal(hostapi_passes(&facts.api, "GH100", four, 4), 1);
	assert_int_equal(hostapi_passes(&facts.api, "GH100", wrong, 1), 1);
	assert_int_equal(hostapi_passes(&facts.api, "GH100", wrong, 2), 0);
	assert_int_equal(hostapi_passes(&facts.api, "XX100", four, 4), 0);
}

/* Counters together need at most the sum of the passes of each. */
static void test_sum(void **state)
{
	static const char *const names[] = {"TU102", "GH100"};
	static const char *all[FACT_METRICS];

	(void)state;
	if (!there)
		skip();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		static bool have[FACT_METRICS];
		size_t count = 0, sum = 0, together;

		assert_int_equal(metricfacts_have(&facts, names[i], have), 0);
		metricfacts_plan(&facts, names[i], have);
		for (size_t m = 0; m < facts.metric_count; m += 5) {
			if (!have[m] || !strncmp(facts.metrics[m], "pcie", 4))
				continue; /* pcie__... may not be combined */
			all[count++] = facts.metrics[m];
			sum += facts.alone[m];
		}
		together = hostapi_passes(&facts.api, names[i], all, count);
		assert_in_range(together, 1, sum);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chips),
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_sum),
	};

	return cmocka_run_group_tests(tests, enter, NULL);
}

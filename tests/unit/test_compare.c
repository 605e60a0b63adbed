/* SPDX-License-Identifier: MIT */
/* The comparison of runs: what it finds, what it must not find, and what it cannot know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "view/compare/compare.h"
#include "view/compare/compare_json.h"
#include "view/compare/compare_junit.h"
#include "view/compare/compare_markdown.h"
#include "view/compare/compare_notes.h"
#include "view/compare/compare_table.h"

enum { KERNELS = 5, RUNS = 5, ROUNDS = 200, TEXT = 1 << 16 };

static const struct compare_options usual = {
	.statistics = 1u << STATISTIC_MINIMUM, .threshold = 0.05, .floor = 100};

/* About normal, with a mean of 0 and a deviation of 1. */
static double noise(void)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += next_random() / 4294967296.0;
	return sum - 6;
}

static void put_kernel(struct strbuf *to, const char *name, double time, int launches)
{
	strbuf_printf(to,
		      "%s{\"api\": \"CUDA\", \"kind\": \"kernel\", \"name\": \"%s\", "
		      "\"count\": %d, \"untimed\": 0, \"total_ns\": %.0f, \"min_ns\": %.0f, "
		      "\"p50_ns\": %.0f}",
		      to->length ? ", " : "", name, launches, time * launches * 1.1, time,
		      time * 1.1);
}

/* Adds a run with these rows. */
static void add_run(struct runs *runs, enum runs_side side, struct strbuf *rows)
{
	struct strbuf text = STRBUF_INIT, error = STRBUF_INIT;
	struct json_value *value;

	strbuf_printf(&text, "{\"activities\": [%s]}", strbuf_text(rows));
	value = json_read(text.data, text.length, &error);
	assert_non_null(value);
	assert_int_equal(runs_add_saved(runs, side, value, "x.json", &error), 0);
	assert_int_equal(error.length, 0);
	json_free(value);
	strbuf_free(&text);
	rows->length = 0;
}

static void open_runs(struct runs *runs)
{
	struct strbuf error = STRBUF_INIT;

	assert_int_equal(runs_open(runs, NULL, true, &error), 0);
}

/* A run of five kernels. Those of a run vary together and each by itself. */
static void simulate(struct runs *runs, enum runs_side side, double deviation, double factor)
{
	static const char *const names[KERNELS] = {"a", "b", "c", "d", "e"};
	double machine = 1 + deviation / 2 * noise();
	struct strbuf rows = STRBUF_INIT;

	for (int i = 0; i < KERNELS; i++)
		put_kernel(&rows, names[i],
			   (i + 1) * 10000 * machine * (1 + deviation * noise()) *
				   (i == 2 ? factor : 1),
			   100);
	add_run(runs, side, &rows);
	strbuf_free(&rows);
}

struct found {
	int slower, faster, right;
};

static void judge(struct found *found, const struct runs *runs,
		  const struct compare_options *options)
{
	struct comparison comparison;
	bool slower = false, faster = false, right = false;

	assert_int_equal(compare(&comparison, runs, options), 0);
	for (size_t i = 0; i < comparison.count; i++) {
		const struct compare_row *row = &comparison.rows[i];

		slower |= row->verdict == VERDICT_SLOWER;
		faster |= row->verdict == VERDICT_FASTER;
		right |= row->verdict == VERDICT_SLOWER && row->what && row->number == 2;
	}
	assert_int_equal(comparison.verdict == VERDICT_SLOWER, slower);
	found->slower += slower;
	found->faster += faster;
	found->right += right;
	compare_free(&comparison);
}

/* Compares `count` runs a side; C, the third kernel, is slower in B by the factor. */
static void compare_once(struct found *found, int count, double deviation, double factor)
{
	struct runs runs;

	open_runs(&runs);
	for (int i = 0; i < 2 * count; i++)
		simulate(&runs, (enum runs_side)(i % 2), deviation, i % 2 ? factor : 1);
	judge(found, &runs, &usual);
	runs_close(&runs);
}

/* The runs of `all`, those with a bit in `chosen` as B. */
static void divide(struct runs *runs, const struct runs *all, unsigned chosen)
{
	static struct run lists[RUNS_SIDES][RUNS];

	*runs = *all;
	for (int side = 0; side < RUNS_SIDES; side++) {
		runs->sides[side].list = lists[side];
		runs->sides[side].count = 0;
	}
	for (unsigned i = 0; i < all->sides[RUNS_A].count; i++) {
		struct run_side *side = &runs->sides[chosen >> i & 1];

		side->list[side->count++] = all->sides[RUNS_A].list[i];
	}
}

/* Of all divisions of equal runs at most 5 % may find anything slower, however large the noise is.
 * Nothing but the test decides: threshold and floor are 0. */
static void test_false_alarms(void **state)
{
	static const unsigned statistics[] = {1u << STATISTIC_MINIMUM, 1u << STATISTIC_MEDIAN,
					      1u << STATISTIC_MINIMUM | 1u << STATISTIC_MEDIAN};
	static const int divisions[] = {[3] = 20, [4] = 70, [5] = 252};

	(void)state;
	for (int i = 0; i < 18; i++) {
		int count = 3 + i / 6, most = divisions[count] * 5 / 100;
		struct compare_options options = {.statistics = statistics[i % 3]};
		struct found found = {0};
		struct runs all, runs;

		open_runs(&all);
		for (int run = 0; run < 2 * count; run++)
			simulate(&all, RUNS_A, 0.2, 1);
		for (unsigned chosen = 0; chosen < 1u << 2 * count; chosen++) {
			if (__builtin_popcount(chosen) != count)
				continue;
			divide(&runs, &all, chosen);
			judge(&found, &runs, &options);
		}
		print_message("%d slower, %d faster of %d divisions of equal runs\n", found.slower,
			      found.faster, divisions[count]);
		assert_int_equal(found.slower, most);
		assert_int_equal(found.faster, most);
		runs_close(&all);
	}
}

/* Kernels that only some of the runs have: at most 5 % of the divisions find any slower. */
static void test_missing(void **state)
{
	struct compare_options options = {.statistics = 1u << STATISTIC_MINIMUM};

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct strbuf rows = STRBUF_INIT;
		struct found found = {0};
		struct runs all, runs;

		open_runs(&all);
		for (int run = 0; run < 2 * RUNS; run++) {
			for (int i = 0; i < 12; i++) {
				char name[8];

				snprintf(name, sizeof(name), "k%d", i);
				if (!i || next_random() % 5 < 3)
					put_kernel(&rows, name, 10000 * (1 + 0.01 * noise()), 100);
			}
			add_run(&all, RUNS_A, &rows);
		}
		for (unsigned chosen = 0; chosen < 1u << 2 * RUNS; chosen++) {
			if (__builtin_popcount(chosen) != RUNS)
				continue;
			divide(&runs, &all, chosen);
			judge(&found, &runs, &options);
		}
		assert_true(found.slower <= 252 * 5 / 100);
		assert_true(found.faster <= 252 * 5 / 100);
		strbuf_free(&rows);
		runs_close(&all);
	}
}

/* Equal programs with 3 % of noise, and the default options. */
static void test_equal(void **state)
{
	struct found found = {0};

	(void)state;
	for (int i = 0; i < ROUNDS; i++)
		compare_once(&found, 3 + i % 3, 0.03, 1);
	print_message("%d slower, %d faster of %d comparisons of equal programs\n", found.slower,
		      found.faster, ROUNDS);
	assert_true(found.slower <= ROUNDS * 5 / 100);
	assert_true(found.faster <= ROUNDS * 5 / 100);
}

/* One kernel of five is 10 and 20 % slower. */
static void test_power(void **state)
{
	static const double factors[] = {1.1, 1.2};

	(void)state;
	for (int i = 0; i < 6; i++) {
		int count = 3 + i / 2;
		double factor = factors[i % 2];
		struct found found = {0};

		for (int round = 0; round < 100; round++)
			compare_once(&found, count, 0.01, factor);
		print_message("%d runs, %.0f %% slower: found in %d of 100\n", count,
			      100 * factor - 100, found.right);
		assert_true(found.right >= 95);
		assert_int_equal(found.faster, 0);
	}
}

/* Exactly the kernels with these times in each run; the noise is 1 ns. */
static void add_exact(struct runs *runs, enum runs_side side, const char *const *names,
		      const double *times, const int *launches, int count)
{
	struct strbuf rows = STRBUF_INIT;

	for (int run = 0; run < RUNS; run++) {
		for (int i = 0; i < count; i++)
			put_kernel(&rows, names[i], times[i] + run, launches[i]);
		add_run(runs, side, &rows);
	}
	strbuf_free(&rows);
}

static const struct compare_row *row_of(struct comparison *comparison, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	const struct compare_row *row = NULL;

	for (size_t i = 0; i < comparison->count; i++) {
		text.length = 0;
		compare_put_name(&text, comparison, &comparison->rows[i], 0);
		if (!strcmp(strbuf_text(&text), name))
			row = &comparison->rows[i];
	}
	strbuf_free(&text);
	assert_non_null(row);
	return row;
}

/* Below the threshold, below the floor, above both, renamed, and with other launches. */
static void test_rows(void **state)
{
	static const char *const a[] = {"same", "small", "short", "slow", "fast", "old", "more"};
	static const char *const b[] = {"same", "small", "short", "slow", "fast", "new", "more"};
	static const double times_a[] = {9000, 100000, 500, 20000, 30000, 5000, 8000};
	static const double times_b[] = {9000, 104000, 580, 22000, 27000, 5000, 8000};
	static const int launches_a[] = {10, 10, 10, 10, 10, 10, 10};
	static const int launches_b[] = {10, 10, 10, 10, 10, 10, 12};
	struct comparison comparison;
	struct runs runs;

	(void)state;
	open_runs(&runs);
	add_exact(&runs, RUNS_A, a, times_a, launches_a, 7);
	add_exact(&runs, RUNS_B, b, times_b, launches_b, 7);
	assert_int_equal(compare(&comparison, &runs, &usual), 0);
	assert_int_equal(comparison.verdict, VERDICT_SLOWER);
	assert_int_equal(row_of(&comparison, "same")->verdict, VERDICT_SAME);
	assert_int_equal(row_of(&comparison, "small")->verdict, VERDICT_SAME);
	assert_true(row_of(&comparison, "small")->slower[STATISTIC_MINIMUM] < 0.05);
	assert_int_equal(row_of(&comparison, "short")->verdict, VERDICT_SAME);
	assert_int_equal(row_of(&comparison, "slow")->verdict, VERDICT_SLOWER);
	assert_int_equal(row_of(&comparison, "fast")->verdict, VERDICT_FASTER);
	assert_int_equal(row_of(&comparison, "old")->verdict, VERDICT_GONE);
	assert_int_equal(row_of(&comparison, "new")->verdict, VERDICT_NEW);
	assert_int_equal(row_of(&comparison, "more")->shown, STATISTIC_MEDIAN);
	assert_int_equal(row_of(&comparison, "slow")->shown, STATISTIC_MINIMUM);
	assert_int_equal(comparison.tests, 7);
	compare_free(&comparison);
	runs_close(&runs);
}

/* Three runs a side test all rows, fewer test none. */
static void test_few(void **state)
{
	static const enum verdict verdicts[] = {[1] = VERDICT_UNTESTED,
						[2] = VERDICT_UNTESTED,
						[3] = VERDICT_SAME,
						[4] = VERDICT_SAME};
	static const size_t tests[] = {[1] = 0, [2] = 0, [3] = 6, [4] = 6};

	(void)state;
	for (int count = 1; count <= 4; count++) {
		struct strbuf text = STRBUF_INIT;
		struct comparison comparison;
		struct runs runs;

		open_runs(&runs);
		for (int i = 0; i < 2 * count; i++)
			simulate(&runs, (enum runs_side)(i % 2), 0, 1);
		assert_int_equal(compare(&comparison, &runs, &usual), 0);
		assert_int_equal(comparison.verdict, verdicts[count]);
		assert_int_equal(comparison.tests, tests[count]);
		compare_put_verdict(&text, &comparison);
		if (count == 1)
			assert_string_equal(strbuf_text(&text), "inconclusive: one run a side");
		strbuf_free(&text);
		compare_free(&comparison);
		runs_close(&runs);
	}
}

/* Most of A's runs are short, so differences from the long ones exceed the median of A. */
static void test_bound(void **state)
{
	static const double times[RUNS] = {1000, 1000, 1000, 9000, 9000};
	struct strbuf rows = STRBUF_INIT, text = STRBUF_INIT;
	struct comparison comparison;
	double change, low, high;
	struct runs runs;

	(void)state;
	open_runs(&runs);
	for (int run = 0; run < RUNS; run++) {
		put_kernel(&rows, "k", times[run], 1);
		add_run(&runs, RUNS_A, &rows);
		put_kernel(&rows, "k", 10, 1);
		add_run(&runs, RUNS_B, &rows);
	}
	assert_int_equal(compare(&comparison, &runs, &usual), 0);
	assert_true(compare_change(row_of(&comparison, "k"), &change, &low, &high));
	assert_true(row_of(&comparison, "k")->tests[STATISTIC_MINIMUM].low < -8000);
	assert_true(low == -1 && change > low && change < -0.98 && high >= change);
	compare_put_interval(&text, row_of(&comparison, "k"));
	assert_string_equal(strbuf_text(&text), "-100.0 to -99.0%");
	strbuf_free(&text);
	strbuf_free(&rows);
	compare_free(&comparison);
	runs_close(&runs);
}

/* Returns true if the notes say that devices differ. B has used "One" and knows nothing more, as
 * JSON. */
static bool differ(const char *devices, const char *used)
{
	static const char one[] = "One (CUDA)";
	struct strbuf rows = STRBUF_INIT;
	struct comparison comparison;
	struct runs runs;
	bool differ;

	open_runs(&runs);
	for (int side = 0; side < RUNS_SIDES; side++) {
		put_kernel(&rows, "k", 1000, 1);
		add_run(&runs, (enum runs_side)side, &rows);
	}
	strbuf_string(&runs.sides[RUNS_A].devices, devices);
	strbuf_string(&runs.sides[RUNS_A].used, used);
	runs_add_line(&runs.sides[RUNS_B].devices, one, strlen(one));
	runs_add_line(&runs.sides[RUNS_B].used, one, strlen(one));
	assert_int_equal(compare(&comparison, &runs, &usual), 0);
	compare_put_notes(&comparison);
	differ = strstr(strbuf_text(&comparison.notes), "devices differ");
	strbuf_free(&rows);
	compare_free(&comparison);
	runs_close(&runs);
	return differ;
}

/* Kinds of files know more or less of a device, and may be without one that did no work. */
static void test_devices(void **state)
{
	(void)state;
	assert_false(differ("One (CUDA, compute capability 9.0)\n", "One (CUDA)\n"));
	assert_false(differ("Two (CUDA, compute capability 9.0)\nOne (CUDA)\n", "One (CUDA)\n"));
	assert_false(differ("", ""));
	assert_true(differ("Two (CUDA)\nOne (CUDA)\n", "Two (CUDA)\n"));
	assert_true(differ("Two (CUDA)\n", "Two (CUDA)\n"));
	assert_true(differ("Two (CUDA)\n", ""));
	assert_true(differ("One (OpenCL)\n", "One (OpenCL)\n"));
	assert_true(differ("One\\x20 (CUDA)\n", "One\\x20 (CUDA)\n"));
}

/* Each form has the name, escaped. */
static void test_forms(void **state)
{
	static const char *const names[] = {"a|b<script>&`*@x\\u202e", "plain"};
	static const double times[] = {5000, 1000}, slow[] = {9000, 1000};
	static const int launches[] = {1, 1};
	struct strbuf text = STRBUF_INIT;
	struct printer_page page = {.text = &text, .time_unit = QUANTITY_AUTO};
	struct comparison comparison;
	struct runs runs;

	(void)state;
	open_runs(&runs);
	add_exact(&runs, RUNS_A, names, times, launches, 2);
	add_exact(&runs, RUNS_B, names, slow, launches, 2);
	assert_int_equal(compare(&comparison, &runs, &usual), 0);
	compare_put_notes(&comparison);
	compare_put_markdown(&text, &comparison);
	assert_non_null(strstr(strbuf_text(&text), "a\\|b&lt;script\\>&amp;\\`\\*&#64;x"));
	text.length = 0;
	compare_put_junit(&text, &comparison);
	assert_non_null(strstr(strbuf_text(&text), "a|b&lt;script&gt;&amp;`*@x"));
	assert_non_null(strstr(strbuf_text(&text), "tests=\"3\" failures=\"2\" errors=\"0\""));
	text.length = 0;
	compare_put_json(&text, &comparison);
	assert_non_null(strstr(strbuf_text(&text), "\"verdict\": \"slower\""));
	text.length = 0;
	compare_put_table(&comparison, &page);
	assert_non_null(strstr(strbuf_text(&text), "+80.0%"));
	assert_null(strstr(strbuf_text(&text), "\xe2\x80\xae"));
	strbuf_free(&text);
	compare_free(&comparison);
	runs_close(&runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_false_alarms), cmocka_unit_test(test_equal),
		cmocka_unit_test(test_power),	     cmocka_unit_test(test_rows),
		cmocka_unit_test(test_few),	     cmocka_unit_test(test_forms),
		cmocka_unit_test(test_bound),	     cmocka_unit_test(test_devices),
		cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

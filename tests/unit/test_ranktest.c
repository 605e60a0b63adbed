/* SPDX-License-Identifier: MIT */
/* The exact rank test against an enumeration of all groups, and against published tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "view/compare/ranktest.h"

#define CLOSE 1e-9

static void assert_close(double value, double wanted)
{
	double difference = value > wanted ? value - wanted : wanted - value;

	if (difference > CLOSE)
		print_error("%.12f is not %.12f\n", value, wanted);
	assert_true(difference <= CLOSE);
}

/* The sum of the ranks of the chosen values; equal ones have the mean of their ranks. */
static double rank_sum(const double *values, int count, unsigned chosen)
{
	double sum = 0;

	for (int i = 0; i < count; i++) {
		int below = 0, equal = 0;

		for (int j = 0; j < count; j++) {
			below += values[j] < values[i];
			equal += values[j] == values[i];
		}
		if (chosen & 1u << i)
			sum += below + (equal + 1) / 2.0;
	}
	return sum;
}

/* All groups of the size of B, of which each is as likely. */
static void enumerate(const double *values, int a, int b, double *greater, double *less)
{
	unsigned observed = ((1u << b) - 1) << a, groups = 0, above = 0, below = 0;
	double sum = rank_sum(values, a + b, observed);

	for (unsigned chosen = 0; chosen < 1u << (a + b); chosen++) {
		double other;

		if (__builtin_popcount(chosen) != b)
			continue;
		other = rank_sum(values, a + b, chosen);
		groups++;
		above += other >= sum;
		below += other <= sum;
	}
	*greater = (double)above / groups;
	*less = (double)below / groups;
}

static int ascending(const void *left, const void *right)
{
	double one = *(const double *)left, other = *(const double *)right;

	return (one > other) - (one < other);
}

static void check_shift(const struct ranktest *test, const double *a, int a_count, const double *b,
			int b_count)
{
	double differences[64];
	int count = 0;

	for (int i = 0; i < a_count; i++)
		for (int j = 0; j < b_count; j++)
			differences[count++] = b[j] - a[i];
	qsort(differences, (size_t)count, sizeof(*differences), ascending);
	assert_close(test->shift, (differences[(count - 1) / 2] + differences[count / 2]) / 2);
	if (test->has_interval)
		assert_true(test->low <= test->shift && test->shift <= test->high);
}

static void check(const double *values, int a, int b)
{
	double greater, less;
	struct ranktest test;

	enumerate(values, a, b, &greater, &less);
	assert_int_equal(ranktest(&test, values, (size_t)a, values + a, (size_t)b), 0);
	assert_close(test.greater, greater);
	assert_close(test.less, less);
	assert_close(test.both, 2 * (greater < less ? greater : less) < 1
					? 2 * (greater < less ? greater : less)
					: 1);
	check_shift(&test, values, a, values + a, b);
}

/* Sizes 1 to 5, with many, few and no equal values. */
static void test_enumeration(void **state)
{
	static const uint32_t ranges[] = {1, 2, 4, 20, 1u << 30};

	(void)state;
	for (int sizes = 0; sizes < 25; sizes++) {
		for (int round = 0; round < 20; round++) {
			double values[10];

			for (int i = 0; i < 10; i++)
				values[i] = next_random() % ranges[round % 5];
			check(values, sizes / 5 + 1, sizes % 5 + 1);
		}
	}
}

/* Values with U pairs in which the value of B is the larger one. */
static void make_with(double *a, double *b, int size, int pairs)
{
	int taken[32] = {0}, left = pairs, count = 0;

	for (int i = size - 1; i >= 0; i--) {
		int step = left < size ? left : size;

		b[i] = i + step;
		left -= step;
		taken[i + step] = 1;
	}
	for (int i = 0; i < 2 * size; i++)
		if (!taken[i])
			a[count++] = i;
}

/* Mann and Whitney, 1947, table I: the probability of U or less, for groups of one size. */
static void test_published(void **state)
{
	static const struct {
		int size, pairs;
		const char *probability;
	} rows[] = {
		{3, 0, "0.050"}, {3, 1, "0.100"}, {3, 2, "0.200"}, {3, 3, "0.350"},
		{4, 0, "0.014"}, {4, 1, "0.029"}, {4, 2, "0.057"}, {4, 4, "0.171"},
		{5, 0, "0.004"}, {5, 1, "0.008"}, {5, 2, "0.016"}, {5, 3, "0.028"},
		{5, 4, "0.048"}, {5, 8, "0.210"}, {6, 0, "0.001"}, {6, 1, "0.002"},
		{6, 2, "0.004"}, {6, 5, "0.021"}, {6, 7, "0.047"}, {6, 11, "0.155"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ranktest test;
		double a[8], b[8];
		char text[16];
		size_t size = (size_t)rows[i].size;

		make_with(a, b, rows[i].size, rows[i].pairs);
		assert_int_equal(ranktest(&test, a, size, b, size), 0);
		snprintf(text, sizeof(text), "%.3f", test.less);
		assert_string_equal(text, rows[i].probability);
		assert_int_equal(ranktest(&test, b, size, a, size), 0);
		snprintf(text, sizeof(text), "%.3f", test.greater);
		assert_string_equal(text, rows[i].probability);
	}
}

/* The bounds are the k-th differences from both ends, k being one more than the largest U with a
 * probability of at most 0.025 in these tables; groups of three have none. */
static void test_interval(void **state)
{
	static const int places[] = {[3] = 0, [4] = 1, [5] = 3, [6] = 6};

	(void)state;
	for (int size = 3; size <= 6; size++) {
		double a[8], b[8], differences[64];
		struct ranktest test;
		int count = size * size;

		for (int i = 0; i < size; i++) {
			a[i] = next_random() % 100000;
			b[i] = next_random() % 100000;
		}
		for (int i = 0; i < count; i++)
			differences[i] = b[i / size] - a[i % size];
		qsort(differences, (size_t)count, sizeof(*differences), ascending);
		assert_int_equal(ranktest(&test, a, (size_t)size, b, (size_t)size), 0);
		assert_int_equal(test.has_interval, places[size] > 0);
		if (!places[size])
			continue;
		assert_close(test.low, differences[places[size] - 1]);
		assert_close(test.high, differences[count - places[size]]);
	}
}

static void test_smallest(void **state)
{
	(void)state;
	assert_close(ranktest_smallest(5, 5), 1.0 / 252);
	assert_close(ranktest_smallest(6, 6), 1.0 / 924);
	assert_close(ranktest_smallest(1, 1), 0.5);
	assert_close(ranktest_smallest(1, 19), 0.05);
	assert_int_equal(ranktest_needed(0.5), 1);
	assert_int_equal(ranktest_needed(0.05), 3);
	assert_int_equal(ranktest_needed(0.01), 5);
}

static void test_most(void **state)
{
	double a[RANKTEST_RUNS], b[RANKTEST_RUNS];
	struct ranktest test;

	(void)state;
	for (int i = 0; i < RANKTEST_RUNS; i++) {
		a[i] = i;
		b[i] = 1000 + i;
	}
	assert_int_equal(ranktest(&test, a, RANKTEST_RUNS, b, RANKTEST_RUNS), 0);
	assert_close(test.greater * 1e29, ranktest_smallest(RANKTEST_RUNS, RANKTEST_RUNS) * 1e29);
	assert_close(test.less, 1);
	assert_close(test.shift, 1000);
	assert_true(test.has_interval);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_enumeration), cmocka_unit_test(test_published),
		cmocka_unit_test(test_interval),    cmocka_unit_test(test_smallest),
		cmocka_unit_test(test_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

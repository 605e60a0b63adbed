/* SPDX-License-Identifier: MIT */
/* The joint test against a plain enumeration of all divisions, and its bounds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "view/compare/jointtest.h"
#include "view/compare/ranktest.h"

enum { ROWS = 4, SIDE = 4, RUNS = 2 * SIDE };

#define ALPHA 0.05

static void assert_close(double value, double wanted)
{
	if (fabs(value - wanted) > 1e-9)
		print_error("%.12f is not %.12f\n", value, wanted);
	assert_true(fabs(value - wanted) <= 1e-9);
}

/* The values of a row in A or in B. Returns their number. */
static int group(const double *row, int runs, unsigned chosen, unsigned side, double *values)
{
	int count = 0;

	for (int i = 0; i < runs; i++)
		if ((chosen >> i & 1) == side && !isnan(row[i]))
			values[count++] = row[i];
	return count;
}

static double mean_of(const double *values, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += values[i];
	return sum / count;
}

static double squares_of(const double *values, int count)
{
	double sum = 0, mean = mean_of(values, count);

	for (int i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum;
}

struct score {
	double pairs, difference;
};

/* The pairs of a run of A and one of B in which that of B is larger, and the difference of the
 * means, squared, as a multiple of the variance. */
static struct score score_of(const double *row, int runs, unsigned chosen)
{
	double a[RUNS], b[RUNS], all[RUNS];
	int a_count = group(row, runs, chosen, 0, a), b_count = group(row, runs, chosen, 1, b);
	int count = a_count + b_count;
	struct score score = {-1, 0};
	double difference, hundredth;

	if (!a_count || !b_count || ranktest_smallest((size_t)a_count, (size_t)b_count) > ALPHA)
		return score;
	memcpy(all, a, sizeof(a));
	memcpy(all + a_count, b, (size_t)b_count * sizeof(*b));
	score.pairs = 0;
	for (int i = 0; i < a_count; i++)
		for (int j = 0; j < b_count; j++)
			score.pairs += b[j] > a[i] ? 1 : b[j] == a[i] ? 0.5 : 0;
	score.pairs /= a_count * b_count;
	difference = mean_of(b, b_count) - mean_of(a, a_count);
	hundredth = mean_of(all, count) / 100;
	score.difference = difference * fabs(difference) /
			   ((squares_of(a, a_count) + squares_of(b, b_count)) / (count - 2) +
			    hundredth * hundredth);
	return score;
}

static bool reaches(struct score score, struct score other, bool less)
{
	if (other.pairs < 0)
		return true;
	if (score.pairs < 0)
		return false;
	if (less) {
		score = (struct score){1 - score.pairs, -score.difference};
		other = (struct score){1 - other.pairs, -other.difference};
	}
	if (fabs(score.pairs - other.pairs) > 1e-9)
		return score.pairs > other.pairs;
	return score.difference >= other.difference * (1 + (other.difference < 0 ? 1e-5 : -1e-5));
}

/* The part of the divisions in which a row that is not above this one reaches its real score. */
static double part_of(double values[ROWS][RUNS], int a, int b, int at, bool less)
{
	unsigned real = ((1u << b) - 1) << a;
	struct score wanted = score_of(values[at], a + b, real);
	int divisions = 0, reached = 0;

	for (unsigned chosen = 0; chosen < 1u << (a + b); chosen++) {
		bool any = false;

		if (__builtin_popcount(chosen) != b)
			continue;
		for (int row = 0; row < ROWS; row++) {
			bool below = row == at ||
				     reaches(wanted, score_of(values[row], a + b, real), less);

			any |= below && reaches(score_of(values[row], a + b, chosen), wanted, less);
		}
		divisions++;
		reached += any;
	}
	return (double)reached / divisions;
}

/* A row is not more significant than one with a higher score. */
static double wanted_of(double values[ROWS][RUNS], int a, int b, int at, bool less)
{
	unsigned real = ((1u << b) - 1) << a;
	struct score score = score_of(values[at], a + b, real);
	double most = 0;

	for (int row = 0; row < ROWS; row++) {
		double part = part_of(values, a, b, row, less);

		if (reaches(score_of(values[row], a + b, real), score, less) && part > most)
			most = part;
	}
	return most;
}

static void check(double values[ROWS][RUNS], int a, int b)
{
	double list[ROWS * RUNS];
	struct jointtest tests[ROWS];

	for (int row = 0; row < ROWS; row++)
		memcpy(list + row * (a + b), values[row], (size_t)(a + b) * sizeof(*list));
	assert_int_equal(jointtest(tests, list, ROWS, (size_t)a, (size_t)b, ALPHA * (1 + 1e-12)),
			 0);
	for (int row = 0; row < ROWS; row++) {
		assert_close(tests[row].greater, wanted_of(values, a, b, row, false));
		assert_close(tests[row].less, wanted_of(values, a, b, row, true));
	}
}

/* Many and few equal values, missing ones, and rows with other units. */
static void test_enumeration(void **state)
{
	static const uint32_t ranges[] = {2, 5, 1000, 1u << 30};

	(void)state;
	for (int round = 0; round < 60; round++) {
		double values[ROWS][RUNS];
		int a = 2 + round % 3, b = 2 + round / 3 % 3;

		for (int row = 0; row < ROWS; row++)
			for (int i = 0; i < RUNS; i++)
				values[row][i] = next_random() % 12 || round % 2
							 ? (next_random() % ranges[round % 4] + 1) *
								   (row + 1.0)
							 : NAN;
		check(values, a, b);
	}
}

/* With one row the test is the rank test, in which equal U are ordered further. */
static void test_single(void **state)
{
	(void)state;
	for (int round = 0; round < 100; round++) {
		struct jointtest joint;
		struct ranktest rank;
		double values[10];

		for (int i = 0; i < 10; i++)
			values[i] = 1 + next_random() % 1000;
		assert_int_equal(jointtest(&joint, values, 1, 5, 5, ALPHA), 0);
		assert_int_equal(ranktest(&rank, values, 5, values + 5, 5), 0);
		assert_true(joint.greater <= rank.greater + 1e-12);
		assert_true(joint.less <= rank.less + 1e-12);
		assert_true(joint.greater + joint.less >= 1);
	}
}

/* Runs that no enumeration can divide: the smallest probability is that of the real division. */
static void test_most(void **state)
{
	enum { MOST = 2 * RANKTEST_RUNS };
	static double values[3 * MOST];
	struct jointtest tests[3], again[3];

	(void)state;
	for (int i = 0; i < MOST; i++) {
		values[i] = 1000 + next_random() % 100;
		values[MOST + i] = i < RANKTEST_RUNS ? 1000 + i : 1200 + i;
		values[2 * MOST + i] = next_random() % 3 ? 1000 + next_random() % 100 : NAN;
	}
	assert_int_equal(jointtest(tests, values, 3, RANKTEST_RUNS, RANKTEST_RUNS, ALPHA), 0);
	assert_close(tests[1].greater, 1.0 / JOINTTEST_DIVISIONS);
	assert_close(tests[1].less, 1);
	for (int row = 0; row < 3; row += 2) {
		assert_true(tests[row].greater > 1e-3 && tests[row].greater <= 1);
		assert_true(tests[row].less > 1e-3 && tests[row].less <= 1);
	}
	assert_int_equal(jointtest(again, values, 3, RANKTEST_RUNS, RANKTEST_RUNS, ALPHA), 0);
	assert_memory_equal(tests, again, sizeof(tests));
}

/* Zeros, one run, no rows. */
static void test_odd(void **state)
{
	static const double zeros[10];
	struct jointtest test;

	(void)state;
	assert_int_equal(jointtest(&test, zeros, 1, 5, 5, ALPHA), 0);
	assert_close(test.greater, 1);
	assert_close(test.less, 1);
	assert_int_equal(jointtest(&test, zeros, 1, 1, 1, ALPHA), 0);
	assert_close(test.greater, 1);
	assert_int_equal(jointtest(NULL, NULL, 0, 5, 5, ALPHA), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_enumeration),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_RANKTEST_H
#define VIEW_COMPARE_RANKTEST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The exact rank test of two groups of runs (Mann, Whitney, 1947), with the shift between them
 * (Hodges, Lehmann, 1963). Equal values share the mean of their ranks. All probabilities are exact:
 * the test counts all divisions of the values into two groups of these sizes.
 */
enum { RANKTEST_RUNS = 50 /* most values of a group */ };

struct ranktest {
	double greater; /* probability of values of B as large as these, if both are alike */
	double less;	/* and of values as small */
	double both;	/* two-sided: twice the smaller one, at most 1 */
	double shift;	/* the median of all differences B - A */
	bool has_interval;
	double low, high; /* confidence interval of the shift, of at least RANKTEST_CONFIDENCE. Few
			     values do not have one. */
};

#define RANKTEST_CONFIDENCE 0.95

/* Both groups have 1 to RANKTEST_RUNS finite values. Returns 0, or -1 without memory. */
int ranktest(struct ranktest *test, const double *a, size_t a_count, const double *b,
	     size_t b_count);

/* Returns twice the rank of `value`, an integer also if values are equal. NAN has no rank. */
int ranktest_doubled_rank(const double *values, size_t count, double value);

/* Returns the smallest one-sided probability of groups of these sizes: 1 / (n + m over n). */
double ranktest_smallest(size_t a_count, size_t b_count);

/* Returns the least size of two equal groups whose smallest probability is at most `alpha`. */
size_t ranktest_needed(double alpha);

/* Returns the median, of an even number the mean of the middle two; sorts the values. */
double ranktest_median(double *values, size_t count);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_JOINTTEST_H
#define VIEW_COMPARE_JOINTTEST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Tests of many rows at once, by permutations (Westfall, Young, 1993). If A and B are equal, each
 * division of the runs into groups of these sizes is as likely as the real one. The probability of
 * a row is the part of the divisions in which this row, or any row that is less significant, has
 * the score that the row really has, or a higher one. So the number of rows needs no correction:
 * three runs against three can test any number of rows.
 *
 * The score is U, the part of all pairs of a run of A and one of B in which B has the larger value
 * (Mann, Whitney, 1947). If two rows have the same U, the one with the larger difference of the
 * means has the higher score. The difference is squared, and compared with the variance within the
 * groups. The square of a hundredth of the mean is added to the variance, so that a row with nearly
 * equal values is not extreme by chance (as by Tusher, Tibshirani, Chu, 2001).
 */
enum {
	/* If there are more divisions, so many of them are tested: the real one and random ones,
	 * which are the same in each call. */
	JOINTTEST_DIVISIONS = 20000
};

struct jointtest {
	double greater; /* the probability of an error if the values of B are called larger, */
	double less;	/* or smaller. 1: too few runs have a value. */
};

/*
 * Tests `count` rows. `values` has a_count + b_count values of each row, those of A first, NAN for
 * a run without one. A and B have 1 to RANKTEST_RUNS runs. A row has the lowest score in divisions
 * that have too few of its values for `alpha`. Of all rows with a probability of at most `alpha`,
 * any is wrong with a probability of at most `alpha`. Returns 0, or -1 without memory.
 */
int jointtest(struct jointtest *tests, const double *values, size_t count, size_t a_count,
	      size_t b_count, double alpha);

#endif

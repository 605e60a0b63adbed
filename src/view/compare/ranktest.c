/* SPDX-License-Identifier: MIT */
#include "view/compare/ranktest.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 2 * RANKTEST_RUNS };

/* The numbers of subsets of a size, by the sum of their doubled ranks. Counts are integers, exact
 * below 2^53. Larger ones have 15 digits. */
struct subsets {
	size_t sums;   /* 1 + the largest sum */
	double *count; /* of subsets of no, of one, of two ... ranks: `sums` each */
};

static int ascending(const void *left, const void *right)
{
	const double *one = left, *other = right;

	return *one < *other ? -1 : *one > *other;
}

double ranktest_median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), ascending);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

int ranktest_doubled_rank(const double *values, size_t count, double value)
{
	int below = 0, equal = 0;

	for (size_t i = 0; i < count; i++) {
		below += values[i] < value;
		equal += values[i] == value;
	}
	return 2 * below + equal + 1;
}

static double *subsets_of(const struct subsets *subsets, size_t size)
{
	return subsets->count + size * subsets->sums;
}

static void add_rank(struct subsets *subsets, size_t size, size_t rank)
{
	for (size_t k = size; k > 0; k--) {
		const double *from = subsets_of(subsets, k - 1);
		double *to = subsets_of(subsets, k);

		for (size_t sum = rank; sum < subsets->sums; sum++)
			to[sum] += from[sum - rank];
	}
}

static void count_subsets(struct subsets *subsets, const int *ranks, size_t count, size_t size)
{
	memset(subsets->count, 0, (size + 1) * subsets->sums * sizeof(*subsets->count));
	subsets->count[0] = 1;
	for (size_t i = 0; i < count; i++)
		add_rank(subsets, i + 1 < size ? i + 1 : size, (size_t)ranks[i]);
}

static double sum_of(const double *counts, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += counts[i];
	return sum;
}

static void find_probabilities(struct ranktest *test, struct subsets *subsets, const double *b,
			       const double *all, size_t a_count, size_t b_count)
{
	const double *counts = subsets_of(subsets, b_count);
	size_t observed = 0;
	int ranks[VALUES];
	double total;

	for (size_t i = 0; i < a_count + b_count; i++)
		ranks[i] = ranktest_doubled_rank(all, a_count + b_count, all[i]);
	for (size_t i = 0; i < b_count; i++)
		observed += (size_t)ranktest_doubled_rank(all, a_count + b_count, b[i]);
	count_subsets(subsets, ranks, a_count + b_count, b_count);
	total = sum_of(counts, 0, subsets->sums);
	test->greater = sum_of(counts, observed, subsets->sums) / total;
	test->less = sum_of(counts, 0, observed + 1) / total;
	test->both = 2 * (test->greater < test->less ? test->greater : test->less);
	if (test->both > 1)
		test->both = 1;
}

/* The interval is between the k-th smallest and the k-th largest difference. k is the largest with
 * at most half of the error below it. Returns 0 if there is none. */
static size_t interval_at(struct subsets *subsets, size_t a_count, size_t b_count)
{
	const double *counts = subsets_of(subsets, b_count);
	size_t least = b_count * (b_count + 1), k = 0;
	double total, below = 0;
	int ranks[VALUES];

	for (size_t i = 0; i < a_count + b_count; i++)
		ranks[i] = 2 * (int)i + 2;
	count_subsets(subsets, ranks, a_count + b_count, b_count);
	total = sum_of(counts, 0, subsets->sums);
	while (k < a_count * b_count / 2) {
		below += counts[least + 2 * k];
		if (below / total > (1 - RANKTEST_CONFIDENCE) / 2)
			break;
		k++;
	}
	return k;
}

static void find_shift(struct ranktest *test, struct subsets *subsets, const double *a,
		       size_t a_count, const double *b, size_t b_count)
{
	double differences[RANKTEST_RUNS * RANKTEST_RUNS];
	size_t count = a_count * b_count, k = interval_at(subsets, a_count, b_count);

	for (size_t i = 0; i < count; i++)
		differences[i] = b[i % b_count] - a[i / b_count];
	test->shift = ranktest_median(differences, count);
	test->has_interval = k > 0;
	test->low = k ? differences[k - 1] : 0;
	test->high = k ? differences[count - k] : 0;
}

int ranktest(struct ranktest *test, const double *a, size_t a_count, const double *b,
	     size_t b_count)
{
	size_t count = a_count + b_count;
	struct subsets subsets = {.sums = count * (count + 1) + 1};
	double all[VALUES];

	subsets.count = calloc((b_count + 1) * subsets.sums, sizeof(*subsets.count));
	if (!subsets.count)
		return -1;
	memcpy(all, a, a_count * sizeof(*a));
	memcpy(all + a_count, b, b_count * sizeof(*b));
	find_probabilities(test, &subsets, b, all, a_count, b_count);
	find_shift(test, &subsets, a, a_count, b, b_count);
	free(subsets.count);
	return 0;
}

double ranktest_smallest(size_t a_count, size_t b_count)
{
	double probability = 1;

	for (size_t i = 1; i <= a_count; i++)
		probability *= (double)i / (double)(b_count + i);
	return probability;
}

size_t ranktest_needed(double alpha)
{
	size_t size = 1;

	/* 1 / 20 is not above 0.05, however both are rounded. */
	while (size < RANKTEST_RUNS && ranktest_smallest(size, size) > alpha * (1 + 1e-12))
		size++;
	return size;
}

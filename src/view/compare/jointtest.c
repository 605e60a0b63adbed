/* SPDX-License-Identifier: MIT */
#include "view/compare/jointtest.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "view/compare/ranktest.h"

enum { RUNS = 2 * RANKTEST_RUNS };

/* Added to the variance: a hundredth of the mean, squared. */
#define LEAST_VARIANCE 1e-4

/* The difference of the means, -1 to 1, counts less than one pair of runs, which is 1 / 2500. */
#define DIFFERENCE_PART 1e-4

/* Scores that differ by less may be equal ones with other rounding. */
#define ROUNDING 1e-14

#define NO_SCORE (-1.0) /* below all others */

/* Sums over runs. Values are relative to the mean of the row, minus 1. */
struct sums {
	double count, ranks /* doubled */, values, squares;
};

struct row {
	struct sums all;
	struct sums of[RUNS];  /* of each run alone; zeros: it has no value */
	bool enough[RUNS + 1]; /* by the number of values in B */
	double real;	       /* the score of the real division */
};

/* The rows from the lowest score of the real division to the highest, and for each row the number
 * of divisions in which this row or one before it has at least this score. */
struct direction {
	size_t *order;
	size_t *reached;
};

struct state {
	struct row *rows;
	size_t count, runs, b_count;
	double *scores;			/* of one division */
	struct direction directions[2]; /* slower, faster */
	size_t divisions;
};

static void add(struct sums *to, const struct sums *what)
{
	to->count += what->count;
	to->ranks += what->ranks;
	to->values += what->values;
	to->squares += what->squares;
}

static double mean_of(const double *values, size_t count)
{
	double sum = 0, have = 0;

	for (size_t i = 0; i < count; i++) {
		sum += isnan(values[i]) ? 0 : values[i];
		have += !isnan(values[i]);
	}
	return have > 0 ? sum / have : 0;
}

static void set_row(struct row *row, const double *values, size_t runs, double alpha)
{
	double mean = mean_of(values, runs);

	for (size_t i = 0; i < runs; i++) {
		double value = mean > 0 ? values[i] / mean - 1 : 0;

		if (!isnan(values[i]))
			row->of[i] =
				(struct sums){1, ranktest_doubled_rank(values, runs, values[i]),
					      value, value * value};
		add(&row->all, &row->of[i]);
	}
	for (size_t b = 1; b < (size_t)row->all.count; b++)
		row->enough[b] = ranktest_smallest((size_t)row->all.count - b, b) <= alpha;
}

/* The score of a division; `chosen` are the runs of B. */
static double score_of(const struct row *row, const size_t *chosen, size_t b_count)
{
	struct sums b = {0};
	double a_count, a_values, variance, pairs, difference;

	for (size_t i = 0; i < b_count; i++)
		add(&b, &row->of[chosen[i]]);
	if (!row->enough[(size_t)b.count])
		return NO_SCORE;
	a_count = row->all.count - b.count;
	a_values = row->all.values - b.values;
	pairs = (b.ranks - b.count * (b.count + 1)) / 2;
	variance = row->all.squares - b.values * b.values / b.count - a_values * a_values / a_count;
	variance = (variance > 0 ? variance / (row->all.count - 2) : 0) + LEAST_VARIANCE;
	difference = b.values / b.count - a_values / a_count;
	difference *= fabs(difference) / (difference * difference + variance);
	return pairs / (a_count * b.count) + DIFFERENCE_PART * difference;
}

/* The score for values of B that are smaller. */
static double turned(double score)
{
	return score == NO_SCORE ? score : 1 - score;
}

static void count_reached(const struct state *state, int less)
{
	const struct direction *direction = &state->directions[less];
	double highest = NO_SCORE;

	for (size_t i = 0; i < state->count; i++) {
		size_t at = direction->order[i];
		double score = state->scores[at], real = state->rows[at].real;

		if (less) {
			score = turned(score);
			real = turned(real);
		}
		highest = score > highest ? score : highest;
		direction->reached[at] += highest >= real - ROUNDING;
	}
}

static void count_division(struct state *state, const size_t *chosen)
{
	for (size_t i = 0; i < state->count; i++)
		state->scores[i] = score_of(&state->rows[i], chosen, state->b_count);
	for (int less = 0; less < 2; less++)
		count_reached(state, less);
	state->divisions++;
}

/* Sets the next choice in lexical order. Returns false after the last one. */
static bool next_choice(size_t *chosen, size_t count, size_t of)
{
	size_t at = count;

	while (at > 0 && chosen[at - 1] == of - count + at - 1)
		at--;
	if (!at)
		return false;
	for (size_t value = chosen[at - 1] + 1; at <= count; at++)
		chosen[at - 1] = value++;
	return true;
}

/* SplitMix64 (Steele, Lea, Flood, 2014). */
static uint64_t next_random(uint64_t *seed)
{
	uint64_t value = *seed += 0x9e3779b97f4a7c15;

	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
	value = (value ^ value >> 27) * 0x94d049bb133111eb;
	return value ^ value >> 31;
}

/* Exchanges the first `count` of all runs for random ones. The remainder of 2^64 and at most 100
 * runs makes no difference. */
static void choose_randomly(size_t *list, size_t count, size_t of, uint64_t *seed)
{
	for (size_t i = 0; i < count; i++) {
		size_t other = i + (size_t)(next_random(seed) % (of - i)), value = list[i];

		list[i] = list[other];
		list[other] = value;
	}
}

static void divide(struct state *state)
{
	size_t chosen[RUNS] = {0}, b = state->b_count, runs = state->runs;
	uint64_t seed = 0;

	if (1 / ranktest_smallest(runs - b, b) <= JOINTTEST_DIVISIONS) {
		for (size_t i = 0; i < b; i++)
			chosen[i] = i;
		do
			count_division(state, chosen);
		while (next_choice(chosen, b, runs));
		return;
	}
	for (size_t i = 0; i < runs; i++)
		chosen[i] = (i + runs - b) % runs; /* B first: the real division */
	while (state->divisions < JOINTTEST_DIVISIONS) {
		count_division(state, chosen);
		choose_randomly(chosen, b, runs, &seed);
	}
}

struct ordered {
	double score;
	size_t row;
};

static int lowest_first(const void *left, const void *right)
{
	const struct ordered *one = left, *other = right;

	if (one->score != other->score)
		return one->score < other->score ? -1 : 1;
	return one->row < other->row ? -1 : one->row > other->row;
}

static int sort_rows(struct state *state, int less)
{
	struct ordered *list = calloc(state->count, sizeof(*list));

	if (!list)
		return -1;
	for (size_t i = 0; i < state->count; i++) {
		double real = state->rows[i].real;

		list[i] = (struct ordered){less ? turned(real) : real, i};
	}
	qsort(list, state->count, sizeof(*list), lowest_first);
	for (size_t i = 0; i < state->count; i++)
		state->directions[less].order[i] = list[i].row;
	free(list);
	return 0;
}

static int prepare(struct state *state, const double *values, double alpha)
{
	size_t chosen[RANKTEST_RUNS];

	state->rows = calloc(state->count, sizeof(*state->rows));
	state->scores = calloc(state->count, sizeof(*state->scores));
	for (int less = 0; less < 2; less++) {
		struct direction *direction = &state->directions[less];

		direction->order = calloc(state->count, sizeof(*direction->order));
		direction->reached = calloc(state->count, sizeof(*direction->reached));
		if (!direction->order || !direction->reached)
			return -1;
	}
	if (!state->rows || !state->scores)
		return -1;
	for (size_t i = 0; i < state->b_count; i++)
		chosen[i] = state->runs - state->b_count + i;
	for (size_t i = 0; i < state->count; i++) {
		set_row(&state->rows[i], values + i * state->runs, state->runs, alpha);
		state->rows[i].real = score_of(&state->rows[i], chosen, state->b_count);
	}
	return sort_rows(state, 0) || sort_rows(state, 1) ? -1 : 0;
}

/* A row is at most as significant as those with higher scores. */
static void set_results(const struct state *state, struct jointtest *tests, int less)
{
	const struct direction *direction = &state->directions[less];
	size_t most = 0;

	for (size_t i = state->count; i-- > 0;) {
		size_t at = direction->order[i];
		double *to = less ? &tests[at].less : &tests[at].greater;

		most = direction->reached[at] > most ? direction->reached[at] : most;
		*to = (double)most / (double)state->divisions;
	}
}

static void release(struct state *state)
{
	for (int less = 0; less < 2; less++) {
		free(state->directions[less].order);
		free(state->directions[less].reached);
	}
	free(state->scores);
	free(state->rows);
}

int jointtest(struct jointtest *tests, const double *values, size_t count, size_t a_count,
	      size_t b_count, double alpha)
{
	struct state state = {.count = count, .runs = a_count + b_count, .b_count = b_count};
	int result = 0;

	if (!count)
		return 0;
	result = prepare(&state, values, alpha);
	if (!result) {
		divide(&state);
		for (int less = 0; less < 2; less++)
			set_results(&state, tests, less);
	}
	release(&state);
	return result;
}

/* SPDX-License-Identifier: MIT */
#include "view/compare/compare.h"

#include <math.h>
#include <stdlib.h>

#include "view/compare/jointtest.h"

/* Probabilities that are equal may be rounded differently. */
#define LIMIT (COMPARE_ALPHA * (1 + 1e-12))

/* The minimum of more launches is smaller, so numbers that differ by more than this are compared by
 * their medians. */
#define LAUNCHES_ALIKE 0.1

/* More rows without a test than this part of the time make the whole inconclusive. */
#define UNTESTED_MOST 0.1

const char *compare_word(enum verdict verdict)
{
	static const char *const words[VERDICTS] = {
		[VERDICT_SAME] = "same",     [VERDICT_SLOWER] = "slower",
		[VERDICT_FASTER] = "faster", [VERDICT_NEW] = "new",
		[VERDICT_GONE] = "gone",     [VERDICT_UNTESTED] = "untested",
	};

	return words[verdict];
}

const char *compare_statistic(enum statistic statistic)
{
	static const char *const words[STATISTICS] = {
		[STATISTIC_MINIMUM] = "minimum",
		[STATISTIC_MEDIAN] = "median",
		[STATISTIC_TOTAL] = "total",
	};

	return words[statistic];
}

static double value_of(const struct run_sum *sum, enum statistic statistic)
{
	switch (statistic) {
	case STATISTIC_MINIMUM:
		return (double)sum->shortest;
	case STATISTIC_MEDIAN:
		return sum->median;
	case STATISTIC_TOTAL:
	case STATISTICS:
		break;
	}
	return (double)sum->total;
}

/* Returns NAN if the run has no times of the row. */
static double run_value(const struct compare_row *row, const struct run *run,
			enum statistic statistic)
{
	const struct run_sum *sum;

	if (!row->what)
		return (double)run->total;
	sum = runs_sum(run, row->number);
	return sum && sum->count ? value_of(sum, statistic) : NAN;
}

static size_t get_values(const struct compare_row *row, const struct run_side *side,
			 enum statistic statistic, double *values)
{
	size_t count = 0;

	for (size_t i = 0; i < side->count; i++) {
		double value = run_value(row, &side->list[i], statistic);

		if (!isnan(value))
			values[count++] = value;
	}
	return count;
}

size_t compare_values(const struct comparison *comparison, const struct compare_row *row,
		      enum runs_side side, double values[RANKTEST_RUNS])
{
	return get_values(row, &comparison->runs->sides[side],
			  row->what ? row->shown : STATISTIC_TOTAL, values);
}

static void add_sum(struct compare_value *value, double *launches, double *bytes,
		    const struct run_sum *sum)
{
	launches[value->runs] = (double)sum->launches;
	if (runs_knows_bytes(sum))
		bytes[value->sized++] = (double)sum->bytes;
	value->runs++;
	value->share += (double)sum->total;
}

static void take_side(struct compare_row *row, const struct run_side *side,
		      struct compare_value *value)
{
	double launches[RANKTEST_RUNS], bytes[RANKTEST_RUNS], values[RANKTEST_RUNS];

	for (size_t i = 0; i < side->count; i++) {
		const struct run_sum *sum = runs_sum(&side->list[i], row->number);

		if (sum)
			add_sum(value, launches, bytes, sum);
	}
	row->pooled += value->share;
	if (!value->runs)
		return;
	for (size_t i = 0; i < value->runs; i++) {
		row->least = launches[i] < row->least || !row->least ? launches[i] : row->least;
		row->most = launches[i] > row->most ? launches[i] : row->most;
	}
	value->launches = ranktest_median(launches, value->runs);
	if (value->sized)
		value->bytes = ranktest_median(bytes, value->sized);
	for (enum statistic statistic = 0; statistic < STATISTICS; statistic++) {
		size_t count = get_values(row, side, statistic, values);

		value->times[statistic] = count ? ranktest_median(values, count) : 0;
	}
}

/* The first row: the sums of each run. */
static void take_all(struct compare_row *row, const struct runs *runs)
{
	double values[RANKTEST_RUNS];

	for (int side = 0; side < RUNS_SIDES; side++) {
		struct compare_value *value = &row->sides[side];
		size_t count = get_values(row, &runs->sides[side], STATISTIC_TOTAL, values);

		for (size_t i = 0; i < count; i++)
			value->share += values[i];
		row->pooled += value->share;
		value->runs = count;
		value->times[STATISTIC_TOTAL] = ranktest_median(values, count);
	}
}

static int longest_first(const void *left, const void *right)
{
	const struct compare_row *one = left, *other = right;

	if (one->pooled != other->pooled)
		return one->pooled < other->pooled ? 1 : -1;
	return one->number < other->number ? -1 : one->number > other->number;
}

static int make_rows(struct comparison *comparison)
{
	uint32_t count;
	const struct activity_key *list = runs_activities(comparison->runs, &count);
	struct compare_row *rows = calloc((size_t)count + 1, sizeof(*rows)), *row = rows;

	comparison->rows = rows;
	if (!rows)
		return -1;
	take_all(&rows[0], comparison->runs);
	for (uint32_t i = 0; i < count; i++) {
		/* Activities of runs that were left out have no row. */
		row += row == rows || row->sides[RUNS_A].runs || row->sides[RUNS_B].runs;
		*row = (struct compare_row){.what = &list[i], .number = i};
		for (int side = 0; side < RUNS_SIDES; side++)
			take_side(row, &comparison->runs->sides[side], &row->sides[side]);
	}
	row += row == rows || row->sides[RUNS_A].runs || row->sides[RUNS_B].runs;
	comparison->count = (size_t)(row - rows);
	qsort(rows + 1, comparison->count - 1, sizeof(*rows), longest_first);
	return 0;
}

/* `share` has nanoseconds so far. */
static void set_shares(struct comparison *comparison)
{
	for (int side = 0; side < RUNS_SIDES; side++) {
		double all = comparison->rows[0].sides[side].share;

		for (size_t i = 0; i < comparison->count; i++) {
			struct compare_value *value = &comparison->rows[i].sides[side];

			value->share = all > 0 ? value->share / all : 0;
		}
	}
}

static unsigned wanted_of(const struct comparison *comparison, const struct compare_row *row)
{
	if (!row->what)
		return 1u << STATISTIC_TOTAL;
	if (row->most > row->least * (1 + LAUNCHES_ALIKE))
		return 1u << STATISTIC_MEDIAN;
	return comparison->options.statistics;
}

static bool is_testable(const struct comparison *comparison, const struct compare_row *row)
{
	double values[RANKTEST_RUNS];
	const struct run_side *sides = comparison->runs->sides;
	size_t a = get_values(row, &sides[RUNS_A], STATISTIC_TOTAL, values);
	size_t b = get_values(row, &sides[RUNS_B], STATISTIC_TOTAL, values);

	return row->pooled > 0 && a && b && ranktest_smallest(a, b) <= LIMIT;
}

/* Sets the tests of these statistics, if both sides have values. */
static int measure(const struct comparison *comparison, struct compare_row *row, unsigned wanted)
{
	double a[RANKTEST_RUNS], b[RANKTEST_RUNS];
	const struct run_side *sides = comparison->runs->sides;

	for (enum statistic statistic = 0; statistic < STATISTICS; statistic++) {
		struct ranktest *to = &row->tests[statistic];

		if (!(wanted & 1u << statistic))
			continue;
		size_t a_count = get_values(row, &sides[RUNS_A], statistic, a);
		size_t b_count = get_values(row, &sides[RUNS_B], statistic, b);

		if (!a_count || !b_count)
			return 0;
		if (ranktest(to, a, a_count, b, b_count))
			return -1;
		row->slower[statistic] = to->greater;
		row->faster[statistic] = to->less;
	}
	row->measured = wanted;
	return 0;
}

static int measure_rows(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++) {
		struct compare_row *row = &comparison->rows[i];
		unsigned wanted = wanted_of(comparison, row);

		row->shown = (enum statistic)__builtin_ctz(wanted);
		row->joint = row->pooled > 0 ? wanted : 0;
		if (measure(comparison, row, wanted))
			return -1;
		if (!is_testable(comparison, row))
			continue;
		comparison->tests += (size_t)__builtin_popcount(wanted);
		row->tested = wanted;
	}
	return 0;
}

/* Writes the values of a test, one of each run. Returns the place behind them. */
static double *put_values(const struct comparison *comparison, const struct compare_row *row,
			  enum statistic statistic, double *values)
{
	for (int side = 0; side < RUNS_SIDES; side++) {
		const struct run_side *from = &comparison->runs->sides[side];

		for (size_t i = 0; i < from->count; i++)
			*values++ = run_value(row, &from->list[i], statistic);
	}
	return values;
}

static void fill(const struct comparison *comparison, double *values)
{
	for (size_t i = 0; i < comparison->count; i++)
		for (enum statistic statistic = 0; statistic < STATISTICS; statistic++)
			if (comparison->rows[i].joint & 1u << statistic)
				values = put_values(comparison, &comparison->rows[i], statistic,
						    values);
}

static void take_results(struct comparison *comparison, const struct jointtest *tests)
{
	for (size_t i = 0; i < comparison->count; i++) {
		struct compare_row *row = &comparison->rows[i];

		for (enum statistic statistic = 0; statistic < STATISTICS; statistic++) {
			if (!(row->joint & 1u << statistic))
				continue;
			row->slower[statistic] = tests->greater;
			row->faster[statistic] = tests->less;
			tests++;
		}
	}
}

static size_t count_joint(const struct comparison *comparison)
{
	size_t count = 0;

	for (size_t i = 0; i < comparison->count; i++)
		count += (size_t)__builtin_popcount(comparison->rows[i].joint);
	return count;
}

/* Tests all rows at once, also those with too few values: which rows these are depends on the side
 * of a run, and what is tested must not. */
static int test_rows(struct comparison *comparison)
{
	size_t count = count_joint(comparison);
	size_t a = comparison->runs->sides[RUNS_A].count;
	size_t b = comparison->runs->sides[RUNS_B].count;
	double *values = calloc(count + 1, (a + b) * sizeof(*values));
	struct jointtest *tests = calloc(count + 1, sizeof(*tests));
	int result = values && tests ? 0 : -1;

	if (!result) {
		fill(comparison, values);
		result = jointtest(tests, values, count, a, b, LIMIT);
	}
	if (!result)
		take_results(comparison, tests);
	free(tests);
	free(values);
	return result;
}

static enum verdict judge_test(const struct comparison *comparison, const struct compare_row *row,
			       enum statistic statistic)
{
	const struct compare_options *options = &comparison->options;
	double shift = row->tests[statistic].shift;
	double least = options->threshold * row->sides[RUNS_A].times[statistic];

	if (statistic != STATISTIC_TOTAL && least < options->floor)
		least = options->floor;
	if (shift > 0 && shift >= least && row->slower[statistic] <= LIMIT)
		return VERDICT_SLOWER;
	if (shift < 0 && -shift >= least && row->faster[statistic] <= LIMIT)
		return VERDICT_FASTER;
	return VERDICT_SAME;
}

/* Of two tests a slower one decides, then a faster one. */
static void judge_tests(const struct comparison *comparison, struct compare_row *row)
{
	row->verdict = VERDICT_SAME;
	for (enum statistic statistic = 0; statistic < STATISTICS; statistic++) {
		enum verdict verdict;

		if (!(row->tested & 1u << statistic))
			continue;
		verdict = judge_test(comparison, row, statistic);
		if (verdict == VERDICT_SAME || row->verdict == VERDICT_SLOWER)
			continue;
		row->verdict = verdict;
		row->shown = statistic;
	}
}

static void judge_row(struct comparison *comparison, struct compare_row *row)
{
	if (row->tested) {
		judge_tests(comparison, row);
	} else if (!row->sides[RUNS_A].runs) {
		row->verdict = VERDICT_NEW;
	} else if (!row->sides[RUNS_B].runs) {
		row->verdict = VERDICT_GONE;
	} else {
		row->verdict = VERDICT_UNTESTED;
		if (!row->what)
			return;
		comparison->untested++;
		if (comparison->rows[0].pooled > 0)
			comparison->untested_share += row->pooled / comparison->rows[0].pooled;
	}
}

static void judge(struct comparison *comparison)
{
	bool any[VERDICTS] = {false};

	for (size_t i = 0; i < comparison->count; i++) {
		judge_row(comparison, &comparison->rows[i]);
		any[comparison->rows[i].verdict] = true;
	}
	if (any[VERDICT_SLOWER])
		comparison->verdict = VERDICT_SLOWER;
	else if (!comparison->tests || comparison->untested_share > UNTESTED_MOST)
		comparison->verdict = VERDICT_UNTESTED;
	else
		comparison->verdict = any[VERDICT_FASTER] ? VERDICT_FASTER : VERDICT_SAME;
}

int compare(struct comparison *comparison, const struct runs *runs,
	    const struct compare_options *options)
{
	*comparison = (struct comparison){
		.options = *options,
		.runs = runs,
		.label = {.names = runs->activities.names, .demangled = runs->demangled},
	};
	if (make_rows(comparison) || measure_rows(comparison) || test_rows(comparison))
		return -1;
	set_shares(comparison);
	judge(comparison);
	return 0;
}

void compare_free(struct comparison *comparison)
{
	free(comparison->rows);
	strbuf_free(&comparison->notes);
	label_free(&comparison->label);
}

/* A time cannot fall by more than all of it. An estimate can: of single times of A that are longer
 * than their median. */
static double bounded(double change)
{
	return change > -1 ? change : -1;
}

bool compare_change(const struct compare_row *row, double *change, double *low, double *high)
{
	const struct ranktest *shown = &row->tests[row->shown];
	double base = row->sides[RUNS_A].times[row->shown];

	if (!row->measured || base <= 0)
		return false;
	*change = bounded(shown->shift / base);
	*low = bounded(shown->low / base);
	*high = bounded(shown->high / base);
	return true;
}

void compare_put_name(struct strbuf *to, struct comparison *comparison,
		      const struct compare_row *row, size_t room)
{
	if (!row->what)
		strbuf_string(to, "[all GPU time of a run]");
	else if (room)
		label_short(to, row->what->api, &row->what->like, &comparison->label, room);
	else
		label_name(to, row->what->api, &row->what->like, &comparison->label);
}

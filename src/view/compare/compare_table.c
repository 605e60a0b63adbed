/* SPDX-License-Identifier: MIT */
#include "view/compare/compare_table.h"

#include "view/compare/compare_notes.h"

enum { WORD = 8, CELL = 8, INTERVAL = 18, PROBABILITY = 6, PERCENT = 8 };

struct row {
	struct comparison *comparison;
	const struct compare_row *row;
};

static const struct compare_row *row_of(const void *at)
{
	return ((const struct row *)at)->row;
}

void compare_put_change(struct strbuf *to, const struct compare_row *row)
{
	double change, low, high;

	if (compare_change(row, &change, &low, &high))
		strbuf_printf(to, "%+.1f%%", 100 * change);
}

void compare_put_interval(struct strbuf *to, const struct compare_row *row)
{
	double change, low, high;

	if (compare_change(row, &change, &low, &high) && row->tests[row->shown].has_interval)
		strbuf_printf(to, "%+.1f to %+.1f%%", 100 * low, 100 * high);
}

void compare_put_probability(struct strbuf *to, const struct compare_row *row)
{
	double slower = row->slower[row->shown], faster = row->faster[row->shown];

	if (row->tested)
		strbuf_printf(to, "%.4f", slower < faster ? slower : faster);
}

static void put_verdict(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_string(to, compare_word(row_of(at)->verdict));
}

static void put_statistic(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_string(to, compare_statistic(row_of(at)->shown));
}

/* A function put_`name`, which calls `put` with the row. */
#define PUT(name, put)                                                                             \
	static void put_##name(struct strbuf *to, const struct printer_column *column,             \
			       const void *at)                                                     \
	{                                                                                          \
		(void)column;                                                                      \
		put(to, row_of(at));                                                               \
	}
PUT(change, compare_put_change)
PUT(interval, compare_put_interval)
PUT(probability, compare_put_probability)
#undef PUT

static void put_change_fields(struct strbuf *to, const struct printer_column *column,
			      const void *at)
{
	double change, low, high;

	(void)column;
	if (compare_change(row_of(at), &change, &low, &high))
		strbuf_printf(to, "%.6f", 100 * change);
}

static void put_interval_fields(struct strbuf *to, const struct printer_column *column,
				const void *at)
{
	const struct compare_row *row = row_of(at);
	double change, low, high;

	(void)column;
	if (compare_change(row, &change, &low, &high) && row->tests[row->shown].has_interval)
		strbuf_printf(to, "%.6f,%.6f", 100 * low, 100 * high);
	else
		strbuf_char(to, ',');
}

static void put_probability_fields(struct strbuf *to, const struct printer_column *column,
				   const void *at)
{
	const struct compare_row *row = row_of(at);

	(void)column;
	if (row->tested)
		strbuf_printf(to, "%.6f,%.6f", row->slower[row->shown], row->faster[row->shown]);
	else
		strbuf_char(to, ',');
}

/* Functions `name`_a and `name`_b with the value of each side; in text those of the shown
 * statistic. */
#define VALUE_OF_SIDE(name, side, value)                                                           \
	static bool name(const struct printer_column *column, const void *at, double *to)          \
	{                                                                                          \
		const struct compare_row *row = row_of(at);                                        \
		const struct compare_value *of = &row->sides[side];                                \
                                                                                                   \
		(void)column;                                                                      \
		*to = value;                                                                       \
		return of->runs && *to > 0;                                                        \
	}
#define VALUE_OF(name, value)                                                                      \
	VALUE_OF_SIDE(name##_a, RUNS_A, value)                                                     \
	VALUE_OF_SIDE(name##_b, RUNS_B, value)
VALUE_OF(time, of->times[row->shown])
VALUE_OF(minimum, of->times[STATISTIC_MINIMUM])
VALUE_OF(median, of->times[STATISTIC_MEDIAN])
VALUE_OF(total, of->times[STATISTIC_TOTAL])
VALUE_OF(bytes, of->bytes)
#undef VALUE_OF
#undef VALUE_OF_SIDE

static void put_launches(struct strbuf *to, const struct compare_row *row, enum runs_side side)
{
	double launches = row->sides[side].launches; /* a median: a whole number, or a half */

	if (row->what && row->sides[side].runs)
		strbuf_printf(to, "%.*f", launches > (double)(uint64_t)launches ? 1 : 0, launches);
}

static void put_launches_a(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_launches(to, row_of(at), RUNS_A);
}

static void put_launches_b(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_launches(to, row_of(at), RUNS_B);
}

static double share_a(const void *at)
{
	return row_of(at)->sides[RUNS_A].share;
}

static double share_b(const void *at)
{
	return row_of(at)->sides[RUNS_B].share;
}

static void put_name(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;

	compare_put_name(to, row->comparison, row->row, room);
}

static void put_name_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_name(to, at, 0);
}

/* clang-format off */
#define CSV(name) .csv = "\"" name "\""
#define BOTH(name, columns) .heading = name, CSV(name), .width = columns
#define TIME(name) CSV(name), .quantity = &quantity_time
static const struct printer_column columns[] = {
	{ BOTH("Verdict", -WORD), .text = put_verdict },
	{ BOTH("Change", CELL), .unit = "%", .text = put_change, .fields = put_change_fields },
	{ .heading = "95% interval", .csv = "\"Low\",\"High\"", .width = INTERVAL,
	  .unit = "%,%", .text = put_interval, .fields = put_interval_fields },
	{ .heading = "p", .csv = "\"p slower\",\"p faster\"", .width = PROBABILITY, .commas = 1,
	  .text = put_probability, .fields = put_probability_fields },
	{ BOTH("Of", -7), .text = put_statistic },
	{ .heading = "A", .width = CELL, .quantity = &quantity_time, .number = time_a },
	{ .heading = "B", .width = CELL, .quantity = &quantity_time, .number = time_b },
	{ TIME("Min A"), .number = minimum_a },
	{ TIME("Min B"), .number = minimum_b },
	{ TIME("Median A"), .number = median_a },
	{ TIME("Median B"), .number = median_b },
	{ TIME("Total A"), .number = total_a },
	{ TIME("Total B"), .number = total_b },
	{ BOTH("Calls A", CELL), .text = put_launches_a },
	{ BOTH("Calls B", CELL), .text = put_launches_b },
	{ CSV("Bytes A"), .quantity = &quantity_size, .number = bytes_a },
	{ CSV("Bytes B"), .quantity = &quantity_size, .number = bytes_b },
	{ BOTH("Time(%) A", PERCENT + 1), .unit = "%", .share = share_a },
	{ BOTH("Time(%) B", PERCENT + 1), .unit = "%", .share = share_b },
	{ .heading = "Name", CSV("Name"), .quoted = true, .name = put_name,
	  .fields = put_name_field },
};
/* clang-format on */

_Static_assert(sizeof(columns) / sizeof(columns[0]) <= PRINTER_COLUMNS, "the printer has room");

void compare_put_side(struct strbuf *to, const struct comparison *comparison, enum runs_side side)
{
	const struct run_side *at = &comparison->runs->sides[side];
	const struct strbuf *lists[] = {&at->devices, &at->systems, &at->commands};

	strbuf_printf(to, "%llu %s", (unsigned long long)at->count,
		      at->count == 1 ? "run" : "runs");
	for (int list = 0; list < 3; list++) {
		strbuf_string(to, lists[list]->length ? "; " : "");
		for (size_t i = 0; i + 1 < lists[list]->length; i++)
			strbuf_char(to, lists[list]->data[i] == '\n' ? ',' : lists[list]->data[i]);
	}
}

static void put_lines(struct strbuf *to, struct comparison *comparison)
{
	strbuf_append(to, comparison->notes.data, comparison->notes.length);
	compare_put_verdict(to, comparison);
	strbuf_char(to, '\n');
}

void compare_put_table(struct comparison *comparison, const struct printer_page *page)
{
	struct printer printer = {
		.page = page,
		.columns = columns,
		.count = sizeof(columns) / sizeof(columns[0]),
	};
	struct row row = {.comparison = comparison};

	for (int side = 0; !page->csv && side < RUNS_SIDES; side++) {
		strbuf_printf(page->text, "%c: ", 'A' + side);
		compare_put_side(page->text, comparison, (enum runs_side)side);
		strbuf_char(page->text, '\n');
	}
	for (size_t i = 0; page->csv && i < comparison->count; i++) {
		row.row = &comparison->rows[i];
		printer_measure(&printer, &row);
	}
	printer_begin(&printer);
	for (size_t i = 0; i < comparison->count; i++) {
		row.row = &comparison->rows[i];
		printer_row(&printer, &row);
	}
	printer_end(&printer);
	if (!page->csv)
		put_lines(page->text, comparison);
}

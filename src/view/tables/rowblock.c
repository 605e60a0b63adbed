/* SPDX-License-Identifier: MIT */
#include "view/tables/rowblock.h"

#include "view/format/printer.h"

enum { BAR = 20, CELL = 8, TYPE = 16, PERCENT = 7 };

/* Optional columns: p50, p95 and p99, and a bar. */
enum { EXTRAS = 1 << 0 };

struct row {
	struct tables_job *job;
	const struct rowblock *block;
	const struct activity *activity;
	bool first; /* first of its block: it shows the type */
};

static double share_of(const void *at)
{
	const struct row *row = at;

	return row->block->total > 0 ? (double)row->activity->total / row->block->total : 0;
}

static void put_type(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;

	(void)column;
	strbuf_printf(to, "%s%c", row->first ? row->block->type : "", row->first ? ':' : ' ');
}

static void put_type_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;

	(void)column;
	strbuf_string(to, row->block->type);
}

static void put_count(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;

	(void)column;
	strbuf_printf(to, "%llu", (unsigned long long)row->activity->count);
}

static void put_bar(struct strbuf *to, const struct printer_column *column, const void *row)
{
	int length = (int)(share_of(row) * BAR + 0.5);

	(void)column;
	for (int i = 0; i < BAR; i++)
		strbuf_char(to, i < length ? '#' : ' ');
}

static void put_name(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;

	label_short(to, row->activity->api, &row->activity->like, &row->job->shown, room);
}

static void put_name_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;

	(void)column;
	label_name(to, row->activity->api, &row->activity->like, &row->job->shown);
}

/* A function `name`_of that gives a time of the row's activity, if `known`. */
#define TIME_OF_KNOWN(name, time, known)                                                           \
	static bool name##_of(const struct printer_column *column, const void *at, double *value)  \
	{                                                                                          \
		const struct activity *activity = ((const struct row *)at)->activity;              \
                                                                                                   \
		(void)column;                                                                      \
		*value = (double)(time);                                                           \
		return known;                                                                      \
	}
#define TIME_OF(name, time) TIME_OF_KNOWN(name, time, true)
#define PERCENTILE_OF(name, percent)                                                               \
	TIME_OF_KNOWN(name, activity_percentile(activity, percent),                                \
		      activity_has_percentiles(activity))
TIME_OF(total, activity->total)
TIME_OF(average, activity_average(activity))
TIME_OF(shortest, activity->shortest)
TIME_OF(longest, activity->longest)
PERCENTILE_OF(median, 50)
PERCENTILE_OF(percentile_95, 95)
PERCENTILE_OF(percentile_99, 99)
#undef PERCENTILE_OF
#undef TIME_OF
#undef TIME_OF_KNOWN

/* clang-format off */
#define HEADING(name) .heading = name, .csv = "\"" name "\"", .width = CELL
#define TIME(name) HEADING(name), .quantity = &quantity_time
static const struct printer_column columns[] = {
	{ .heading = "Type", .csv = "\"Type\"", .width = TYPE, .quoted = true, .text = put_type,
	  .fields = put_type_field },
	{ .heading = "Time(%)", .csv = "\"Time(%)\"", .width = PERCENT, .unit = "%",
	  .share = share_of },
	{ TIME("Time"), .number = total_of },
	{ HEADING("Calls"), .text = put_count },
	{ TIME("Avg"), .number = average_of },
	{ TIME("Min"), .number = shortest_of },
	{ TIME("Max"), .number = longest_of },
	{ TIME("p50"), .number = median_of, .part = EXTRAS },
	{ TIME("p95"), .number = percentile_95_of, .part = EXTRAS },
	{ TIME("p99"), .number = percentile_99_of, .part = EXTRAS },
	{ .heading = "Share", .width = -BAR, .text = put_bar, .part = EXTRAS },
	{ .heading = "Name", .csv = "\"Name\"", .quoted = true, .name = put_name,
	  .fields = put_name_field },
};
/* clang-format on */

static void put_rows(struct printer *printer, struct tables_job *job, const struct rowblock *block)
{
	struct row row = {.job = job, .block = block, .first = true};

	for (size_t i = 0; i < block->count; i++) {
		row.activity = block->rows[i];
		if (!row.activity->count)
			continue;
		printer_row(printer, &row);
		row.first = false;
	}
}

static bool has_rows(const struct rowblock *block)
{
	for (size_t i = 0; i < block->count; i++)
		if (block->rows[i]->count)
			return true;
	return false;
}

static void put_block(struct printer *printer, struct tables_job *job,
		      const struct rowblock *block)
{
	if (has_rows(block))
		put_rows(printer, job, block);
	else if (block->none)
		strbuf_printf(&job->text, "%s\n", block->none);
}

static bool sum_up(struct rowblock *blocks, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		blocks[i].total = 0;
		for (size_t row = 0; row < blocks[i].count; row++)
			blocks[i].total += (double)blocks[i].rows[row]->total;
		any |= has_rows(&blocks[i]);
	}
	return any;
}

/* It includes activities without a count. */
static void measure(struct printer *printer, struct tables_job *job, const struct rowblock *block)
{
	struct row row = {.job = job, .block = block};

	for (size_t i = 0; i < block->count; i++) {
		row.activity = block->rows[i];
		printer_measure(printer, &row);
	}
}

void rowblock_put(struct tables_job *job, struct rowblock *blocks, size_t count)
{
	struct printer printer = {
		.page = &job->page,
		.columns = columns,
		.count = sizeof(columns) / sizeof(columns[0]),
		.parts = job->options->extras ? EXTRAS : 0,
	};

	if (!sum_up(blocks, count))
		return;
	for (size_t i = 0; i < count && job->options->csv; i++)
		measure(&printer, job, &blocks[i]);
	printer_begin(&printer);
	for (size_t i = 0; i < count; i++)
		put_block(&printer, job, &blocks[i]);
}

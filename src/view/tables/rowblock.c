/* SPDX-License-Identifier: MIT */
#include "view/tables/rowblock.h"

enum { BAR = 20, CELL = 8 };

static uint64_t total_of(const struct activity *activity)
{
	return activity->total;
}

static uint64_t shortest_of(const struct activity *activity)
{
	return activity->shortest;
}

static uint64_t longest_of(const struct activity *activity)
{
	return activity->longest;
}

static uint64_t median_of(const struct activity *activity)
{
	return activity_percentile(activity, 50);
}

static uint64_t percentile_95(const struct activity *activity)
{
	return activity_percentile(activity, 95);
}

static uint64_t percentile_99(const struct activity *activity)
{
	return activity_percentile(activity, 99);
}

/* Between Time(%) and Name. */
static const struct summary_column {
	const char *heading;
	uint64_t (*time)(const struct activity *activity); /* NULL: the number of calls */
	bool extra;
} columns[] = {
	{.heading = "Time", .time = total_of},
	{.heading = "Calls"},
	{.heading = "Avg", .time = activity_average},
	{.heading = "Min", .time = shortest_of},
	{.heading = "Max", .time = longest_of},
	{.heading = "p50", .time = median_of, .extra = true},
	{.heading = "p95", .time = percentile_95, .extra = true},
	{.heading = "p99", .time = percentile_99, .extra = true},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Blocks with the same headings. */
struct rowtable {
	struct tables_job *job;
	const struct rowblock *blocks;
	size_t count;
	int units[COLUMNS]; /* of CSV */
};

static bool shows(const struct rowtable *table, int column)
{
	return !columns[column].extra || table->job->options->extras;
}

static double share_of(const struct rowblock *block, const struct activity *activity)
{
	return block->total > 0 ? (double)activity->total / block->total : 0;
}

static uint64_t largest_of(const struct rowblock *block, int column)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < block->count; i++) {
		uint64_t time = columns[column].time(block->rows[i]);

		if (time > largest)
			largest = time;
	}
	return largest;
}

static int choose_unit(const struct rowtable *table, int column)
{
	int unit = tables_time_unit(table->job);
	uint64_t largest = 0;

	if (unit != QUANTITY_AUTO || !columns[column].time)
		return unit;
	for (size_t i = 0; i < table->count; i++) {
		uint64_t time = largest_of(&table->blocks[i], column);

		if (time > largest)
			largest = time;
	}
	return quantity_unit(&quantity_time, (double)largest);
}

static void put_bar(struct strbuf *to, double share)
{
	int length = (int)(share * BAR + 0.5);

	strbuf_string(to, "  ");
	for (int i = 0; i < BAR; i++)
		strbuf_char(to, i < length ? '#' : ' ');
}

static void put_heading(const struct rowtable *table)
{
	struct strbuf *to = &table->job->text;

	strbuf_printf(to, "%16s  %7s", "Type", "Time(%)");
	for (int i = 0; i < COLUMNS; i++)
		if (shows(table, i))
			strbuf_printf(to, "  %*s", CELL, columns[i].heading);
	if (table->job->options->extras)
		strbuf_printf(to, "  %-*s", BAR, "Share");
	strbuf_string(to, "  Name\n");
}

/* The buffer for it is the job's, for to make one takes longer than to fill it. */
static void put_cell(const struct rowtable *table, const struct activity *activity, int column)
{
	struct tables_job *job = table->job;
	struct strbuf *cell = &job->cell;

	cell->length = 0;
	if (columns[column].time)
		quantity_put(cell, &quantity_time, tables_time_unit(job),
			     (double)columns[column].time(activity));
	else
		strbuf_printf(cell, "%llu", (unsigned long long)activity->count);
	strbuf_printf(&job->text, "  %*s", CELL, strbuf_text(cell));
	job->text.failed |= cell->failed;
}

static void put_row(const struct rowtable *table, const struct rowblock *block,
		    const struct activity *activity, bool first)
{
	struct tables_job *job = table->job;
	size_t start = job->text.length;

	strbuf_printf(&job->text, "%15s%c  %6.2f%%", first ? block->type : "", first ? ':' : ' ',
		      100 * share_of(block, activity));
	for (int i = 0; i < COLUMNS; i++)
		if (shows(table, i))
			put_cell(table, activity, i);
	if (job->options->extras)
		put_bar(&job->text, share_of(block, activity));
	strbuf_string(&job->text, "  ");
	label_short(&job->text, activity->api, &activity->like, &job->shown,
		    tables_room(job, job->text.length - start));
	strbuf_char(&job->text, '\n');
}

static void put_heading_csv(const struct rowtable *table)
{
	struct strbuf *to = &table->job->text;

	strbuf_string(to, "\"Type\",\"Time(%)\"");
	for (int i = 0; i < COLUMNS; i++)
		if (shows(table, i))
			strbuf_printf(to, ",\"%s\"", columns[i].heading);
	strbuf_string(to, ",\"Name\"\n,%");
	for (int i = 0; i < COLUMNS; i++)
		if (shows(table, i))
			strbuf_printf(to, ",%s",
				      columns[i].time ? quantity_time.units[table->units[i]].name
						      : "");
	strbuf_string(to, ",\n");
}

static void put_row_csv(const struct rowtable *table, const struct rowblock *block,
			const struct activity *activity)
{
	struct tables_job *job = table->job;
	struct strbuf *to = &job->text;
	size_t start;

	strbuf_printf(to, "\"%s\",%.6f", block->type, 100 * share_of(block, activity));
	for (int i = 0; i < COLUMNS; i++) {
		if (!shows(table, i))
			continue;
		strbuf_char(to, ',');
		if (columns[i].time)
			quantity_put_csv(to, &quantity_time, table->units[i],
					 (double)columns[i].time(activity));
		else
			strbuf_printf(to, "%llu", (unsigned long long)activity->count);
	}
	strbuf_char(to, ',');
	start = to->length;
	label_name(to, activity->api, &activity->like, &job->shown);
	label_quote(to, start);
	strbuf_char(to, '\n');
}

static void put_rows(const struct rowtable *table, const struct rowblock *block)
{
	struct tables_job *job = table->job;
	bool first = true;

	for (size_t i = 0; i < block->count; i++) {
		const struct activity *activity = block->rows[i];

		if (!activity->count)
			continue;
		if (job->options->csv)
			put_row_csv(table, block, activity);
		else
			put_row(table, block, activity, first);
		first = false;
		tables_flush(job, 1 << 16);
	}
}

static bool has_rows(const struct rowblock *block)
{
	for (size_t i = 0; i < block->count; i++)
		if (block->rows[i]->count)
			return true;
	return false;
}

static void put_block(const struct rowtable *table, const struct rowblock *block)
{
	if (has_rows(block))
		put_rows(table, block);
	else if (block->none)
		strbuf_printf(&table->job->text, "%s\n", block->none);
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

void rowblock_put(struct tables_job *job, struct rowblock *blocks, size_t count)
{
	struct rowtable table = {.job = job, .blocks = blocks, .count = count};

	if (!sum_up(blocks, count))
		return;
	for (int i = 0; i < COLUMNS; i++)
		table.units[i] = choose_unit(&table, i);
	if (job->options->csv)
		put_heading_csv(&table);
	else
		put_heading(&table);
	for (size_t i = 0; i < count; i++)
		put_block(&table, &blocks[i]);
}

/* SPDX-License-Identifier: MIT */
/* The summary: what each kernel, copy and fill adds up to, and the calls of each function. */
#include "view/tablesjob.h"

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

static struct activities *work_of(struct survey *survey)
{
	return &survey->activities;
}

static struct activities *calls_of(struct survey *survey)
{
	return &survey->called.functions;
}

static struct activities *ranges_of(struct survey *survey)
{
	return &survey->events.ranges;
}

/* The tables in one: their headings stand above the first. */
static const struct block_kind {
	const char *type;
	enum table table;
	struct activities *(*rows)(struct survey *survey);
} kinds[] = {
	{.type = "GPU activities", .table = TABLE_SUMMARY, .rows = work_of},
	{.type = "API calls", .table = TABLE_API_SUMMARY, .rows = calls_of},
	{.type = "NVTX ranges", .table = TABLE_SUMMARY, .rows = ranges_of},
};

enum { BLOCKS = sizeof(kinds) / sizeof(kinds[0]) };

/* Rows, and what they have in common. */
struct block {
	const char *type;
	struct activity *const *rows;
	size_t count;
	double total; /* nanoseconds */
};

struct summary {
	struct tables_job *job;
	struct block blocks[BLOCKS];
	size_t count;	    /* of rows in all of them */
	int units[COLUMNS]; /* of CSV */
};

static bool shows(const struct summary *summary, int column)
{
	return !columns[column].extra || summary->job->options->extras;
}

static double share_of(const struct block *block, const struct activity *activity)
{
	return block->total > 0 ? (double)activity->total / block->total : 0;
}

static uint64_t largest_of(const struct block *block, int column)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < block->count; i++) {
		uint64_t time = columns[column].time(block->rows[i]);

		if (time > largest)
			largest = time;
	}
	return largest;
}

static int choose_unit(const struct summary *summary, int column)
{
	int unit = tables_time_unit(summary->job);
	uint64_t largest = 0;

	if (unit != QUANTITY_AUTO || !columns[column].time)
		return unit;
	for (int i = 0; i < BLOCKS; i++) {
		uint64_t time = largest_of(&summary->blocks[i], column);

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

static void put_heading(const struct summary *summary)
{
	struct strbuf *to = &summary->job->text;

	strbuf_printf(to, "%16s  %7s", "Type", "Time(%)");
	for (int i = 0; i < COLUMNS; i++)
		if (shows(summary, i))
			strbuf_printf(to, "  %*s", CELL, columns[i].heading);
	if (summary->job->options->extras)
		strbuf_printf(to, "  %-*s", BAR, "Share");
	strbuf_string(to, "  Name\n");
}

static void put_cell(const struct summary *summary, const struct activity *activity, int column)
{
	struct strbuf cell = STRBUF_INIT;

	if (columns[column].time)
		quantity_put(&cell, &quantity_time, tables_time_unit(summary->job),
			     (double)columns[column].time(activity));
	else
		strbuf_printf(&cell, "%llu", (unsigned long long)activity->count);
	strbuf_printf(&summary->job->text, "  %*s", CELL, strbuf_text(&cell));
	strbuf_free(&cell);
}

static void put_row(const struct summary *summary, const struct block *block,
		    const struct activity *activity, bool first)
{
	struct tables_job *job = summary->job;
	size_t start = job->text.length;

	strbuf_printf(&job->text, "%15s%c  %6.2f%%", first ? block->type : "", first ? ':' : ' ',
		      100 * share_of(block, activity));
	for (int i = 0; i < COLUMNS; i++)
		if (shows(summary, i))
			put_cell(summary, activity, i);
	if (job->options->extras)
		put_bar(&job->text, share_of(block, activity));
	strbuf_string(&job->text, "  ");
	shown_short(&job->text, activity->api, &activity->like, &job->shown,
		    tables_room(job, job->text.length - start));
	strbuf_char(&job->text, '\n');
}

static void put_heading_csv(const struct summary *summary)
{
	struct strbuf *to = &summary->job->text;

	strbuf_string(to, "\"Type\",\"Time(%)\"");
	for (int i = 0; i < COLUMNS; i++)
		if (shows(summary, i))
			strbuf_printf(to, ",\"%s\"", columns[i].heading);
	strbuf_string(to, ",\"Name\"\n,%");
	for (int i = 0; i < COLUMNS; i++)
		if (shows(summary, i))
			strbuf_printf(to, ",%s",
				      columns[i].time ? quantity_time.units[summary->units[i]].name
						      : "");
	strbuf_string(to, ",\n");
}

static void put_row_csv(const struct summary *summary, const struct block *block,
			const struct activity *activity)
{
	struct tables_job *job = summary->job;
	struct strbuf *to = &job->text;
	size_t start;

	strbuf_printf(to, "\"%s\",%.6f", block->type, 100 * share_of(block, activity));
	for (int i = 0; i < COLUMNS; i++) {
		if (!shows(summary, i))
			continue;
		strbuf_char(to, ',');
		if (columns[i].time)
			quantity_put_csv(to, &quantity_time, summary->units[i],
					 (double)columns[i].time(activity));
		else
			strbuf_printf(to, "%llu", (unsigned long long)activity->count);
	}
	strbuf_char(to, ',');
	start = to->length;
	shown_name(to, activity->api, &activity->like, &job->shown);
	shown_quote(to, start);
	strbuf_char(to, '\n');
}

static void put_rows(const struct summary *summary, const struct block *block)
{
	struct tables_job *job = summary->job;
	bool first = true;

	for (size_t i = 0; i < block->count; i++) {
		const struct activity *activity = block->rows[i];

		if (!activity->count)
			continue;
		if (job->options->csv)
			put_row_csv(summary, block, activity);
		else
			put_row(summary, block, activity, first);
		first = false;
		tables_flush(job, 1 << 16);
	}
}

static void fill_block(struct summary *summary, int i)
{
	struct block *block = &summary->blocks[i];

	if (!tables_want(summary->job, 1u << kinds[i].table))
		return;
	block->type = kinds[i].type;
	block->rows = activities_sorted(kinds[i].rows(&summary->job->survey), &block->count);
	for (size_t row = 0; row < block->count; row++) {
		block->total += (double)block->rows[row]->total;
		summary->count += block->rows[row]->count > 0;
	}
}

void summary_put(struct tables_job *job)
{
	struct summary summary = {.job = job};

	for (int i = 0; i < BLOCKS; i++)
		fill_block(&summary, i);
	if (!summary.count)
		return;
	for (int i = 0; i < COLUMNS; i++)
		summary.units[i] = choose_unit(&summary, i);
	if (job->options->csv)
		put_heading_csv(&summary);
	else
		put_heading(&summary);
	for (int i = 0; i < BLOCKS; i++)
		put_rows(&summary, &summary.blocks[i]);
}

/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_table.h"

#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "output/escape.h"
#include "view/ranks/rank_list.h"

enum { CELL = 8, IMBALANCE = 9, UNIT = 16, SHOWN = 3, LISTED = 10 };

struct row {
	struct rank_rows *rows;
	const struct rank_row *row;
};

static const struct rank_row *row_of(const void *at)
{
	return ((const struct row *)at)->row;
}

static double share_of(const void *at)
{
	return row_of(at)->share;
}

static double imbalance_of(const void *at)
{
	return row_of(at)->imbalance;
}

/* A function `name` with a number that the row has if there are launches with times. */
#define NUMBER_OF(name, value)                                                                     \
	static bool name(const struct printer_column *column, const void *at, double *to)          \
	{                                                                                          \
		const struct rank_row *row = row_of(at);                                           \
                                                                                                   \
		(void)column;                                                                      \
		*to = (double)(value);                                                             \
		return row->sum.count;                                                             \
	}
NUMBER_OF(total_of, row->sum.total)
NUMBER_OF(least_of, row->least)
NUMBER_OF(average_of, row->average)
NUMBER_OF(most_of, row->most)
NUMBER_OF(shortest_of, row->sum.shortest)
NUMBER_OF(longest_of, row->sum.longest)
#undef NUMBER_OF

static bool bytes_of(const struct printer_column *column, const void *at, double *to)
{
	const struct rank_sum *sum = &row_of(at)->sum;

	(void)column;
	*to = (double)sum->bytes;
	return sum->sized;
}

static bool percentile_of(const void *at, unsigned percent, double *to)
{
	const struct row *row = at;
	const struct rank_sum *sum = &row->row->sum;
	const struct histogram *times =
		row->row->what ? rank_sums_times(row->rows->sums, row->row->number, sum) : NULL;

	if (!times)
		return false;
	*to = (double)histogram_percentile(times, percent);
	if (*to < (double)sum->shortest)
		*to = (double)sum->shortest;
	if (*to > (double)sum->longest)
		*to = (double)sum->longest;
	return true;
}

#define PERCENTILE_OF(percent)                                                                     \
	static bool p##percent##_of(const struct printer_column *column, const void *at,           \
				    double *to)                                                    \
	{                                                                                          \
		(void)column;                                                                      \
		return percentile_of(at, percent, to);                                             \
	}
PERCENTILE_OF(50)
PERCENTILE_OF(95)
PERCENTILE_OF(99)
#undef PERCENTILE_OF

static void put_calls(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, amount_add(row_of(at)->sum.count, row_of(at)->sum.untimed));
}

static void put_untimed(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, row_of(at)->sum.untimed);
}

static void put_units(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, row_of(at)->units);
}

static void put_slowest(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;

	(void)column;
	if (row->row->most)
		rank_rows_put_unit(to, row->rows, row->row->slowest, UNIT);
}

static void put_slowest_field(struct strbuf *to, const struct printer_column *column,
			      const void *at)
{
	const struct row *row = at;
	size_t start = to->length;

	(void)column;
	if (row->row->most)
		rank_rows_put_unit(to, row->rows, row->row->slowest, 0);
	label_quote(to, start);
}

/* At most `most` of them, and the number of the others. */
static void put_list(struct strbuf *to, const struct row *row, size_t most, const char *between)
{
	const uint32_t *list = rank_rows_outliers(row->rows, row->row);
	size_t count = row->row->outliers, shown = count > most ? most : count;

	for (size_t i = 0; i < shown; i++) {
		strbuf_string(to, i ? between : "");
		rank_rows_put_unit(to, row->rows, list[i], 0);
	}
	if (count > shown)
		strbuf_printf(to, "%s%llu more", between, (unsigned long long)(count - shown));
}

static void put_outliers(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;

	(void)column;
	if (row->rows->by_process && row->row->outliers)
		strbuf_decimal(to, row->row->outliers);
	else
		put_list(to, row, SHOWN, ",");
}

static void put_outlier_field(struct strbuf *to, const struct printer_column *column,
			      const void *at)
{
	size_t start = to->length;

	(void)column;
	put_list(to, at, SIZE_MAX, " ");
	label_quote(to, start);
}

static void put_name(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;

	rank_rows_put_name(to, row->rows, row->row, room);
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
	{ BOTH("Time(%)", CELL), .unit = "%", .share = share_of },
	{ .heading = "Time", .width = CELL, TIME("Time"), .number = total_of },
	{ BOTH("Calls", CELL), .text = put_calls },
	{ BOTH("Ranks", 6), .text = put_units, .part = BY_RANK },
	{ BOTH("Processes", 9), .text = put_units, .part = BY_PROCESS },
	{ .heading = "Min", .width = CELL, TIME("Min"), .number = least_of },
	{ .heading = "Avg", .width = CELL, TIME("Avg"), .number = average_of },
	{ .heading = "Max", .width = CELL, TIME("Max"), .number = most_of },
	{ BOTH("Imbalance", IMBALANCE), .unit = "%", .share = imbalance_of },
	{ BOTH("Slowest", CELL), .text = put_slowest, .part = BY_RANK },
	{ BOTH("Slowest", UNIT), .text = put_slowest, .fields = put_slowest_field,
	  .part = BY_PROCESS },
	{ BOTH("Outliers", CELL), .text = put_outliers, .fields = put_outlier_field },
	{ TIME("Shortest"), .number = shortest_of },
	{ TIME("p50"), .number = p50_of },
	{ TIME("p95"), .number = p95_of },
	{ TIME("p99"), .number = p99_of },
	{ TIME("Longest"), .number = longest_of },
	{ CSV("Bytes"), .quantity = &quantity_size, .number = bytes_of },
	{ CSV("Untimed"), .text = put_untimed },
	{ .heading = "Name", CSV("Name"), .quoted = true, .name = put_name,
	  .fields = put_name_field },
};
/* clang-format on */

_Static_assert(sizeof(columns) / sizeof(columns[0]) <= PRINTER_COLUMNS, "the printer has room");

static const char *words_of(enum rank_source source)
{
	switch (source) {
	case RANKS_WORD:
		return "the numbers after \"rank\" in the file names";
	case RANKS_NUMBER:
		return "the numbers in which the file names differ";
	case RANKS_ORDER:
		break;
	}
	return "the order of the file names";
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static void put_inputs(struct strbuf *to, const struct rank_rows *rows)
{
	size_t count, files = 0;
	const struct rank_process *list = rank_sums_processes(rows->sums, &count);

	for (size_t i = 0; i < count; i++)
		files += !i || list[i].path != list[i - 1].path;
	if (rows->sums->title)
		strbuf_printf(to, "%s\n", rows->sums->title);
	else if (rows->by_process)
		strbuf_printf(to, "%llu process%s in %llu file%s\n", (unsigned long long)count,
			      count == 1 ? "" : "es", (unsigned long long)files, plural(files));
	else
		strbuf_printf(to, "%llu rank%s: %s; %llu file%s\n",
			      (unsigned long long)rows->unit_count, plural(rows->unit_count),
			      words_of(rows->source), (unsigned long long)files, plural(files));
}

static void put_losses(struct strbuf *to, const struct rank_rows *rows)
{
	size_t count, shown = 0, bad = 0;
	const struct rank_process *list = rank_sums_processes(rows->sums, &count);

	for (size_t i = 0; i < count; i++) {
		const char *path = rank_sums_text(rows->sums, list[i].path);

		if (!list[i].lost && !list[i].cut_off)
			continue;
		bad++;
		if (shown == LISTED)
			continue;
		shown++;
		strbuf_string(to, "warning: ");
		escape_put(to, path, strlen(path), ESCAPE_SHOWN);
		if (list[i].lost == UINT64_MAX)
			strbuf_string(to, " has lost records");
		else if (list[i].lost)
			strbuf_printf(to, " has lost %llu record%s",
				      (unsigned long long)list[i].lost, plural(list[i].lost));
		else
			strbuf_string(to, " ends before its program did");
		strbuf_string(to, ": its sums are incomplete\n");
	}
	if (bad > shown)
		strbuf_printf(to, "warning: the sums of %llu more are incomplete\n",
			      (unsigned long long)(bad - shown));
}

static void put_missing(struct strbuf *to, const struct rank_rows *rows)
{
	size_t count;
	const struct rank_missing *list = rank_sums_missing(rows->sums, &count);

	if (!count)
		return;
	strbuf_printf(to, "warning: %llu file%s %s left out: ", (unsigned long long)count,
		      plural(count), count == 1 ? "is" : "are");
	for (size_t i = 0; i < count && i < LISTED; i++) {
		const char *path = rank_sums_text(rows->sums, list[i].path);

		strbuf_string(to, i ? ", " : "");
		escape_put(to, path, strlen(path), ESCAPE_SHOWN);
	}
	strbuf_string(to, count > LISTED ? ", ...\n" : "\n");
}

/* The list has launches with times only. */
static void put_untimed_records(struct strbuf *to, const struct rank_rows *rows, bool longest)
{
	uint64_t count = rows->list[0].sum.untimed;

	if (!count)
		return;
	strbuf_printf(to, "warning: %llu record%s no times", (unsigned long long)count,
		      count == 1 ? " has" : "s have");
	if (longest)
		strbuf_printf(to, " and %s left out\n", count == 1 ? "is" : "are");
	else
		strbuf_printf(to, ": only Calls counts %s\n", count == 1 ? "it" : "them");
}

enum { DIRECTED = 1, UNDIRECTED = 2 };

/* Marks which copies each process has. */
static void find_directions(const struct rank_sums *sums, unsigned char *found)
{
	uint32_t activities;
	size_t count;
	const struct activity_key *list = activity_index_list(&sums->activities, &activities);
	const struct rank_entry *entries = rank_sums_entries(sums, &count);

	for (size_t i = 0; i < count; i++) {
		const struct record *like = &list[entries[i].activity].like;

		if (like->frame.kind == FRAME_COPY)
			found[entries[i].process] |=
				like->source == MEMORY_COUNT ? UNDIRECTED : DIRECTED;
	}
}

/* Logs may be without the column, and their copies are other rows. */
static void put_directions(struct strbuf *to, const struct rank_rows *rows)
{
	size_t count, of[DIRECTED + UNDIRECTED + 1] = {0};
	unsigned char *found;

	rank_sums_processes(rows->sums, &count);
	found = calloc(count + 1, sizeof(*found));
	if (!found)
		return;
	find_directions(rows->sums, found);
	for (size_t i = 0; i < count; i++)
		of[found[i]]++;
	free(found);
	if (of[UNDIRECTED] && of[DIRECTED])
		strbuf_printf(to,
			      "warning: copies of %llu process%s have no direction, so they are "
			      "other rows than those of the others; computeprof -c memory adds the "
			      "column memtransferdir\n",
			      (unsigned long long)of[UNDIRECTED], of[UNDIRECTED] == 1 ? "" : "es");
}

/* Files: ranks between the first and the last one, and below them, that have none. If most numbers
 * are missing, they are probably no ranks. A job: those that must be there. */
static void put_gaps(struct strbuf *to, const struct rank_rows *rows)
{
	const struct rank_unit *units = rows->units;
	bool job = rows->sums->title;
	uint64_t expected = job ? rows->sums->expected : units[rows->unit_count - 1].rank + 1;
	uint64_t gaps = expected - rows->unit_count, shown = 0, next = 0;

	if (rows->by_process || rows->source == RANKS_ORDER || expected <= rows->unit_count ||
	    (!job && gaps > rows->unit_count))
		return;
	strbuf_printf(to, "warning: no %s of rank ", job ? "totals" : "file");
	for (size_t i = 0; i <= rows->unit_count; i++) {
		uint64_t end = i < rows->unit_count ? units[i].rank : expected;

		for (; next < end && shown < LISTED; next++)
			strbuf_printf(to, "%s%llu", shown++ ? ", " : "", (unsigned long long)next);
		next = end + 1;
	}
	strbuf_string(to, gaps > shown ? ", ...\n" : "\n");
}

static void put_result(struct strbuf *to, const struct rank_rows *rows)
{
	const struct rank_row *all = &rows->list[0];

	if (rows->count == 1)
		strbuf_string(to, "there is no kernel, copy or fill\n");
	else if (!all->sum.total)
		strbuf_string(to, "no kernel, copy or fill has times\n");
	/* A rank alone has no other one to wait for. */
	if (!all->sum.total || rows->unit_count == 1)
		return;
	strbuf_printf(to, "imbalance %.1f%%: ", 100 * all->imbalance);
	if (all->least == all->most) {
		strbuf_printf(to, "all %s have the same time on the GPU\n",
			      rows->by_process ? "processes" : "ranks");
		return;
	}
	if (!rows->by_process)
		strbuf_printf(to, "rank %llu", (unsigned long long)rows->units[all->slowest].rank);
	if (!rows->sums->title) {
		strbuf_string(to, rows->by_process ? "" : " (");
		rank_rows_put_file(to, rows, all->slowest);
		strbuf_string(to, rows->by_process ? "" : ")");
	}
	strbuf_string(to, " has the most time on the GPU\n");
}

/* Totals that a process has kept, and JSON of them, have no launches. */
static void put_without(struct strbuf *to, const struct rank_rows *rows)
{
	size_t count, without = 0;
	const struct rank_process *list = rank_sums_processes(rows->sums, &count);

	for (size_t i = 0; i < count; i++)
		without += !list[i].launches;
	if (without)
		strbuf_printf(to,
			      "warning: %llu of %llu processes have totals only: their "
			      "launches are not in the list\n",
			      (unsigned long long)without, (unsigned long long)count);
}

static void put_rows(struct rank_rows *rows, const struct printer_page *page)
{
	struct printer printer = {
		.page = page,
		.columns = columns,
		.count = sizeof(columns) / sizeof(columns[0]),
		.parts = rows->by_process ? BY_PROCESS : BY_RANK,
	};
	struct row row = {.rows = rows};

	for (size_t i = 0; page->csv && i < rows->count; i++) {
		row.row = &rows->list[i];
		printer_measure(&printer, &row);
	}
	printer_begin(&printer);
	for (size_t i = 0; i < rows->count; i++) {
		row.row = &rows->list[i];
		printer_row(&printer, &row);
	}
	printer_end(&printer);
}

void rank_table_put(struct rank_rows *rows, const struct printer_page *page, bool longest)
{
	if (!page->csv)
		put_inputs(page->text, rows);
	if (longest)
		rank_list_put(rows, page);
	else
		put_rows(rows, page);
	if (page->csv)
		return;
	put_missing(page->text, rows);
	put_losses(page->text, rows);
	put_untimed_records(page->text, rows, longest);
	put_directions(page->text, rows);
	put_gaps(page->text, rows);
	if (longest)
		put_without(page->text, rows);
	else
		put_result(page->text, rows);
}

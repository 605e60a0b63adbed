/* SPDX-License-Identifier: MIT */
#include "cli/top/top_table.h"

#include <stdlib.h>
#include <string.h>

#include "view/format/printer.h"

enum { MINIMUM = 1 << 0, CELL = 8, PERCENT = 7 };
enum { HEADINGS = 3 /* lines of a block in addition to its rows */ };

struct item {
	const struct top_row *row;
	double key;
	size_t name; /* offset of its name */
	const char *text;
};

/* The rows of one block, sorted. */
struct block {
	const char *title;
	struct strbuf items; /* struct item */
	struct strbuf names;
	size_t count;
	size_t shown;
	double total; /* ns of all rows */
};

struct line {
	const struct top_table *table;
	const struct block *block;
	const struct top_row *row;
};

static uint64_t average_of_row(const struct top_row *row)
{
	return row->count ? row->total / row->count : 0;
}

static double rate_of(const struct watched *watched, const struct top_row *row)
{
	if (watched->ended)
		return 0;
	return watched_rate(watched, row->count, top_rows_count(&watched->before, row));
}

static double key_of(const struct top_table *table, const struct top_row *row)
{
	switch (table->sort) {
	case TOP_CALLS:
		return (double)row->count;
	case TOP_AVERAGE:
		return (double)average_of_row(row);
	case TOP_RATE:
		return rate_of(table->watched, row);
	case TOP_TIME:
		return (double)row->total;
	case TOP_NAME:
	case TOP_SORTS:
		break;
	}
	return 0;
}

static void put_name(struct strbuf *to, const void *at, size_t room)
{
	const struct line *line = at;

	label_short(to, line->row->api, &line->row->like, &line->table->watched->label, room);
}

static int compare(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? 1 : -1;
	return strcmp(a->text, b->text);
}

/* Collects the rows of functions, or the others. */
static void collect(struct block *block, const struct top_table *table, bool functions)
{
	size_t count;
	const struct top_row *rows = top_rows_list(&table->watched->now, &count);
	struct item *items;

	for (size_t i = 0; i < count; i++) {
		struct line line = {.table = table, .row = &rows[i]};
		struct item item = {.row = &rows[i], .name = block->names.length};

		if ((rows[i].like.frame.kind == FRAME_CALL) != functions)
			continue;
		item.key = key_of(table, &rows[i]);
		put_name(&block->names, &line, 0);
		strbuf_char(&block->names, '\0');
		strbuf_append(&block->items, &item, sizeof(item));
		block->total += (double)rows[i].total;
	}
	items = (void *)block->items.data;
	if (!block->names.failed)
		block->count = block->shown = block->items.length / sizeof(*items);
	for (size_t i = 0; i < block->count; i++)
		items[i].text = block->names.data + items[i].name;
	if (block->count)
		qsort(items, block->count, sizeof(*items), compare);
}

static double share_of(const void *at)
{
	const struct line *line = at;
	double total = line->block->total;

	return total > 0 ? (double)line->row->total / total : 0;
}

static void put_count(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_printf(to, "%llu", (unsigned long long)((const struct line *)at)->row->count);
}

static void put_rate(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct line *line = at;
	const struct watched *watched = line->table->watched;

	(void)column;
	if (watched->interval && !watched->ended)
		top_table_put_rate(to, rate_of(watched, line->row));
}

/* A function `name`_of that gives a time of the row. */
#define TIME_OF(name, time)                                                                        \
	static bool name##_of(const struct printer_column *column, const void *at, double *value)  \
	{                                                                                          \
		const struct top_row *row = ((const struct line *)at)->row;                        \
                                                                                                   \
		(void)column;                                                                      \
		*value = (double)(time);                                                           \
		return true;                                                                       \
	}
TIME_OF(total, row->total)
TIME_OF(average, average_of_row(row))
TIME_OF(shortest, row->shortest)
TIME_OF(longest, row->longest)
#undef TIME_OF

/* clang-format off */
#define TIME(name) .heading = name, .width = CELL, .quantity = &quantity_time
static const struct printer_column row_columns[] = {
	{ .heading = "Time(%)", .width = PERCENT, .share = share_of },
	{ TIME("Time"), .number = total_of },
	{ .heading = "Calls", .width = CELL, .text = put_count },
	{ .heading = "Calls/s", .width = CELL, .text = put_rate },
	{ TIME("Avg"), .number = average_of },
	{ TIME("Min"), .number = shortest_of, .part = MINIMUM },
	{ TIME("Max"), .number = longest_of },
	{ .heading = "Name", .name = put_name },
};
/* clang-format on */

static void put_block(struct strbuf *to, const struct top_table *table, const struct block *block)
{
	const struct printer_page page = {
		.text = to, .width = table->width, .time_unit = QUANTITY_AUTO};
	struct printer printer = {
		.page = &page,
		.columns = row_columns,
		.count = sizeof(row_columns) / sizeof(row_columns[0]),
		.parts = table->minimum ? MINIMUM : 0,
	};
	const struct item *items = (const void *)block->items.data;

	if (!block->shown)
		return;
	strbuf_printf(to, "\n%s", block->title);
	if (block->shown < block->count)
		strbuf_printf(to, " (%zu of %zu)", block->shown, block->count);
	strbuf_string(to, ":\n");
	printer_begin(&printer);
	for (size_t i = 0; i < block->shown; i++)
		printer_row(&printer, &(struct line){table, block, items[i].row});
}

static size_t lines_of(const struct block *block)
{
	return block->count ? block->count + HEADINGS : 0;
}

static void limit(struct block *block, size_t room)
{
	if (lines_of(block) > room)
		block->shown = room > HEADINGS ? room - HEADINGS : 0;
}

void top_table_put(struct strbuf *to, const struct top_table *table)
{
	struct block work = {.title = "GPU activities"}, calls = {.title = "API calls"};
	size_t room = table->room, least;

	collect(&work, table, false);
	collect(&calls, table, true);
	if (table->height) {
		/* Calls have a third, and what is left. */
		least = lines_of(&calls) < room / 3 ? lines_of(&calls) : room / 3;
		limit(&work, room - least);
		limit(&calls, room - (work.shown ? work.shown + HEADINGS : 0));
	}
	put_block(to, table, &work);
	put_block(to, table, &calls);
	strbuf_free(&work.items);
	strbuf_free(&work.names);
	strbuf_free(&calls.items);
	strbuf_free(&calls.names);
}

void top_table_put_rate(struct strbuf *to, double rate)
{
	strbuf_printf(to, rate < 1000 ? "%.1f" : "%.0f", rate);
}

/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_list.h"

enum { CELL = 8, UNIT = 16 };

struct row {
	struct rank_rows *rows;
	const struct rank_launch *launch;
};

static const struct rank_launch *launch_of(const void *at)
{
	return ((const struct row *)at)->launch;
}

static bool time_of(const struct printer_column *column, const void *at, double *to)
{
	(void)column;
	*to = (double)launch_of(at)->time;
	return true;
}

static void put_start(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	if (launch_of(at)->start)
		strbuf_decimal(to, launch_of(at)->start);
}

static void put_unit(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;

	rank_rows_put_unit(to, row->rows, row->rows->unit_of[row->launch->process], room);
}

static void put_cell(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_unit(to, at, UNIT);
}

static void put_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	size_t start = to->length;

	(void)column;
	put_unit(to, at, 0);
	label_quote(to, start);
}

static void put_device(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, launch_of(at)->device);
}

static void put_record(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, launch_of(at)->record);
}

static void put_name(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;
	uint32_t count;
	const struct activity_key *what =
		&activity_index_list(&row->rows->sums->activities, &count)[row->launch->activity];

	if (room)
		label_short(to, what->api, &what->like, &row->rows->label, room);
	else
		label_name(to, what->api, &what->like, &row->rows->label);
}

static void put_name_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_name(to, at, 0);
}

/* clang-format off */
#define CSV(name) .csv = "\"" name "\""
#define BOTH(name, columns) .heading = name, CSV(name), .width = columns
static const struct printer_column columns[] = {
	{ BOTH("Time", CELL), .quantity = &quantity_time, .number = time_of },
	{ CSV("Start"), .unit = "ns", .text = put_start },
	{ BOTH("Rank", CELL), .text = put_cell, .part = BY_RANK },
	{ BOTH("Process", UNIT), .text = put_cell, .fields = put_field, .part = BY_PROCESS },
	{ BOTH("Device", 6), .text = put_device },
	{ BOTH("Record", CELL), .text = put_record },
	{ .heading = "Name", CSV("Name"), .quoted = true, .name = put_name,
	  .fields = put_name_field },
};
/* clang-format on */

void rank_list_put(struct rank_rows *rows, const struct printer_page *page)
{
	struct printer printer = {
		.page = page,
		.columns = columns,
		.count = sizeof(columns) / sizeof(columns[0]),
		.parts = rows->by_process ? BY_PROCESS : BY_RANK,
	};
	struct row row = {.rows = rows};
	size_t count;
	const struct rank_launch *list = rank_sums_launches(rows->sums, &count);

	for (size_t i = 0; page->csv && i < count; i++) {
		row.launch = &list[i];
		printer_measure(&printer, &row);
	}
	printer_begin(&printer);
	for (size_t i = 0; i < count; i++) {
		row.launch = &list[i];
		printer_row(&printer, &row);
	}
	printer_end(&printer);
}

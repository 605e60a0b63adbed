/* SPDX-License-Identifier: MIT */
#include "view/stacks/callers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "output/unescape.h"
#include "view/format/label.h"
#include "view/format/printer.h"
#include "view/stacks/caller_names.h"
#include "view/stacks/flame.h"

enum { PERCENT = 7, CELL = 8 };

/* An entry of `callers`. */
struct caller {
	uint32_t name; /* in flame.names; 0: not known */
	uint32_t padding;
	/* After the key: */
	uint64_t time;
	uint64_t count;
};

/* The rows of the table. */
struct rows {
	struct flame flame;
	struct keyed callers;
	double total; /* the time of all */
};

struct row {
	const struct flame *flame;
	const struct caller *caller;
	double total; /* of all rows */
};

static double share_of(const void *at)
{
	const struct row *row = at;

	return row->total > 0 ? (double)row->caller->time / row->total : 0;
}

static bool time_of(const struct printer_column *column, const void *at, double *value)
{
	const struct row *row = at;

	(void)column;
	*value = (double)row->caller->time;
	return true;
}

static bool average_of(const struct printer_column *column, const void *at, double *value)
{
	const struct caller *caller = ((const struct row *)at)->caller;

	(void)column;
	*value = (double)(caller->count ? caller->time / caller->count : 0);
	return caller->count > 0;
}

static void put_count(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct row *row = at;

	(void)column;
	strbuf_printf(to, "%llu", (unsigned long long)row->caller->count);
}

static void put_name(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;
	size_t start = to->length, length;
	const char *name = names_text(row->flame->names, row->caller->name, &length);

	if (length)
		strbuf_append(to, name, length);
	else
		strbuf_string(to, "[unknown]");
	label_shorten(to, start, room);
}

static void put_name_field(struct strbuf *to, const struct printer_column *column, const void *row)
{
	(void)column;
	put_name(to, row, 0);
}

/* clang-format off */
#define HEADING(name) .heading = name, .csv = "\"" name "\"", .width = CELL
static const struct printer_column cells[] = {
	{ .heading = "Time(%)", .csv = "\"Time(%)\"", .width = PERCENT, .unit = "%",
	  .share = share_of },
	{ HEADING("Time"), .quantity = &quantity_time, .number = time_of },
	{ HEADING("Count"), .text = put_count },
	{ HEADING("Avg"), .quantity = &quantity_time, .number = average_of },
	{ .heading = "Caller", .csv = "\"Caller\"", .quoted = true, .name = put_name,
	  .fields = put_name_field },
};
/* clang-format on */

/* Returns the name of the caller of a launch, 0 if it is not known. */
static uint32_t caller_of(const struct flame *flame, const struct flame_sum *sum)
{
	for (uint32_t at = sum->frame; at; at = flame_frame(flame, at - 1)->parent)
		if (flame_frame(flame, at - 1)->own)
			return flame_frame(flame, at - 1)->name;
	return 0;
}

/* Returns the time of all, or -1 without memory. */
static double add_up(struct keyed *callers, const struct flame *flame)
{
	double total = 0;

	for (uint32_t i = 0; i < flame->sums.count; i++) {
		const struct flame_sum *sum = flame_sum(flame, i);
		const struct caller key = {.name = caller_of(flame, sum)};
		uint32_t number = keyed_get(callers, &key);
		struct caller *caller;

		if (number == KEYED_FULL)
			return -1;
		caller = keyed_at(callers, number);
		caller->time = amount_add(caller->time, sum->time);
		caller->count += sum->count;
		total += (double)sum->time;
	}
	return total;
}

/* Gets the name's number in flame.names, 0 for an empty one. The text is that of a log, with
 * escapes. */
static int intern(struct flame *flame, struct log_text text, uint32_t *name)
{
	struct strbuf decoded = STRBUF_INIT;
	uint32_t frame = 0;
	bool failed;

	unescape_name(text, &decoded);
	if (decoded.length)
		frame = flame_add_frame(flame, 0, decoded.data, decoded.length, NULL, 0);
	failed = decoded.failed || (decoded.length && !frame);
	strbuf_free(&decoded);
	*name = frame ? flame_frame(flame, frame - 1)->name : 0;
	return failed ? -1 : 0;
}

/* Adds the record of a log to its caller. */
static int add_row(struct rows *rows, const struct record *record, struct log_text text)
{
	struct caller key = {.name = 0}, *caller;
	uint32_t number;

	if (intern(&rows->flame, text, &key.name))
		return -1;
	number = keyed_get(&rows->callers, &key);
	if (number == KEYED_FULL)
		return -1;
	caller = keyed_at(&rows->callers, number);
	caller->time = amount_add(caller->time, amount_duration(record));
	caller->count++;
	rows->total += (double)amount_duration(record);
	return 0;
}

static int read_log(struct rows *rows, struct stream *stream, struct strbuf *error)
{
	const struct record *record;
	struct log_text caller;
	int result;

	if (flame_open(&rows->flame)) {
		strbuf_string(error, "out of memory for the callers");
		return -1;
	}
	while ((result = stream_next(stream, &record, error)) > 0) {
		stream_caller(stream, &caller);
		if (!add_row(rows, record, caller))
			continue;
		strbuf_string(error, "out of memory for the callers");
		return -1;
	}
	stream_caller(stream, &caller);
	if (!result && !caller.text)
		stream_put_message(stream, "the log has no column caller, so the callers are "
					   "unknown; a configuration with the line \"caller\" adds "
					   "the column");
	return result;
}

static int read_trace(struct rows *rows, struct stream *stream, bool mangled, struct strbuf *error)
{
	const struct flame_options before = flame_options;
	struct flame *flame = &rows->flame;
	int result;

	flame_options.mode = FLAME_GPU_ONLY;
	flame_options.mangled = mangled;
	result = flame_read(flame, stream, error);
	flame_options = before;
	if (result)
		return -1;
	if (flame->records && !flame->has_stacks)
		stream_put_message(
			stream,
			"there are no call stacks, so the callers are unknown; " STACKS_HOW);
	rows->total = add_up(&rows->callers, flame);
	if (rows->total < 0)
		strbuf_string(error, "out of memory for the callers");
	return rows->total < 0 ? -1 : 0;
}

static int compare(const void *left, const void *right)
{
	const struct caller *one = left, *other = right;

	if (one->time != other->time)
		return one->time > other->time ? -1 : 1;
	return one->name < other->name ? -1 : one->name > other->name;
}

static void put_table(const struct printer_page *page, const struct rows *rows)
{
	const struct keyed *callers = &rows->callers;
	struct printer printer = {
		.page = page,
		.columns = cells,
		.count = sizeof(cells) / sizeof(cells[0]),
	};
	struct row row = {.flame = &rows->flame, .total = rows->total};

	if (callers->count)
		qsort(callers->entries, callers->count, callers->entry_size, compare);
	for (uint32_t i = 0; page->csv && i < callers->count; i++) {
		row.caller = keyed_at(callers, i);
		printer_measure(&printer, &row);
	}
	printer_begin(&printer);
	for (uint32_t i = 0; i < callers->count; i++) {
		row.caller = keyed_at(callers, i);
		printer_row(&printer, &row);
	}
	printer_end(&printer);
}

static int put_all(FILE *to, const struct rows *rows, const struct callers_options *options,
		   struct strbuf *error)
{
	struct strbuf text = STRBUF_INIT;
	const struct printer_page page = {
		.text = &text, .csv = options->csv, .time_unit = options->time_unit};

	put_table(&page, rows);
	if (text.failed)
		strbuf_string(error, "out of memory for the callers");
	else if (fwrite(text.data, 1, text.length, to) != text.length || fflush(to))
		strbuf_printf(error, "cannot write the table: %s", strerror(errno));
	strbuf_free(&text);
	return error->length ? -1 : 0;
}

int callers_print(FILE *to, struct stream *stream, const struct callers_options *options,
		  struct strbuf *error)
{
	struct rows rows = {.callers = {.key_size = offsetof(struct caller, time),
					.entry_size = sizeof(struct caller)}};
	struct log_text caller;
	int result;

	stream_end_at_damage(stream, "the table");
	if (stream_caller(stream, &caller))
		result = read_log(&rows, stream, error);
	else
		result = read_trace(&rows, stream, !options->demangle, error);
	if (!result)
		result = put_all(to, &rows, options, error);
	keyed_free(&rows.callers);
	flame_free(&rows.flame);
	if (!result && stream_damage(stream)) {
		strbuf_string(error, stream_damage(stream));
		return -1;
	}
	return result;
}

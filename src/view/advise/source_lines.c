/* SPDX-License-Identifier: MIT */
/* The table of what kernels load and store by line of their source. */
#include "view/advise/source_lines.h"

#include <stdlib.h>
#include <string.h>

#include "output/escape.h"
#include "output/jsontext.h"
#include "output/logheader.h"
#include "view/advise/advice.h"

enum {
	CELL = 9,
	PERCENT = 9,
	KERNEL = 20,
	PLACE = 20,
	SHOWN = 30, /* in text; CSV and JSON have all rows */
};

static const char prefix[] = "======== ";

/* The key of a sum. */
struct key {
	uint32_t text;
	uint32_t is_kernel;
};

int source_lines_add(struct source_lines *lines, const struct frame *frame)
{
	const struct source_line *line = (const void *)frame;
	struct key key = {.text = line->text};
	struct source_line_sum *sum;
	uint32_t index;

	if (frame->kind != FRAME_SOURCE_LINE)
		return 0;
	lines->sums.key_size = sizeof(key);
	lines->sums.entry_size = sizeof(*sum);
	key.is_kernel = line->kind != LINE_LOAD && line->kind != LINE_STORE;
	index = keyed_get(&lines->sums, &key);
	if (index == KEYED_FULL)
		return -1;
	sum = keyed_at(&lines->sums, index);
	sum->is_counted |= line->kind != LINE_NOT_COUNTED;
	sum->loads += line->kind != LINE_STORE ? line->count : 0;
	sum->stores += line->kind == LINE_STORE ? line->count : 0;
	sum->zeros += line->zeros;
	sum->silent += line->silent;
	sum->same += line->same;
	lines->launches += line->kind == LINE_LAUNCH ? line->count : 0;
	return 0;
}

void source_lines_free(struct source_lines *lines)
{
	keyed_free(&lines->sums);
}

/* The parts of a line's text. */
struct parts {
	const char *kernel, *file, *function, *source;
	size_t kernel_length, file_length, function_length, source_length;
	uint64_t line;
};

struct row {
	struct advice *advice;
	const struct source_line_sum *sum;
	struct parts parts;
};

/* Takes what is before the next tab, or all that is left. */
static const char *take_part(const char **at, size_t *left, size_t *length)
{
	const char *part = *at, *tab = memchr(part, '\t', *left);

	*length = tab ? (size_t)(tab - part) : *left;
	*at += *length + (tab != NULL);
	*left -= *length + (tab != NULL);
	return part;
}

/* Takes the name of a kernel, before the last tab, which may have tabs; the reason is left. */
static const char *take_name(const char **at, size_t *left, size_t *length)
{
	const char *name = *at, *tab = memrchr(name, '\t', *left);

	*length = tab ? (size_t)(tab - name) : *left;
	*at += *length + (tab != NULL);
	*left -= *length + (tab != NULL);
	return name;
}

static void set_row(struct row *row, const struct source_line_sum *sum)
{
	struct parts *parts = &row->parts;
	size_t left, length;
	const char *at = names_text(row->advice->catalog->names, sum->text, &left), *line;

	row->sum = sum;
	parts->kernel = take_part(&at, &left, &parts->kernel_length);
	parts->file = take_part(&at, &left, &parts->file_length);
	line = take_part(&at, &left, &length);
	if (!text_number((struct log_text){line, length}, 10, UINT32_MAX, &parts->line))
		parts->line = 0;
	parts->function = take_part(&at, &left, &parts->function_length);
	parts->source = at;
	parts->source_length = left;
}

static void put_loads(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, ((const struct row *)at)->sum->loads);
}

static void put_stores(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, ((const struct row *)at)->sum->stores);
}

static double part_of(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static double zeros_of(const void *at)
{
	const struct source_line_sum *sum = ((const struct row *)at)->sum;

	return part_of(sum->zeros, sum->loads + sum->stores);
}

static double silent_of(const void *at)
{
	const struct source_line_sum *sum = ((const struct row *)at)->sum;

	return part_of(sum->silent, sum->stores);
}

static double same_of(const void *at)
{
	const struct source_line_sum *sum = ((const struct row *)at)->sum;

	return part_of(sum->same, sum->loads + sum->stores);
}

static void put_kernel(struct strbuf *to, const struct row *row, size_t room)
{
	size_t start = to->length;

	escape_put(to, row->parts.kernel, row->parts.kernel_length, ESCAPE_SHOWN);
	label_shorten(to, start, room);
}

static void put_kernel_cell(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_kernel(to, at, KERNEL);
}

static void put_kernel_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_kernel(to, at, 0);
}

static void put_place(struct strbuf *to, const struct row *row, size_t room)
{
	size_t start = to->length;

	escape_put(to, row->parts.file, row->parts.file_length, ESCAPE_SHOWN);
	strbuf_printf(to, ":%llu", (unsigned long long)row->parts.line);
	label_shorten(to, start, room);
}

static void put_place_cell(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_place(to, at, PLACE);
}

static void put_place_field(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_place(to, at, 0);
}

static void put_source(struct strbuf *to, const void *at, size_t room)
{
	const struct parts *parts = &((const struct row *)at)->parts;
	size_t start = to->length;

	escape_put(to, parts->source, parts->source_length, ESCAPE_SHOWN);
	label_shorten(to, start, room);
}

/* clang-format off */
#define COUNTED(name, put) \
	{ .heading = name, .csv = "\"" name "\"", .width = CELL, .text = put }
#define SHARE(name, of) \
	{ .heading = name "(%)", .csv = "\"" name "(%)\"", .width = PERCENT, .unit = "%", \
	  .share = of }

static const struct printer_column line_columns[] = {
	COUNTED("Loads", put_loads),
	COUNTED("Stores", put_stores),
	SHARE("Zeros", zeros_of),
	SHARE("Silent", silent_of),
	SHARE("Same", same_of),
	{ .heading = "Kernel", .csv = "\"Kernel\"", .width = -KERNEL, .quoted = true,
	  .text = put_kernel_cell, .fields = put_kernel_field },
	{ .heading = "Line", .csv = "\"Line\"", .width = -PLACE, .quoted = true,
	  .text = put_place_cell, .fields = put_place_field },
	{ .heading = "Source", .csv = "\"Source\"", .quoted = true, .name = put_source },
};
/* clang-format on */

enum { COLUMNS = sizeof(line_columns) / sizeof(line_columns[0]) };

static const struct source_line_sum *sum_at(const struct source_lines *lines, uint32_t index)
{
	return keyed_at(&lines->sums, index);
}

/* Most accesses first. */
static int compare(const void *left, const void *right, void *lines)
{
	uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
	const struct source_line_sum *first = sum_at(lines, one), *second = sum_at(lines, other);
	uint64_t accesses = first->loads + first->stores;

	if (accesses != second->loads + second->stores)
		return accesses > second->loads + second->stores ? -1 : 1;
	return one < other ? -1 : one > other;
}

static void put_rows(const struct printer_page *page, struct advice *advice, const uint32_t *list,
		     size_t count)
{
	struct printer printer = {.page = page, .columns = line_columns, .count = COLUMNS};
	struct row row = {.advice = advice};

	for (size_t i = 0; page->csv && i < count; i++) {
		set_row(&row, sum_at(&advice->lines, list[i]));
		printer_measure(&printer, &row);
	}
	printer_begin(&printer);
	for (size_t i = 0; i < count; i++) {
		set_row(&row, sum_at(&advice->lines, list[i]));
		printer_row(&printer, &row);
	}
	printer_end(&printer);
}

/* A kernel and the reason. */
static void put_not_counted(const struct printer_page *page, struct advice *advice)
{
	for (uint32_t i = 0; i < advice->lines.sums.count; i++) {
		const struct source_line_sum *sum = sum_at(&advice->lines, i);
		size_t left, length;
		const char *at = names_text(advice->catalog->names, sum->text, &left), *kernel;

		if (!sum->is_kernel || sum->is_counted)
			continue;
		kernel = take_name(&at, &left, &length);
		strbuf_printf(page->text, "%sNot counted: ", prefix);
		escape_put(page->text, kernel, length, ESCAPE_SHOWN);
		strbuf_string(page->text, ": ");
		escape_put(page->text, at, left, ESCAPE_SHOWN);
		strbuf_string(page->text, ".\n");
	}
}

int source_lines_put(const struct printer_page *page, struct advice *advice)
{
	struct source_lines *lines = &advice->lines;
	size_t count = 0, shown;
	uint32_t *list;

	if (!source_lines_are_there(lines))
		return 0;
	list = calloc(lines->sums.count, sizeof(*list));
	if (!list)
		return -1;
	for (uint32_t i = 0; i < lines->sums.count; i++)
		if (!sum_at(lines, i)->is_kernel)
			list[count++] = i;
	strbuf_printf(page->text, "%sValues by source line: %llu launches of kernels counted%c\n",
		      prefix, (unsigned long long)lines->launches, count ? ':' : '.');
	qsort_r(list, count, sizeof(*list), compare, lines);
	shown = !page->csv && count > SHOWN ? SHOWN : count;
	if (count)
		put_rows(page, advice, list, shown);
	if (count > shown)
		strbuf_printf(page->text, "%s%llu more: --csv and --json have all.\n", prefix,
			      (unsigned long long)(count - shown));
	put_not_counted(page, advice);
	free(list);
	return 0;
}

static void add_text(struct strbuf *to, const char *name, const char *text, size_t length)
{
	strbuf_printf(to, ", \"%s\": ", name);
	json_name(to, text, length);
}

static void put_line_json(struct strbuf *to, const struct row *row)
{
	const struct parts *parts = &row->parts;

	strbuf_string(to, "{\"kernel\": ");
	json_name(to, parts->kernel, parts->kernel_length);
	add_text(to, "file", parts->file, parts->file_length);
	json_add_number(to, "line", parts->line);
	add_text(to, "function", parts->function, parts->function_length);
	add_text(to, "source", parts->source, parts->source_length);
	json_add_number(to, "loads", row->sum->loads);
	json_add_number(to, "stores", row->sum->stores);
	json_add_number(to, "zeros", row->sum->zeros);
	json_add_number(to, "silent", row->sum->silent);
	json_add_number(to, "same", row->sum->same);
	strbuf_char(to, '}');
}

/* A kernel and the launches that were counted, or the reason. */
static void put_kernel_json(struct strbuf *to, const struct row *row)
{
	size_t left, length;
	const char *at = names_text(row->advice->catalog->names, row->sum->text, &left);
	const char *kernel = take_name(&at, &left, &length);

	strbuf_string(to, "{\"kernel\": ");
	json_name(to, kernel, length);
	if (row->sum->is_counted)
		json_add_number(to, "launches", row->sum->loads);
	else
		add_text(to, "reason", at, left);
	strbuf_char(to, '}');
}

static void put_list(struct strbuf *to, struct advice *advice, bool kernels, bool counted)
{
	struct row row = {.advice = advice};
	const char *between = "\n   ";

	for (uint32_t i = 0; i < advice->lines.sums.count; i++) {
		const struct source_line_sum *sum = sum_at(&advice->lines, i);

		if (sum->is_kernel != kernels || (kernels && sum->is_counted != counted))
			continue;
		set_row(&row, sum);
		strbuf_string(to, between);
		if (kernels)
			put_kernel_json(to, &row);
		else
			put_line_json(to, &row);
		between = ",\n   ";
	}
}

void source_lines_put_json(struct strbuf *to, struct advice *advice)
{
	if (!source_lines_are_there(&advice->lines)) {
		strbuf_string(to, ",\n \"lines\": null");
		return;
	}
	strbuf_string(to, ",\n \"lines\": {\"kernels\": [");
	put_list(to, advice, true, true);
	strbuf_string(to, "\n  ],\n  \"not_counted\": [");
	put_list(to, advice, true, false);
	strbuf_string(to, "\n  ],\n  \"lines\": [");
	put_list(to, advice, false, false);
	strbuf_string(to, "\n  ]}");
}

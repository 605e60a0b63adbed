/* SPDX-License-Identifier: MIT */
#include "cli/tail/tail_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/lines.h"
#include "cli/print/print.h"
#include "output/escape.h"
#include "output/logheader.h"
#include "output/unescape.h"
#include "view/format/label.h"

#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

enum { GAP = 2, METHOD_LEAST = 24 /* characters of a shortened method */ };

struct tail_column {
	char *key;
	struct strbuf heading; /* the key, escaped */
	size_t width;
};

struct tail_cell {
	size_t column;
	size_t start, length; /* in `texts` */
};

/* A row has cells, an aside one cell that is not in a column. */
struct tail_line {
	size_t cells;
	bool is_row;
};

void tail_table_free(struct tail_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		free(table->columns[i].key);
		strbuf_free(&table->columns[i].heading);
	}
	free(table->columns);
	strbuf_free(&table->cells);
	strbuf_free(&table->texts);
	strbuf_free(&table->lines);
	strbuf_free(&table->plain);
	*table = (struct tail_table){0};
}

static int make_room(struct tail_table *table)
{
	size_t room = table->room ? 2 * table->room : 16;
	struct tail_column *more;

	if (table->count < table->room)
		return 0;
	more = memory_array(table->columns, room, sizeof(*more));
	if (!more)
		return -1;
	table->columns = more;
	table->room = room;
	return 0;
}

/* Returns the index of the new column, or `count` without memory. */
static size_t add_column(struct tail_table *table, struct log_text key)
{
	struct tail_column column = {.key = strndup(key.text, key.length)};

	escape_put(&column.heading, key.text, key.length, ESCAPE_SHOWN);
	if (!column.key || column.heading.failed || make_room(table)) {
		free(column.key);
		strbuf_free(&column.heading);
		table->failed = true;
		return table->count;
	}
	column.width = label_columns(column.heading.data, column.heading.length);
	if (text_is(key, "method"))
		table->method = table->count;
	else if (table->method == table->count)
		table->method++;
	table->columns[table->count++] = column;
	table->heading_due = true;
	return table->count - 1;
}

/* Logs of different versions differ in the letter case of gridSize. */
static bool is_key(const struct tail_column *column, struct log_text key)
{
	return strlen(column->key) == key.length && !strncasecmp(column->key, key.text, key.length);
}

/* Most rows have the columns in their order, so the search begins at the expected one. */
static size_t find_column(const struct tail_table *table, struct log_text key, size_t expected)
{
	for (size_t i = 0; i < table->count; i++) {
		size_t index = (expected + i) % table->count;

		if (is_key(&table->columns[index], key))
			return index;
	}
	return table->count;
}

/* The keys of KVP stand for one column of the column line or for several. */
static void add_keys(struct tail_table *table, const struct logreader *reader)
{
	struct strbuf slots = STRBUF_INIT;
	struct print_style style = {.reader = reader};
	struct log_text key;

	style.own = reader->header.context ? DIALECT_CUDA4 : DIALECT_CLASSIC;
	style.dialect = style.own;
	print_slots(&slots, &style);
	for (size_t i = 0; (key = print_slot_key(&slots, i)).length; i++)
		add_column(table, key);
	table->failed |= slots.failed;
	strbuf_free(&slots);
}

void tail_table_begin(struct tail_table *table, const struct logreader *reader)
{
	size_t count;
	const struct log_text *names = logreader_columns(reader, &count);

	tail_table_free(table);
	if (!reader->header.csv) {
		add_keys(table, reader);
		return;
	}
	for (size_t i = 0; i < count; i++)
		add_column(table, names[i]);
}

static void add_cell(struct tail_table *table, size_t column, size_t start)
{
	struct tail_cell cell = {column, start, table->texts.length - start};
	size_t width;

	strbuf_append(&table->cells, &cell, sizeof(cell));
	if (column >= table->count)
		return;
	width = label_columns(table->texts.data + start, cell.length);
	if (width > table->columns[column].width)
		table->columns[column].width = width;
}

static void end_line(struct tail_table *table, size_t cells, bool is_row)
{
	struct tail_line line = {cells, is_row};

	strbuf_append(&table->lines, &line, sizeof(line));
	table->failed |= table->lines.failed || table->cells.failed || table->texts.failed;
	table->lines.failed = table->cells.failed = table->texts.failed = false;
}

void tail_table_row(struct tail_table *table, const struct logreader *reader,
		    const struct strbuf *method)
{
	struct strbuf *plain = &table->plain;
	size_t count, column = 0, cells = 0;
	const struct log_field *field = logreader_fields(reader, &count);

	for (; count; count--, field++) {
		size_t start = table->texts.length;

		column = find_column(table, field->key, column);
		if (column == LOGREADER_FIELDS)
			break; /* more are damage */
		if (column == table->count)
			column = add_column(table, field->key);
		plain->length = 0;
		unescape_name(field->value, plain);
		if (column == table->method)
			escape_put(&table->texts, method->data, method->length, ESCAPE_SHOWN);
		else
			escape_put(&table->texts, plain->data, plain->length, ESCAPE_SHOWN);
		add_cell(table, column++, start);
		cells++;
	}
	table->failed |= plain->failed;
	end_line(table, cells, true);
}

void tail_table_aside(struct tail_table *table, const char *line, size_t length)
{
	size_t start = table->texts.length;

	lines_put_in(&table->texts, line, length);
	add_cell(table, SIZE_MAX, start);
	end_line(table, 1, false);
}

/* Returns the characters that are left in a line for the method; 0: any number. */
static size_t method_room(const struct tail_table *table, const struct tail_form *form)
{
	size_t used = 0;

	if (!form->width)
		return 0;
	for (size_t i = 0; i < table->count; i++)
		if (i != table->method)
			used += table->columns[i].width + GAP;
	return form->width > used + METHOD_LEAST ? form->width - used : METHOD_LEAST;
}

static void put_gap(struct strbuf *to, bool first)
{
	if (!first)
		strbuf_string(to, "  ");
}

static void put_method(struct strbuf *to, const char *text, size_t length, size_t room, bool bold)
{
	size_t start;

	strbuf_string(to, bold ? BOLD : "");
	start = to->length;
	strbuf_append(to, text, length);
	label_shorten(to, start, room);
	strbuf_string(to, bold ? PLAIN : "");
}

static void put_heading(struct tail_table *table, struct strbuf *to, const struct tail_form *form)
{
	bool first = true;

	strbuf_string(to, form->styles ? BOLD : "");
	for (size_t i = 0; i < table->count; i++) {
		const struct tail_column *column = &table->columns[i];
		size_t start;

		if (i == table->method)
			continue;
		put_gap(to, first);
		first = false;
		start = to->length;
		strbuf_append(to, column->heading.data, column->heading.length);
		label_right(to, start, column->width);
	}
	if (table->method < table->count) {
		put_gap(to, first);
		strbuf_string(to, "method");
	}
	strbuf_string(to, form->styles ? PLAIN : "");
	strbuf_char(to, '\n');
	table->heading_due = false;
}

/* Returns the first of the row's cells in this column, or NULL. */
static const struct tail_cell *find_cell(const struct tail_cell *cells, size_t count, size_t column,
					 size_t *expected)
{
	for (size_t i = 0; i < count; i++) {
		size_t index = (*expected + i) % count;

		if (cells[index].column == column) {
			*expected = index + 1;
			return &cells[index];
		}
	}
	return NULL;
}

static void put_row(const struct tail_table *table, struct strbuf *to, const struct tail_form *form,
		    const struct tail_cell *cells, size_t count)
{
	size_t expected = 0, room = method_room(table, form);
	const struct tail_cell *cell;
	bool first = true;

	for (size_t i = 0; i < table->count; i++) {
		size_t start;

		if (i == table->method)
			continue;
		put_gap(to, first);
		first = false;
		start = to->length;
		cell = find_cell(cells, count, i, &expected);
		if (cell && cell->length)
			strbuf_append(to, table->texts.data + cell->start, cell->length);
		else
			strbuf_char(to, '-');
		label_right(to, start, table->columns[i].width);
	}
	cell = find_cell(cells, count, table->method, &expected);
	if (cell) {
		put_gap(to, first);
		put_method(to, table->texts.data + cell->start, cell->length, room, form->styles);
	}
	strbuf_char(to, '\n');
}

static void put_aside(const struct tail_table *table, struct strbuf *to,
		      const struct tail_form *form, const struct tail_cell *cell)
{
	strbuf_string(to, form->styles ? DIM : "");
	strbuf_append(to, table->texts.data + cell->start, cell->length);
	strbuf_string(to, form->styles ? PLAIN : "");
	strbuf_char(to, '\n');
}

void tail_table_put(struct tail_table *table, struct strbuf *to, const struct tail_form *form)
{
	const struct tail_line *line = (const void *)table->lines.data;
	const struct tail_cell *cells = (const void *)table->cells.data;
	size_t count = table->failed ? 0 : table->lines.length / sizeof(*line);

	for (; count; count--, cells += line->cells, line++) {
		if (line->is_row && table->heading_due)
			put_heading(table, to, form);
		if (line->is_row)
			put_row(table, to, form, cells, line->cells);
		else
			put_aside(table, to, form, cells);
	}
	table->lines.length = table->cells.length = table->texts.length = 0;
}

/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/lines.h"
#include "view/format/label.h"
#include "view/format/printer.h"

enum { CELLS = 8, GAP = 2, NARROWEST = 20 };

struct table {
	struct printer_column columns[CELLS]; /* the last one is wrapped */
	unsigned count;
	unsigned limit;
};

struct cell {
	const char *text;
	size_t length;
};

/* A line; the last of CELLS cells may contain tabs. */
struct line {
	const struct table *table;
	struct cell cells[CELLS];
	unsigned count;
};

static struct line split(const struct table *table, const char *text, size_t length)
{
	struct line line = {.table = table};
	const char *end = text + length, *tab = text;

	while (tab) {
		tab = line.count + 1 < CELLS ? memchr(text, '\t', (size_t)(end - text)) : NULL;
		line.cells[line.count++] =
			(struct cell){text, (size_t)((tab ? tab : end) - text)};
		text = tab ? tab + 1 : end;
	}
	return line;
}

/* A negative width is left-aligned. */
static void measure(struct table *table, const struct line *line)
{
	for (unsigned i = 0; i < line->count; i++) {
		int width = (int)label_columns(line->cells[i].text, line->cells[i].length);

		if (-width < table->columns[i].width)
			table->columns[i].width = -width;
	}
	if (line->count > table->count)
		table->count = line->count;
}

static unsigned number_of(const struct printer_column *column, const struct line *line)
{
	return (unsigned)(column - line->table->columns);
}

static bool has_cell(const struct printer_column *column, const void *line)
{
	return number_of(column, line) < ((const struct line *)line)->count;
}

static void put_cell(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct line *line = at;
	const struct cell *cell = &line->cells[number_of(column, line)];

	strbuf_append(to, cell->text, cell->length);
}

/* Returns the length of the longest prefix of whole words, at least one, that fits into `room`. */
static size_t fitting(const char *text, size_t length, unsigned room)
{
	size_t fit = 0, at = 0;

	if (!room || label_columns(text, length) <= room)
		return length;
	while (at < length) {
		const char *blank = memchr(text + at, ' ', length - at);
		size_t end = blank ? (size_t)(blank - text) : length;

		if (fit && label_columns(text, end) > room)
			break;
		fit = end;
		at = end + 1;
	}
	return fit;
}

static unsigned indent_of(const struct table *table)
{
	unsigned indent = 0;

	for (unsigned i = 0; i + 1 < table->count; i++)
		indent += (unsigned)-table->columns[i].width + GAP;
	return indent;
}

static void put_last(struct strbuf *to, const void *at, size_t all_room)
{
	const struct line *line = at;
	struct cell cell = line->cells[line->table->count - 1];
	unsigned limit = line->table->limit, indent = indent_of(line->table), room = 0;
	size_t fit;

	(void)all_room;
	if (limit)
		room = limit > indent + NARROWEST ? limit - indent : NARROWEST;
	while ((fit = fitting(cell.text, cell.length, room)) < cell.length) {
		strbuf_append(to, cell.text, fit);
		strbuf_printf(to, "\n%*s", (int)indent, "");
		cell.text += fit + 1;
		cell.length -= fit + 1;
	}
	strbuf_append(to, cell.text, cell.length);
}

static void set_columns(struct table *table, const char *rows)
{
	const char *line;
	size_t length;

	while ((line = lines_next(&rows, &length))) {
		struct line cells = split(table, line, length);

		measure(table, &cells);
	}
	for (unsigned i = 0; i < table->count; i++) {
		struct printer_column *column = &table->columns[i];

		column->heading = ""; /* the first line is the heading */
		column->has = has_cell;
		if (i + 1 < table->count)
			column->text = put_cell;
		else
			column->name = put_last;
	}
}

void table_format(struct strbuf *to, const char *rows, unsigned width, bool bold_heading)
{
	struct table table = {.limit = width};
	const struct printer_page page = {.text = to};
	struct printer printer = {.page = &page, .columns = table.columns};
	const char *at = rows, *line;
	size_t length;

	set_columns(&table, rows);
	printer.count = (int)table.count;
	while ((line = lines_next(&at, &length))) {
		struct line cells = split(&table, line, length);
		bool bold = bold_heading && line == rows;

		strbuf_string(to, bold ? "\033[1m" : "");
		printer_row(&printer, &cells);
		strbuf_string(to, bold ? "\033[0m" : "");
	}
}

unsigned table_width(int file)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (columns && atoi(columns) > 0)
		return atoi(columns);
	if (!ioctl(file, TIOCGWINSZ, &size))
		return size.ws_col;
	return 0;
}

bool table_has_styles(int file)
{
	const char *plain = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(file) && !(plain && *plain) && terminal && strcmp(terminal, "dumb");
}

void table_print(struct strbuf *rows)
{
	bool bold = table_has_styles(STDOUT_FILENO);
	struct strbuf text = STRBUF_INIT;

	table_format(&text, strbuf_text(rows), table_width(STDOUT_FILENO), bold);
	fwrite(text.data ? text.data : "", 1, text.length, stdout);
	strbuf_free(&text);
}

void table_cell(struct strbuf *rows, const char *text)
{
	for (; *text; text++)
		strbuf_char(rows, (unsigned char)*text < ' ' || *text == 127 ? ' ' : *text);
}

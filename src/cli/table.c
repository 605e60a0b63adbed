/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/lines.h"

enum { CELLS = 8, GAP = 2, NARROWEST = 20 };

struct table {
	unsigned widths[CELLS];
	unsigned count;
	unsigned limit;
};

/* Counts characters, not bytes: names may be UTF-8. */
static unsigned width_of(const char *text, size_t length)
{
	unsigned width = 0;

	for (size_t i = 0; i < length; i++)
		width += (text[i] & 0xc0) != 0x80;
	return width;
}

static void measure_row(struct table *table, const char *line, size_t length)
{
	const char *end = line + length;

	for (unsigned i = 0; i < CELLS && line <= end; i++) {
		const char *tab = memchr(line, '\t', end - line);
		const char *stop = tab ? tab : end;
		unsigned width = width_of(line, stop - line);

		if (width > table->widths[i])
			table->widths[i] = width;
		if (i >= table->count)
			table->count = i + 1;
		line = stop + 1;
	}
}

static void blanks(struct strbuf *to, unsigned count)
{
	while (count--)
		strbuf_char(to, ' ');
}

/* Returns the length of the longest prefix of whole words, at least one, that fits into `room`. */
static size_t fitting(const char *text, size_t length, unsigned room)
{
	size_t fit = 0, at = 0;

	if (!room || width_of(text, length) <= room)
		return length;
	while (at < length) {
		const char *blank = memchr(text + at, ' ', length - at);
		size_t end = blank ? (size_t)(blank - text) : length;

		if (fit && width_of(text, end) > room)
			break;
		fit = end;
		at = end + 1;
	}
	return fit;
}

static void last_cell(struct strbuf *to, const struct table *table, const char *text, size_t length,
		      unsigned indent)
{
	unsigned room = 0;

	if (table->limit)
		room = table->limit > indent + NARROWEST ? table->limit - indent : NARROWEST;
	for (;;) {
		size_t fit = fitting(text, length, room);

		strbuf_append(to, text, fit);
		strbuf_char(to, '\n');
		if (fit >= length)
			return;
		text += fit + 1;
		length -= fit + 1;
		blanks(to, indent);
	}
}

static void format_row(struct strbuf *to, const struct table *table, const char *line,
		       size_t length)
{
	const char *end = line + length;
	unsigned indent = 0;

	for (unsigned i = 0; i + 1 < table->count; i++) {
		const char *tab = memchr(line, '\t', end - line);
		const char *stop = tab ? tab : end;

		strbuf_append(to, line, stop - line);
		if (!tab) {
			strbuf_char(to, '\n');
			return;
		}
		blanks(to, table->widths[i] + GAP - width_of(line, stop - line));
		indent += table->widths[i] + GAP;
		line = stop + 1;
	}
	last_cell(to, table, line, end - line, indent);
}

void table_format(struct strbuf *to, const char *rows, unsigned width, bool bold_heading)
{
	struct table table = {.limit = width};
	const char *at = rows, *line;
	size_t length;

	while ((line = lines_next(&at, &length)))
		measure_row(&table, line, length);
	at = rows;
	while ((line = lines_next(&at, &length))) {
		bool bold = bold_heading && line == rows;

		strbuf_string(to, bold ? "\033[1m" : "");
		format_row(to, &table, line, length);
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

void table_print(struct strbuf *rows)
{
	const char *plain = getenv("NO_COLOR"), *terminal = getenv("TERM");
	bool bold =
		isatty(STDOUT_FILENO) && !(plain && *plain) && terminal && strcmp(terminal, "dumb");
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

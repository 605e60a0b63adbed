/* SPDX-License-Identifier: MIT */
#include "view/compare/compare_markdown.h"

#include <string.h>

#include "view/compare/compare_notes.h"
#include "view/compare/compare_table.h"
#include "view/format/quantity.h"

/* Escapes the text from `start` on: it is from outside, and shown as it is. */
static void escape_tail(struct strbuf *to, size_t start)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_append(&text, to->data + start, to->length - start);
	to->length = start;
	for (size_t i = 0; i < text.length; i++) {
		if (text.data[i] == '<')
			strbuf_string(to, "&lt;");
		else if (text.data[i] == '&')
			strbuf_string(to, "&amp;");
		else if (text.data[i] == '@') /* it would notify a user of that name */
			strbuf_string(to, "&#64;");
		else if (strchr("\\`*_[]|#!~>$:", text.data[i]))
			strbuf_printf(to, "\\%c", text.data[i]);
		else
			strbuf_char(to, text.data[i]);
	}
	to->failed |= text.failed;
	strbuf_free(&text);
}

static void put_time(struct strbuf *to, const struct compare_row *row, enum runs_side side)
{
	double value = row->sides[side].times[row->shown];

	strbuf_string(to, " | ");
	if (row->sides[side].runs && value > 0)
		quantity_put(to, &quantity_time, QUANTITY_AUTO, value);
}

static void put_row(struct strbuf *to, struct comparison *comparison, const struct compare_row *row)
{
	bool marked = row->verdict == VERDICT_SLOWER || row->verdict == VERDICT_FASTER;
	size_t start;

	strbuf_printf(to, "| %s%s%s | ", marked ? "**" : "", compare_word(row->verdict),
		      marked ? "**" : "");
	compare_put_change(to, row);
	strbuf_string(to, " | ");
	compare_put_interval(to, row);
	strbuf_string(to, " | ");
	compare_put_probability(to, row);
	put_time(to, row, RUNS_A);
	put_time(to, row, RUNS_B);
	strbuf_printf(to, " | %.1f | %.1f | ", 100 * row->sides[RUNS_A].share,
		      100 * row->sides[RUNS_B].share);
	start = to->length;
	compare_put_name(to, comparison, row, 0);
	escape_tail(to, start);
	strbuf_string(to, " |\n");
}

static void put_list(struct strbuf *to, const struct strbuf *lines)
{
	size_t at = 0, length, start;
	const char *line;

	while (runs_next_line(lines, &at, &line, &length)) {
		strbuf_string(to, "- ");
		start = to->length;
		strbuf_append(to, line, length);
		escape_tail(to, start);
		strbuf_char(to, '\n');
	}
}

void compare_put_markdown(struct strbuf *to, struct comparison *comparison)
{
	strbuf_string(to, "**");
	compare_put_verdict(to, comparison);
	strbuf_string(to, "**\n\n"
			  "| Verdict | Change | 95% interval | p | A | B | Time(%) A | Time(%) B "
			  "| Name |\n"
			  "| :-- | --: | --: | --: | --: | --: | --: | --: | :-- |\n");
	for (size_t i = 0; i < comparison->count; i++)
		put_row(to, comparison, &comparison->rows[i]);
	strbuf_char(to, '\n');
	for (int side = 0; side < RUNS_SIDES; side++) {
		size_t start;

		strbuf_printf(to, "- %c: ", 'A' + side);
		start = to->length;
		compare_put_side(to, comparison, (enum runs_side)side);
		escape_tail(to, start);
		strbuf_char(to, '\n');
	}
	put_list(to, &comparison->notes);
}

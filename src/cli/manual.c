/* SPDX-License-Identifier: MIT */
#include "cli/manual.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/counters/countertext.h"
#include "cli/list/list.h"
#include "cli/print/export.h"
#include "model/column.h"
#include "settings/definition.h"
#include "settings/environ.h"
#include "settings/options.h"

enum { PAGE_WIDTH = 78 }; /* one column is kept for the full stop */

void manual_text(struct strbuf *to, const char *text)
{
	if (*text == '.')
		strbuf_string(to, "\\&");
	for (; *text; text++) {
		if (*text == '\\')
			strbuf_string(to, "\\e");
		else if (*text == '-')
			strbuf_string(to, "\\-");
		else if (*text == '\'')
			strbuf_string(to, "\\(aq");
		else
			strbuf_char(to, *text);
	}
}

/* Breaks lines at the last blank that fits PAGE_WIDTH. */
static void wrap(struct strbuf *to, const char *text)
{
	size_t line = to->length;

	while (*text) {
		size_t length = strcspn(text, " \n"), blank = to->length;
		char *word = strndup(text, length);

		if (to->length > line)
			strbuf_char(to, ' ');
		manual_text(to, word ? word : "");
		free(word);
		if (to->length - line > PAGE_WIDTH && blank > line) {
			to->data[blank] = '\n';
			line = blank + 1;
		}
		text += length + (text[length] != '\0');
	}
}

/* Adds a paragraph whose tag is `name` in bold and `argument` in italics. */
static void entry(struct strbuf *to, const char *name, const char *argument, const char *help)
{
	strbuf_string(to, ".TP\n\\fB");
	manual_text(to, name);
	strbuf_string(to, "\\fR");
	if (argument) {
		strbuf_string(to, " \\fI");
		manual_text(to, argument);
		strbuf_string(to, "\\fR");
	}
	strbuf_char(to, '\n');
	wrap(to, help);
	strbuf_string(to, ".\n");
}

/* Starts the section `name`. The template of the page includes the section by a line @NAME@. */
static void mark(struct strbuf *to, const char *name)
{
	strbuf_printf(to, ".\\\" @%s@\n", name);
}

/* The same for a list of one command: a line @NAME COMMAND@. */
static void mark_of(struct strbuf *to, const char *name, enum command_id command)
{
	strbuf_printf(to, ".\\\" @%s %s@\n", name, commands[command].name);
}

static void add_synopsis(struct strbuf *to, enum command_id command)
{
	strbuf_printf(to, ".B computeprof%s%s\n", commands[command].name ? " " : "",
		      commands[command].name ? commands[command].name : "");
	manual_text(to, commands[command].arguments);
	strbuf_char(to, '\n');
}

static void add_flag(struct strbuf *to, const struct flag_row *row)
{
	struct strbuf word = STRBUF_INIT;

	if (row->letter)
		strbuf_printf(&word, "-%c, ", row->letter);
	strbuf_printf(&word, "--%s", row->name);
	if (row->alias)
		strbuf_printf(&word, ", --%s", row->alias);
	if (row->otherwise)
		strbuf_printf(&word, "[=%s]", row->argument);
	entry(to, strbuf_text(&word), row->otherwise ? NULL : row->argument, row->help);
	strbuf_free(&word);
}

static void add_flags(struct strbuf *to, enum command_id command)
{
	for (int i = 0; i < FLAG_COUNT; i++)
		if (flag_belongs(i, command))
			add_flag(to, &flag_rows[i]);
}

/* A line for each command, which names its page. */
static void add_commands(struct strbuf *to)
{
	for (int i = COMMAND_RUN + 1; i < COMMAND_COUNT; i++) {
		struct strbuf sentence = STRBUF_INIT;

		command_sentence(&sentence, i);
		strbuf_printf(to, ".TP\n.BR computeprof\\-%s (1)\n", commands[i].name);
		wrap(to, strbuf_text(&sentence));
		strbuf_string(to, ".\n");
		strbuf_free(&sentence);
	}
}

/* Names the column as the column line of the log has it, where that differs from the word. */
static void add_header(struct strbuf *to, const struct column *column)
{
	const char *blocks = column->header[TERMS_BLOCKS];
	const char *groups = column->header[TERMS_WORK_GROUPS];

	if (column->count == 1)
		return;
	strbuf_printf(to, "The column line has %s\nor, for OpenCL, %s.\n", blocks, groups);
}

static void add_columns(struct strbuf *to)
{
	for (int i = 0; i < COLUMN_COUNT; i++) {
		const struct column *column = &columns[i];
		struct strbuf other = STRBUF_INIT, help = STRBUF_INIT;

		column_put_help(column, &help);
		if (!column->option)
			strbuf_string(&other, "(always there)");
		else if (column->alias)
			strbuf_printf(&other, "or %s", column->alias);
		entry(to, column->option ? column->option : column->header[TERMS_BLOCKS],
		      other.length ? strbuf_text(&other) : NULL, strbuf_text(&help));
		add_header(to, column);
		strbuf_free(&help);
		strbuf_free(&other);
	}
}

/* Only the counters of 2010; `computeprof list counters` prints all of them. */
static void add_counters(struct strbuf *to)
{
	for (int id = 0; id < COUNTER_2010_COUNT; id++)
		entry(to, counter_get(id).name, NULL, counter_texts[id].help);
}

static void add_settings(struct strbuf *to)
{
	const char *section = "";

	for (const struct option_row *row = option_rows; *row->name; row++) {
		if (strcmp(row->section, section) != 0)
			strbuf_printf(to, ".SS [%s]\n", row->section);
		section = row->section;
		entry(to, row->name, list_value(row), row->help);
	}
	strbuf_string(to, ".SS [counter NAME]\n"
			  "Defines a counter. NAME can then be used as a word.\n");
	for (int i = 0; i < DEFINITION_FIELDS; i++)
		entry(to, definition_rows[i].name, definition_rows[i].value,
		      definition_rows[i].help);
}

static void add_variables(struct strbuf *to)
{
	for (int i = 0; i < ENVIRON_COUNT; i++) {
		const struct environ_row *row = &environ_rows[i];
		struct strbuf name = STRBUF_INIT, fallback = STRBUF_INIT;

		for (unsigned int f = 0; f < (row->family ? ENVIRON_FAMILIES : 1); f++)
			strbuf_printf(&name, "%s%s%s", f ? ", " : "", environ_prefix(row, f),
				      row->suffix);
		strbuf_printf(&fallback, "(default: %s)", row->fallback);
		entry(to, strbuf_text(&name), strbuf_text(&fallback), row->help);
		strbuf_free(&name);
		strbuf_free(&fallback);
	}
}

static void add_file(struct strbuf *to, const char *extension, const char *help)
{
	entry(to, extension, NULL, help);
}

static void add_exit_codes(struct strbuf *to, enum command_id command)
{
	for (const struct exit_row *row = exit_rows; row->code; row++)
		if (row->commands >> command & 1)
			entry(to, row->code, NULL, row->help);
}

/* The lists of the page of each command. */
static void add_pages(struct strbuf *to)
{
	for (int i = COMMAND_RUN + 1; i < COMMAND_COUNT; i++) {
		mark_of(to, "SYNOPSIS", i);
		add_synopsis(to, i);
		mark_of(to, "OPTIONS", i);
		add_flags(to, i);
		mark_of(to, "EXIT", i);
		add_exit_codes(to, i);
	}
}

void manual_print(void)
{
	struct strbuf text = STRBUF_INIT;

	mark(&text, "SYNOPSIS");
	add_synopsis(&text, COMMAND_RUN);
	mark(&text, "OPTIONS");
	add_flags(&text, COMMAND_RUN);
	mark(&text, "COMMANDS");
	add_commands(&text);
	mark(&text, "FILES");
	export_files(&text, add_file);
	mark(&text, "COLUMNS");
	add_columns(&text);
	mark(&text, "COUNTERS");
	add_counters(&text);
	mark(&text, "SETTINGS");
	add_settings(&text);
	mark(&text, "VARIABLES");
	add_variables(&text);
	mark(&text, "EXIT");
	add_exit_codes(&text, COMMAND_RUN);
	add_pages(&text);
	fwrite(text.data ? text.data : "", 1, text.length, stdout);
	strbuf_free(&text);
}

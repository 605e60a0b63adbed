/* SPDX-License-Identifier: MIT */
#include "cli/manual.h"

#include <stdio.h>

#include "cli/command.h"
#include "model/column.h"
#include "settings/environ.h"
#include "settings/options.h"

void manual_text(struct strbuf *to, const char *text)
{
	if (*text == '.' || *text == '\'')
		strbuf_string(to, "\\&");
	for (; *text; text++) {
		if (*text == '\\')
			strbuf_string(to, "\\e");
		else if (*text == '-')
			strbuf_string(to, "\\-");
		else
			strbuf_char(to, *text);
	}
}

/* A paragraph whose tag is `name` in bold and `argument` in italics. */
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
	manual_text(to, help);
	strbuf_string(to, ".\n");
}

static void add_command(struct strbuf *to, enum command_id command)
{
	const char *name = commands[command].name;
	struct strbuf word = STRBUF_INIT;

	strbuf_printf(&word, "computeprof%s%s", name ? " " : "", name ? name : "");
	strbuf_string(to, ".SS ");
	manual_text(to, strbuf_text(&word));
	strbuf_char(to, ' ');
	manual_text(to, commands[command].arguments);
	strbuf_char(to, '\n');
	manual_text(to, commands[command].help);
	strbuf_char(to, '\n');
	for (int i = 0; i < FLAG_COUNT; i++) {
		const struct flag_row *row = &flag_rows[i];

		if (!flag_belongs(i, command))
			continue;
		word.length = 0;
		if (row->letter)
			strbuf_printf(&word, "-%c, ", row->letter);
		strbuf_printf(&word, "--%s", row->name);
		entry(to, strbuf_text(&word), row->argument, row->help);
	}
	strbuf_free(&word);
}

static void add_columns(struct strbuf *to)
{
	strbuf_string(to, ".SH CONFIGURATION WORDS\n");
	for (int i = 0; i < COLUMN_COUNT; i++) {
		struct strbuf alias = STRBUF_INIT;

		if (columns[i].alias)
			strbuf_printf(&alias, "(%s)", columns[i].alias);
		if (columns[i].option)
			entry(to, columns[i].option, alias.length ? strbuf_text(&alias) : NULL,
			      columns[i].help);
		strbuf_free(&alias);
	}
}

static void add_settings(struct strbuf *to)
{
	const char *section = NULL;

	for (const struct option_row *row = option_rows; row->name; row++) {
		if (row->section != section)
			strbuf_printf(to, ".SS [%s]\n", row->section);
		section = row->section;
		entry(to, row->name, NULL, row->help);
	}
}

static void add_variables(struct strbuf *to)
{
	strbuf_string(to, ".SH ENVIRONMENT\n");
	for (int i = 0; i < ENVIRON_COUNT; i++) {
		struct strbuf name = STRBUF_INIT, fallback = STRBUF_INIT;

		strbuf_printf(&name, "COMPUTE_PROFILE%s", environ_rows[i].suffix);
		strbuf_printf(&fallback, "(default: %s)", environ_rows[i].fallback);
		entry(to, strbuf_text(&name), strbuf_text(&fallback), environ_rows[i].help);
		strbuf_free(&name);
		strbuf_free(&fallback);
	}
}

void manual_print(void)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_string(&text, ".SH OPTIONS\n");
	for (int i = 0; i < COMMAND_COUNT; i++)
		add_command(&text, i);
	add_columns(&text);
	add_settings(&text);
	add_variables(&text);
	fwrite(text.data ? text.data : "", 1, text.length, stdout);
	strbuf_free(&text);
}

/* SPDX-License-Identifier: MIT */
/* Lists all settings, for the screen and the manual, from the tables that the parsers use. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/list/list.h"
#include "cli/manual.h"
#include "cli/table.h"
#include "model/column.h"
#include "settings/definition.h"
#include "settings/environ.h"
#include "settings/options.h"

const char *list_value(const struct option_row *row)
{
	switch (row->type) {
	case OPTION_SWITCH:
	case OPTION_TRISTATE:
		return "0|1";
	case OPTION_YES:
		return "yes|no";
	case OPTION_FORMAT:
		return FORMAT_CHOICE;
	case OPTION_DIALECT:
		return "classic|cuda4";
	case OPTION_TEXT:
		return "TEXT";
	case OPTION_REGEX:
		return "REGEX";
	case OPTION_REPLAY:
		return "none|kernel";
	case OPTION_METRICS_VERSION:
		return "1|2";
	case OPTION_METRICS_FORMAT:
		return "log|exporter";
	case OPTION_METRICS_NAMES:
		return "cuda|native";
	case OPTION_VALUES:
		return "MODE";
	case OPTION_ELEMENT:
		return "TYPE";
	case OPTION_LEVEL:
		return "0..5";
	case OPTION_COUNT:
	case OPTION_EACH:
	case OPTION_RATE:
	case OPTION_BYTES:
	case OPTION_PERIOD:
	default: /* these; -Wswitch-enum reports missing cases */
		return "NUMBER";
	}
}

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

static void add_columns(struct strbuf *rows)
{
	strbuf_string(rows, "WORD\tOR\tMEANING\n");
	for (int i = 0; i < COLUMN_COUNT; i++) {
		const struct column *column = &columns[i];

		if (column->option)
			strbuf_printf(rows, "%s\t%s\t", column->option, or_dash(column->alias));
		else
			strbuf_printf(rows, "(%s)\talways there\t", column->header[TERMS_BLOCKS]);
		column_put_help(column, rows);
		strbuf_char(rows, '\n');
	}
}

static void add_settings(struct strbuf *rows)
{
	strbuf_string(rows, "SECTION\tSETTING\tVALUE\tMEANING\n");
	for (const struct option_row *row = option_rows; *row->name; row++)
		strbuf_printf(rows, "%s\t%s\t%s\t%s\n", *row->section ? row->section : "-",
			      row->name, list_value(row), row->help);
	for (int i = 0; i < DEFINITION_FIELDS; i++)
		strbuf_printf(rows, "counter NAME\t%s\t%s\t%s\n", definition_rows[i].name,
			      definition_rows[i].value, definition_rows[i].help);
}

static void add_variables(struct strbuf *rows)
{
	strbuf_string(rows, "VARIABLE\tDEFAULT\tMEANING\n");
	for (int i = 0; i < ENVIRON_COUNT; i++)
		strbuf_printf(rows, "%s%s\t%s\t%s\n", environ_prefix(&environ_rows[i], 0),
			      environ_rows[i].suffix, environ_rows[i].fallback,
			      environ_rows[i].help);
}

static void print_table(const char *title, void (*add)(struct strbuf *rows))
{
	struct strbuf rows = STRBUF_INIT;

	printf("%s\n\n", title);
	add(&rows);
	table_print(&rows);
	strbuf_free(&rows);
}

void list_variables(void)
{
	struct strbuf title = STRBUF_INIT;

	strbuf_string(&title,
		      "Environment: COMPUTE_PROFILE, _LOG, _CSV and _CONFIG also exist as ");
	for (unsigned int i = 1; i < ENVIRON_FAMILIES; i++)
		strbuf_printf(&title, "%s%s...", i > 1 ? " and " : "", environ_family(i));
	print_table(strbuf_text(&title), add_variables);
	strbuf_free(&title);
}

void list_columns(void)
{
	print_table("Columns: words of a configuration file, one per line", add_columns);
}

void list_settings(void)
{
	print_table("Settings: the first are words with a value; the others stand below a "
		    "[section] line as name = value",
		    add_settings);
}

int list_options(const struct flags *flags)
{
	if (flags->value[FLAG_MAN]) {
		manual_print();
		return EXIT_DONE;
	}
	list_columns();
	printf("\n");
	list_settings();
	printf("\n");
	list_variables();
	return EXIT_DONE;
}

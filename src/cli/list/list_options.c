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

static const char *const values[] = {
	[OPTION_SWITCH] = "0|1",
	[OPTION_WISH] = "0|1",
	[OPTION_YES] = "yes|no",
	[OPTION_FORMAT] = "kvp|csv",
	[OPTION_DIALECT] = "classic|cuda4",
	[OPTION_TEXT] = "TEXT",
	[OPTION_REGEX] = "REGEX",
	[OPTION_COUNT] = "NUMBER",
	[OPTION_BYTES] = "NUMBER",
	[OPTION_REPLAY] = "none|kernel",
};

const char *list_value(const struct option_row *row)
{
	return values[row->type];
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
			strbuf_printf(rows, "%s\t%s\t%s\n", column->option, or_dash(column->alias),
				      column->help);
		else
			strbuf_printf(rows, "(%s)\talways there\t%s\n", column->header[API_CUDA],
				      column->help);
	}
}

static void add_settings(struct strbuf *rows)
{
	strbuf_string(rows, "SECTION\tSETTING\tVALUE\tMEANING\n");
	for (const struct option_row *row = option_rows; row->name; row++)
		strbuf_printf(rows, "%s\t%s\t%s\t%s\n", or_dash(row->section), row->name,
			      list_value(row), row->help);
	for (int i = 0; i < DEFINITION_FIELDS; i++)
		strbuf_printf(rows, "counter NAME\t%s\t%s\t%s\n", definition_rows[i].name,
			      definition_rows[i].value, definition_rows[i].help);
}

static void add_variables(struct strbuf *rows)
{
	strbuf_string(rows, "VARIABLE\tDEFAULT\tMEANING\n");
	for (int i = 0; i < ENVIRON_COUNT; i++)
		strbuf_printf(rows, "COMPUTE_PROFILE%s\t%s\t%s\n", environ_rows[i].suffix,
			      environ_rows[i].fallback, environ_rows[i].help);
}

static void print_table(const char *title, void (*add)(struct strbuf *rows))
{
	struct strbuf rows = STRBUF_INIT;

	printf("%s\n\n", title);
	add(&rows);
	table_print(&rows);
	strbuf_free(&rows);
}

int list_options(const struct flags *flags)
{
	if (flags->value[FLAG_MAN]) {
		manual_print();
		return EXIT_DONE;
	}
	print_table("Columns: words of a configuration file, one a line", add_columns);
	print_table("\nSettings: the first ones are words, too; the others follow a [section] line "
		    "as name = value",
		    add_settings);
	print_table("\nEnvironment: those of COMPUTE_PROFILE, _LOG, _CSV and _CONFIG exist as "
		    "CUDA_PROFILE... and OPENCL_PROFILE..., too",
		    add_variables);
	return EXIT_DONE;
}

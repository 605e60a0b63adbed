/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/print/export.h"
#include "model/api.h"
#include "output/trace.h"
#include "view/format/demangle.h"
#include "view/symbols/symbols.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef VERSION
#define VERSION "uninstalled"
#endif
#ifndef INIH_VERSION
#define INIH_VERSION "unknown"
#endif

enum { FLAG_WIDTH = 28, WIDTH = 80 };

static void usage_line(struct strbuf *to, const struct command *command, bool first)
{
	strbuf_printf(to, "%s computeprof %s%s%s\n", first ? "Usage:" : "      ",
		      command->name ? command->name : "", command->name ? " " : "",
		      command->arguments);
}

/* The commands in one line, because the help must fit on one screen: those from number `i` on that
 * have the same arguments. Returns the number of the next one. */
static int command_line(struct strbuf *to, int i)
{
	const char *arguments = commands[i].arguments;

	strbuf_printf(to, "       computeprof %s", commands[i].name);
	while (++i < COMMAND_COUNT && !strcmp(commands[i].arguments, arguments))
		strbuf_printf(to, "|%s", commands[i].name);
	strbuf_printf(to, " %s\n", arguments);
	return i;
}

void help_usage(struct strbuf *to, enum command_id command)
{
	usage_line(to, &commands[command], true);
	for (int i = COMMAND_RUN + 1; command == COMMAND_RUN && i < COMMAND_COUNT;)
		i = command_line(to, i);
}

static void put_argument(struct strbuf *to, const struct flag_row *row)
{
	if (row->argument)
		strbuf_printf(to, row->otherwise ? "[=%s]" : " %s", row->argument);
}

/* Breaks lines at blanks, below the column of the help. */
static void put_help(struct strbuf *to, const char *help)
{
	size_t room = WIDTH - FLAG_WIDTH;

	while (strlen(help) > room) {
		size_t length = room;

		while (length && help[length] != ' ')
			length--;
		if (!length)
			break;
		strbuf_append(to, help, length);
		strbuf_printf(to, "\n%*s", FLAG_WIDTH, "");
		help += length + 1;
	}
	strbuf_printf(to, "%s\n", help);
}

static void option_line(struct strbuf *to, const struct flag_row *row)
{
	struct strbuf left = STRBUF_INIT;

	if (row->letter)
		strbuf_printf(&left, "  -%c, --%s", row->letter, row->name);
	else
		strbuf_printf(&left, "      --%s", row->name);
	put_argument(&left, row);
	if (left.length >= FLAG_WIDTH)
		strbuf_printf(to, "%s\n%*s", strbuf_text(&left), FLAG_WIDTH, "");
	else
		strbuf_printf(to, "%-*s", FLAG_WIDTH, strbuf_text(&left));
	put_help(to, row->help);
	strbuf_free(&left);
}

static void add_word(struct strbuf *to, const char *word)
{
	const char *line = strrchr(strbuf_text(to), '\n');

	if (line && strlen(line) + strlen(word) > WIDTH)
		strbuf_char(to, '\n');
	strbuf_printf(to, " %s", word);
}

/* The help for running a program must fit on one screen, so some options are listed by name
 * only. */
static bool is_packed(enum flag_id option, enum command_id command)
{
	return command == COMMAND_RUN && flag_rows[option].packed;
}

/* Options of `report` are explained in its help; the manual page explains the others. */
static void packed_options(struct strbuf *to, bool of_report)
{
	strbuf_string(to, of_report ? "As report:" : "Also:");
	for (int i = 0; i < FLAG_COUNT; i++) {
		const struct flag_row *row = &flag_rows[i];
		struct strbuf word = STRBUF_INIT;

		if (!is_packed(i, COMMAND_RUN) || flag_belongs(i, COMMAND_REPORT) != of_report)
			continue;
		if (row->letter && !of_report)
			strbuf_printf(&word, "-%c ", row->letter);
		strbuf_printf(&word, "--%s", row->name);
		if (!of_report)
			put_argument(&word, row);
		add_word(to, strbuf_text(&word));
		strbuf_free(&word);
	}
	strbuf_char(to, '\n');
}

static void add_extension(struct strbuf *to, const char *extension, const char *help)
{
	(void)help;
	add_word(to, extension);
}

void help_text(struct strbuf *to, enum command_id command)
{
	help_usage(to, command);
	strbuf_printf(to, "%s\n%s", commands[command].help, command == COMMAND_RUN ? "" : "\n");
	for (int i = 0; i < FLAG_COUNT; i++)
		if (flag_belongs(i, command) && !is_packed(i, command))
			option_line(to, &flag_rows[i]);
	if (command == COMMAND_RUN) {
		packed_options(to, true);
		packed_options(to, false);
		return;
	}
	if (command != COMMAND_PRINT)
		return;
	strbuf_string(to, "FILE ends in one of");
	export_files(to, add_extension);
	strbuf_char(to, '\n');
}

void help_options(struct strbuf *to, enum command_id command, enum flag_id without)
{
	for (int i = 0; i < FLAG_COUNT; i++)
		if (flag_belongs(i, command) && i != (int)without)
			option_line(to, &flag_rows[i]);
}

void help_print(enum command_id command)
{
	struct strbuf text = STRBUF_INIT;

	help_text(&text, command);
	fputs(strbuf_text(&text), stdout);
	strbuf_free(&text);
}

void help_version(struct strbuf *to)
{
	struct strbuf why = STRBUF_INIT;

	strbuf_string(to, "computeprof " VERSION "\n");
	for (int api = API_COUNT - 1; api >= 0; api--)
		strbuf_printf(to, "%s_PROFILE_LOG_VERSION 2.0%s", api_rows[api].header,
			      api ? ", " : "\n");
	strbuf_string(to, "dialects classic, cuda4\n");
	strbuf_printf(to, "trace format %d\n", TRACE_VERSION);
	strbuf_string(to, "libinih " INIH_VERSION "\n");
	strbuf_printf(to, "C++ names of kernels in tables: %s\n",
		      demangle_built() ? "demangled" : "mangled (built without libiberty)");
	if (symbols_check(&why))
		strbuf_printf(to, "functions of call stacks: not named: %s\n", strbuf_text(&why));
	else
		strbuf_string(to, "functions of call stacks: named\n");
	strbuf_free(&why);
}

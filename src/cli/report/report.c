/* SPDX-License-Identifier: MIT */
#include "cli/report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "cli/command.h"
#include "cli/distinct.h"
#include "cli/lines.h"
#include "cli/print/print.h"
#include "cli/run/artifacts.h"
#include "cli/run/precheck.h"
#include "cli/table.h"
#include "settings/filename.h"
#include "view/advise/advice_tables.h"
#include "view/format/demangle.h"
#include "view/stacks/callers.h"

/* Tables are not the default if the user named an output file. Inside another computeprof the outer
 * one prints them. */
static bool is_default(const struct flags *flags)
{
	static const enum flag_id others[] = {FLAG_OUTPUT, FLAG_LOG, FLAG_TRACE, FLAG_QUIET};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (flags->value[others[i]])
			return false;
	return !artifacts_are_others();
}

int report_devices(struct report *report, const char *list)
{
	unsigned room = sizeof(report->devices) / sizeof(report->devices[0]);
	const char *at = list;

	report->options.devices = report->devices;
	while (report->options.device_count < room) {
		size_t digits = strspn(at, "0123456789");

		if (!digits || digits > 9 || (at[digits] && at[digits] != ','))
			break;
		report->devices[report->options.device_count++] = (uint32_t)strtoul(at, NULL, 10);
		if (!at[digits])
			return 0;
		at += digits + 1;
	}
	say("--devices needs up to %u numbers separated by commas, not '%s'", room, list);
	return -1;
}

static int take_unit(struct report *report, const char *name)
{
	int unit = name ? tables_unit(name) : TABLES_AUTO;

	if (unit >= 0) {
		report->options.unit = (enum tables_unit)unit;
		return 0;
	}
	say("unknown unit '%s': use auto, s, ms, us or ns", name);
	return -1;
}

int report_demangling(const struct flags *flags, bool *demangle)
{
	const char *value = flags->value[FLAG_DEMANGLING];

	*demangle = !value || !strcmp(value, "on");
	if (!value || !strcmp(value, "on") || !strcmp(value, "off")) {
		if (value && *demangle && !demangle_built())
			say("this computeprof was built without libiberty: names are not "
			    "demangled");
		return 0;
	}
	say("--demangling takes on or off, not '%s'", value);
	return -1;
}

/* Checked before the program runs, which may take hours. */
static int check_target(struct report *report, const struct flags *flags)
{
	const char *pattern = flags->value[FLAG_LOG_FILE];

	if (!pattern || !strcmp(pattern, "%1") || !strcmp(pattern, "%2"))
		return 0;
	return precheck_tables(flags, pattern, &report->reader);
}

int report_begin(struct report *report, const struct flags *flags)
{
	*report = (struct report){.flags = flags, .reader = -1};
	if (!report_asked(flags) && !is_default(flags))
		return report_check_alone(flags);
	report->options.wanted = report_tables(flags);
	if (flags->command == COMMAND_RUN && !flags->value[FLAG_IMPORT] &&
	    check_target(report, flags))
		return -1;
	report->options.ended = flags->command == COMMAND_RUN && !flags->value[FLAG_IMPORT];
	report->options.csv = flags->value[FLAG_CSV];
	report->options.notes = flags->value[FLAG_NOTES];
	report->options.extras = flags->value[FLAG_PERCENTILES];
	report->options.kernels = flags->value[FLAG_KERNELS];
	if (report_check(flags))
		return -1;
	if (flags->value[FLAG_DEVICES] && report_devices(report, flags->value[FLAG_DEVICES]))
		return -1;
	if (report_demangling(flags, &report->options.demangle))
		return -1;
	return take_unit(report, flags->value[FLAG_UNIT]);
}

/* Opening a FIFO without a reader fails. Writing waits for a slow reader. */
static FILE *open_stream(const char *name, bool append)
{
	int flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC;
	int file = open(name, flags | (append ? O_APPEND : O_TRUNC), 0666);

	if (file >= 0)
		fcntl(file, F_SETFL, append ? O_APPEND : 0);
	else
		say("cannot write %s: %s", name, file_reason(errno));
	return file >= 0 ? fdopen(file, append ? "a" : "w") : NULL;
}

static int open_file(struct report *report, const char *name)
{
	const char *names = strbuf_text(&report->names);
	size_t size = strlen(name);

	if (report->to && lines_have(names, name, size, true))
		return 0;
	if (report->to && report_end(report))
		return -1;
	if (lines_have(names, name, size, false))
		report->to = open_stream(name, true);
	else if (report_may_write(report->flags, name))
		report->to = open_stream(name, false);
	else
		return -1;
	strbuf_printf(&report->names, "%s\n", name);
	return report->to ? 0 : -1;
}

/* A terminal gets the notes and, if `narrow`, shortened names. Other outputs are as nvprof prints
 * them. */
static void take_terminal(struct report *report, bool narrow)
{
	int file = fileno(report->to);
	bool terminal = isatty(file);

	report->options.width = terminal && narrow ? table_width(file) : 0;
	report->options.notes = terminal || report->flags->value[FLAG_NOTES];
}

/* The default is the standard error, as in nvprof, and the standard output for `report`. --log-file
 * names a file, with %p one per process. */
static int open_output(struct report *report, const char *from, uint32_t pid)
{
	const char *pattern = report->flags->value[FLAG_LOG_FILE];
	struct strbuf name = STRBUF_INIT;
	int result;

	if (pattern && (!strcmp(pattern, "%1") || !strcmp(pattern, "%2"))) {
		report->to = pattern[1] == '1' ? stdout : stderr;
		take_terminal(report, false);
		return 0;
	}
	if (!pattern) {
		report->to = report->flags->command == COMMAND_REPORT ? stdout : stderr;
		take_terminal(report, true);
		return 0;
	}
	filename_expand(&name, pattern, 0, pid);
	result = print_same_file(from, strbuf_text(&name)) ? -1
							   : open_file(report, strbuf_text(&name));
	strbuf_free(&name);
	return result;
}

/* Prints the name of the input above its tables, if there are several inputs. */
static void put_file(FILE *to, const char *path)
{
	fputs("======== File: ", to);
	lines_put(to, path, strlen(path));
	fputc('\n', to);
}

static int print_callers(struct report *report, struct stream *stream, struct strbuf *error)
{
	const struct callers_options options = {
		.csv = report->options.csv,
		.time_unit = (int)report->options.unit - 1, /* QUANTITY_AUTO is -1 */
		.demangle = report->options.demangle,
	};

	return callers_print(report->to, stream, &options, error);
}

/* Appended to the summary of a trace that has uses of memory. The trace is read once more. */
static int print_memory(struct report *report, const char *path, struct strbuf *error)
{
	const struct advice_options options = {.idle = 1, .demangle = true};
	struct stream *stream = stream_open(path, error);
	struct strbuf text = STRBUF_INIT;
	char start[24] = "======== ";
	struct advice advice;
	int result = -1;

	if (!stream)
		return -1;
	if (report->options.pid)
		snprintf(start, sizeof(start), "==%u== ", report->options.pid);
	if (!advice_read(&advice, stream, &options, error)) {
		advice_put_note(&text, &advice, start);
		result = fputs(strbuf_text(&text), report->to) < 0 ? -1 : 0;
		if (result)
			strbuf_printf(error, "cannot write the tables: %s", strerror(errno));
	}
	advice_free(&advice);
	stream_close(stream);
	strbuf_free(&text);
	return result;
}

static bool wants_memory(const struct report *report, const struct stream *stream)
{
	return report->options.notes && !report->options.csv && stream_has_uses(stream) &&
	       !report->flags->value[FLAG_BY_CALLER] &&
	       report->options.wanted & 1u << TABLE_SUMMARY;
}

static void say_messages(struct stream *stream)
{
	const char *at = stream_messages(stream), *line;
	size_t length;

	while (at && (line = lines_next(&at, &length)))
		say("%.*s", (int)length, line);
}

int report_print(struct report *report, const char *path, uint32_t pid)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream;
	int result = -1;

	report->options.pid = pid;
	stream = stream_open(path, &error);
	if (stream && open_output(report, path, pid)) {
		stream_close(stream);
		return -1;
	}
	if (stream)
		stream_set_ranges(stream, &report->ranges);
	if (stream && report->several)
		put_file(report->to, path);
	if (stream && report->flags->value[FLAG_BY_CALLER])
		result = print_callers(report, stream, &error);
	else if (stream)
		result = tables_print(report->to, stream, &report->options, &error);
	if (stream && !result && wants_memory(report, stream))
		result = print_memory(report, path, &error);
	if (stream)
		say_messages(stream);
	if (result)
		say("%s", strbuf_text(&error));
	/* The message is printed; nothing more is written there. */
	if (result && report->to == stdout && ferror(stdout)) {
		__fpurge(stdout);
		clearerr(stdout);
	}
	stream_close(stream);
	strbuf_free(&error);
	return result;
}

int report_end(struct report *report)
{
	bool is_own = report->to && report->to != stderr && report->to != stdout;
	int result = 0;

	if (is_own && fclose(report->to)) {
		say("cannot write all tables: %m");
		result = -1;
	}
	report->to = NULL;
	return result;
}

void report_free(struct report *report)
{
	strbuf_free(&report->names);
	if (report->reader >= 0)
		close(report->reader);
}

/* An input must not be overwritten. */
static bool is_read(const struct report *report, const char *const *paths, int count)
{
	const char *pattern = report->flags->value[FLAG_LOG_FILE];
	struct strbuf name = STRBUF_INIT;
	bool is = false;

	if (pattern)
		filename_expand(&name, pattern, 0, 0);
	for (int i = 0; name.length && !is && i < count; i++)
		is = print_same_file(paths[i], strbuf_text(&name));
	strbuf_free(&name);
	return is;
}

static int print_files(const struct flags *flags, const char *const *paths, int count)
{
	struct report report;
	int result = 0;

	if (report_begin(&report, flags))
		return EXIT_TOOL_FAILED;
	report.several = count > 1;
	if (is_read(&report, paths, count))
		result = -1;
	else
		for (int i = 0; i < count && !(report.to && ferror(report.to)); i++)
			result |= report_print(&report, paths[i], 0);
	result |= report_end(&report);
	report_free(&report);
	return result ? EXIT_PROBLEM : EXIT_DONE;
}

int report_import(const struct flags *flags)
{
	if (flags->argument_count) {
		say("-i runs no program: leave out '%s'", flags->arguments[0]);
		return EXIT_TOOL_FAILED;
	}
	return print_files(flags, &flags->value[FLAG_IMPORT], 1);
}

int report_command(const struct flags *flags)
{
	int count;

	if (!flags->argument_count) {
		say("report needs a file; see 'computeprof report --help'");
		return EXIT_TOOL_FAILED;
	}
	count = distinct_files(flags->arguments, flags->argument_count);
	return count < 0 ? EXIT_PROBLEM
			 : print_files(flags, (const char *const *)flags->arguments, count);
}

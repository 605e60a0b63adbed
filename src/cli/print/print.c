/* SPDX-License-Identifier: MIT */
/* computeprof print: converts a trace to logs, or a log to another format. */
#include "cli/print/print.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/file_kind.h"
#include "cli/print/export.h"
#include "output/trace.h"

/* Returns -1 if it cannot be read, 1 for a trace, 0 otherwise. */
static int is_trace(const char *path)
{
	char magic[sizeof(TRACE_MAGIC)] = "";
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (file < 0)
		return -1;
	got = read(file, magic, sizeof(magic));
	close(file);
	if (got < 0)
		return -1;
	return got == sizeof(magic) && !memcmp(magic, TRACE_MAGIC, sizeof(magic));
}

/* A device or FIFO takes a log, whatever its name. */
static bool check_output(const struct flags *flags)
{
	const char *output = flags->value[FLAG_OUTPUT], *path = flags->arguments[0];
	struct file_kind kind;
	struct stat status;

	if (!output || (!stat(output, &status) && !S_ISREG(status.st_mode)))
		return true;
	if (!file_kind_of(output, &kind)) {
		flag_say_extension(output);
		return false;
	}
	if (kind.view || kind.format != FORMAT_COUNT)
		return true;
	if (is_trace(path))
		say("print does not copy traces: the name must not end in .cptrace");
	else
		say("%s is not a trace and cannot become one: the name must not end in .cptrace",
		    path);
	return false;
}

int print_command(const struct flags *flags)
{
	const char *path = flags->arguments[0], *output = flags->value[FLAG_OUTPUT];
	const struct view *view = output ? view_find(output) : NULL;
	int trace;

	if (flags->argument_count != 1 && !(flags->argument_count && view)) {
		say("print needs one file, or several traces if -o names a file other than a log; "
		    "see 'computeprof print --help'");
		return EXIT_TOOL_FAILED;
	}
	if (!check_output(flags))
		return EXIT_TOOL_FAILED;
	if (view)
		return export_print(view, flags);
	trace = is_trace(path);
	if (trace < 0) {
		say("cannot read %s: %m", path);
		return EXIT_PROBLEM;
	}
	if (!trace && stream_is_database(path)) {
		say("%s is a database, not a log: if it has the tables of nvprof, 'computeprof "
		    "report' shows it, and 'print -o' converts it to .json or another kind of "
		    "file",
		    path);
		return EXIT_PROBLEM;
	}
	return trace ? print_trace(flags, path) : print_log(flags, path);
}

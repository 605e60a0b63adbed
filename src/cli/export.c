/* SPDX-License-Identifier: MIT */
#include "cli/export.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "cli/command.h"
#include "cli/lines.h"
#include "cli/print.h"
#include "settings/filename.h"

#define TRACE_VARIABLE "COMPUTE_PROFILE_TRACE"

void export_files(struct strbuf *to,
		  void (*add)(struct strbuf *to, const char *extension, const char *help))
{
	for (const struct file_row *row = file_rows; row->extension; row++)
		add(to, row->extension, row->help);
	for (int i = 0; views[i]; i++)
		add(to, views[i]->extension, views[i]->help);
}

static bool may_write(const struct flags *flags, const char *path)
{
	return flags->value[FLAG_FORCE] || access(path, F_OK);
}

/* Better before the program has run for hours than afterwards. */
static int check_target(const struct flags *flags)
{
	const char *pattern = flags->value[FLAG_OUTPUT];
	struct strbuf path = STRBUF_INIT;
	int result = 0;

	filename_expand(&path, pattern, 0, 0);
	if (!filename_has(pattern, 'p') && !may_write(flags, strbuf_text(&path))) {
		say("%s is there already; -f overwrites it", strbuf_text(&path));
		result = -1;
	}
	strbuf_free(&path);
	return result;
}

/* The traces' folder as a pattern for their names. */
static int set_variable(const char *folder)
{
	struct strbuf pattern = STRBUF_INIT;
	int result;

	for (const char *at = folder; *at; at++) {
		if (*at == '%')
			strbuf_char(&pattern, '%');
		strbuf_char(&pattern, *at);
	}
	strbuf_string(&pattern, "/%p.cptrace");
	result = setenv(TRACE_VARIABLE, strbuf_text(&pattern), 1);
	strbuf_free(&pattern);
	return result;
}

/* Absolute: programs change their directory. */
static int make_folder(struct exports *run)
{
	const char *given = getenv("TMPDIR");
	const char *directory = given && *given ? given : "/tmp";
	struct strbuf name = STRBUF_INIT;
	char path[PATH_MAX];
	int result;

	strbuf_printf(&name, "%s/computeprof.XXXXXX", directory);
	result = file_absolute(path, sizeof(path), strbuf_text(&name));
	strbuf_free(&name);
	if (!result && mkdtemp(path))
		run->folder = strdup(path);
	if (run->folder && !set_variable(run->folder))
		return 0;
	if (!run->view && !report_asked(run->flags)) {
		run->report.options.wanted = 0;
		return 0;
	}
	say("cannot make a folder for traces in %s: %m", directory);
	return -1;
}

/* Whether the traces are for anything here. */
static bool is_wanted(const struct exports *run)
{
	return run->view || run->report.options.wanted;
}

int exports_begin(struct exports *run, const struct flags *flags)
{
	const char *trace = getenv(TRACE_VARIABLE), *file = flags->value[FLAG_OUTPUT];

	*run = (struct exports){.flags = flags, .view = file ? view_find(file) : NULL};
	if (report_begin(&run->report, flags) || (run->view && check_target(flags)))
		return -1;
	if (!is_wanted(run))
		return 0;
	if (!(trace && *trace) && make_folder(run))
		return -1;
	if (is_wanted(run)) /* calls are part of what is made */
		setenv("COMPUTE_PROFILE_API", "1", 0);
	return 0;
}

static bool is_listed(struct strbuf *list, const char *path)
{
	const char *at = strbuf_text(list), *line;
	size_t length;

	while ((line = lines_next(&at, &length)))
		if (length == strlen(path) && !memcmp(line, path, length))
			return true;
	return false;
}

/* Never that of another process, and none that was there. */
static void choose_name(struct exports *run, struct strbuf *name, uint32_t pid)
{
	struct strbuf plain = STRBUF_INIT;
	char tag[32];

	filename_expand(&plain, run->flags->value[FLAG_OUTPUT], 0, pid);
	strbuf_string(name, strbuf_text(&plain));
	for (unsigned i = 0; is_listed(&run->written, strbuf_text(name)) ||
			     !may_write(run->flags, strbuf_text(name));
	     i++) {
		if (i)
			snprintf(tag, sizeof(tag), "%u.%u", pid, i);
		else
			snprintf(tag, sizeof(tag), "%u", pid);
		name->length = 0;
		filename_tag(name, strbuf_text(&plain), tag);
	}
	strbuf_free(&plain);
}

static void say_losses(const struct stream *stream, const char *path)
{
	if (stream_is_cut_off(stream))
		say("%s: the program ended in the middle of its last record", path);
	if (stream_lost(stream))
		say("%s: the program had to drop %llu records", path,
		    (unsigned long long)stream_lost(stream));
}

/* The catalog has its process only once the first record came, or the end. */
static uint32_t pid_of(const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	const struct record *record;
	uint32_t pid = 0;

	if (stream && stream_next(stream, &record, &error) >= 0)
		pid = stream_catalog(stream)->process.pid;
	stream_close(stream);
	strbuf_free(&error);
	return pid;
}

/* As view_write, and says what there is to say. */
static int write_one(const struct view *view, const char *from, const char *to)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(from, &error);
	int result = stream ? view_write(view, to, stream, &error) : -1;

	if (result)
		say("%s", strbuf_text(&error));
	else
		say_losses(stream, from);
	stream_close(stream);
	strbuf_free(&error);
	return result;
}

/* Not 0 if it could not be made, or not of all of the trace. */
static int make_file(struct exports *run, const char *trace, uint32_t pid)
{
	struct strbuf name = STRBUF_INIT, kept = STRBUF_INIT;
	int result;

	choose_name(run, &name, pid);
	strbuf_printf(&kept,
		      "computeprof: the trace is kept, for: computeprof print -o '%s' '%s'\n",
		      strbuf_text(&name), trace);
	view_last_words(strbuf_text(&kept));
	result = write_one(run->view, trace, strbuf_text(&name));
	view_last_words(NULL);
	if (result)
		fputs(strbuf_text(&kept), stderr);
	else if (!run->flags->value[FLAG_QUIET])
		say("output: %s", strbuf_text(&name));
	if (result >= 0)
		strbuf_printf(&run->written, "%s\n", strbuf_text(&name));
	strbuf_free(&kept);
	strbuf_free(&name);
	return result;
}

/* Whether the trace is one that only we asked for: in our own folder. */
static bool is_own(const struct exports *run, const char *trace)
{
	size_t length = run->folder ? strlen(run->folder) : 0;

	return length && !strncmp(trace, run->folder, length) && trace[length] == '/';
}

static void use_trace(struct exports *run, const char *trace)
{
	uint32_t pid = pid_of(trace);
	int failed = 0;

	if (run->view)
		failed |= make_file(run, trace, pid);
	if (run->report.options.wanted && report_print(&run->report, trace, pid)) {
		failed = -1;
		say("the trace is kept, for: computeprof -i '%s'", trace);
	}
	if (is_own(run, trace) && !failed)
		unlink(trace);
}

void exports_end(struct exports *run, struct strbuf *traces)
{
	const char *at = strbuf_text(traces), *line;
	struct strbuf others = STRBUF_INIT;
	size_t length;

	while (is_wanted(run) && (line = lines_next(&at, &length))) {
		char *path = strndup(line, length);

		if (path)
			use_trace(run, path);
		if (!path || !is_own(run, path))
			strbuf_printf(&others, "%.*s\n", (int)length, line);
		free(path);
	}
	if (is_wanted(run)) {
		strbuf_free(traces);
		*traces = others;
	}
	report_end(&run->report);
	report_free(&run->report);
	if (run->folder)
		rmdir(run->folder); /* what could not be used stays */
	free(run->folder);
	strbuf_free(&run->written);
}

int export_print(const struct view *view, const struct flags *flags, const char *path)
{
	static const enum flag_id of_logs[] = {FLAG_CSV,    FLAG_KEYVAL, FLAG_CONFIG, FLAG_DIALECT,
					       FLAG_OPENCL, FLAG_CUDA,	 FLAG_DEVICE, FLAG_CONTEXT};
	struct strbuf target = STRBUF_INIT;
	int result = EXIT_PROBLEM;

	for (size_t i = 0; i < sizeof(of_logs) / sizeof(of_logs[0]); i++) {
		if (!flags->value[of_logs[i]])
			continue;
		say("--%s is for logs, not for a file that ends in %s",
		    flag_rows[of_logs[i]].name, view->extension);
		return EXIT_TOOL_FAILED;
	}
	filename_expand(&target, flags->value[FLAG_OUTPUT], 0, pid_of(path));
	if (print_same_file(path, strbuf_text(&target)))
		goto out;
	if (!may_write(flags, strbuf_text(&target))) {
		say("%s is there already; -f overwrites it", strbuf_text(&target));
		goto out;
	}
	if (write_one(view, path, strbuf_text(&target)))
		goto out;
	say("output: %s", strbuf_text(&target));
	result = EXIT_DONE;
out:
	strbuf_free(&target);
	return result;
}

/* SPDX-License-Identifier: MIT */
#include "cli/print/export.h"

#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pathlist.h"
#include "base/say.h"
#include "cli/lines.h"
#include "cli/run/artifacts.h"
#include "cli/run/precheck.h"
#include "cli/run/untraced.h"
#include "settings/filename.h"
#include "view/newfile.h"
#include "view/temp_cleanup.h"

#define TRACE_VARIABLE "COMPUTE_PROFILE_TRACE"

/* Checked before the program runs, which may take hours. */
static int check_target(const struct flags *flags)
{
	const char *pattern = flags->value[FLAG_OUTPUT];
	struct strbuf path = STRBUF_INIT;
	int result = 0;

	filename_expand(&path, pattern, 0, 0);
	if (!filename_has(pattern, 'p'))
		result = precheck_new_file(flags, strbuf_text(&path));
	strbuf_free(&path);
	return result;
}

/* Sets the pattern of the traces' names to the folder. */
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

/* The path is absolute, since programs change their directory. */
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
	if (run->view || report_asked(run->flags)) {
		say("cannot create a directory for traces in %s: %m", directory);
		return -1;
	}
	snprintf(path, sizeof(path), "cannot create a directory for traces in %s: %m", directory);
	export_say_none(run, path);
	run->report.options.wanted = 0;
	return 0;
}

/* Returns true if the traces are needed for a view or for tables. */
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
	if (is_wanted(run)) /* views and tables include calls */
		setenv("COMPUTE_PROFILE_API", "1", 0);
	return 0;
}

/* The argument of choose_name. */
struct choice {
	struct exports *run;
	uint32_t pid;
};

/* Chooses a name that neither another process nor an existing file has. */
static void choose_name(struct strbuf *name, void *argument)
{
	const struct choice *choice = argument;
	struct exports *run = choice->run;
	struct strbuf plain = STRBUF_INIT;
	char tag[32];

	filename_expand(&plain, run->flags->value[FLAG_OUTPUT], 0, choice->pid);
	name->length = 0;
	strbuf_string(name, strbuf_text(&plain));
	for (unsigned i = 0;
	     lines_have(strbuf_text(&run->written), strbuf_text(name), name->length, false) ||
	     !export_may_write(run->flags, strbuf_text(name)) ||
	     newfile_is_since(strbuf_text(name), run->since);
	     i++) {
		if (i)
			snprintf(tag, sizeof(tag), "%u.%u", choice->pid, i);
		else
			snprintf(tag, sizeof(tag), "%u", choice->pid);
		name->length = 0;
		filename_tag(name, strbuf_text(&plain), tag);
	}
	strbuf_free(&plain);
}

/* Reports a changed name, unless the other file is from this run. */
static void tell_name(struct exports *run, const char *name, uint32_t pid)
{
	struct strbuf plain = STRBUF_INIT;

	filename_expand(&plain, run->flags->value[FLAG_OUTPUT], 0, pid);
	if (strcmp(strbuf_text(&plain), name) &&
	    !lines_have(strbuf_text(&run->written), strbuf_text(&plain), plain.length, false))
		say("%s is taken, writing %s", strbuf_text(&plain), name);
	strbuf_free(&plain);
}

/* Appends the command that makes the file later. */
static void put_kept(struct strbuf *to, const char *target, const struct export_trace *traces,
		     size_t count)
{
	strbuf_printf(to, "computeprof: the %s kept, for: computeprof print -o '%s'",
		      count > 1 ? "traces are" : "trace is", target);
	for (size_t i = 0; i < count; i++)
		if (!untraced_is(traces[i].path))
			strbuf_printf(to, " '%s'", traces[i].path);
	strbuf_char(to, '\n');
}

/* Marks a trace as failed if the file could not be made from all of it. */
static void make_file(struct exports *run, struct export_trace *traces, size_t count)
{
	struct strbuf name = STRBUF_INIT, kept = STRBUF_INIT;
	struct choice choice = {.run = run, .pid = traces[0].process.pid};
	struct view_target target = {.path = &name,
				     .replace = run->flags->value[FLAG_FORCE],
				     .since = run->since,
				     .take_other = choose_name,
				     .argument = &choice};
	int result;

	choose_name(&name, &choice);
	put_kept(&kept, strbuf_text(&name), traces, count);
	temp_cleanup_say(strbuf_text(&kept));
	result = export_write(run->view, traces, count, &target);
	temp_cleanup_say(NULL);
	if (result >= 0)
		tell_name(run, strbuf_text(&name), choice.pid);
	if (result)
		fputs(strbuf_text(&kept), stderr);
	else if (!run->flags->value[FLAG_QUIET])
		say("output: %s", strbuf_text(&name));
	if (result >= 0)
		strbuf_printf(&run->written, "%s\n", strbuf_text(&name));
	for (size_t i = 0; i < count; i++)
		traces[i].failed = result;
	strbuf_free(&kept);
	strbuf_free(&name);
}

/* Makes one file for all processes if the view supports that and the name has no %p. */
static void make_files(struct exports *run, struct export_trace *traces, size_t count)
{
	bool together =
		run->view->holds_several && !filename_has(run->flags->value[FLAG_OUTPUT], 'p');
	size_t step = together ? count : 1;

	for (size_t i = 0; i < count; i += step)
		make_file(run, traces + i, step);
}

/* Returns true if the reader of the pipe has closed it. */
static bool is_left(FILE *tables)
{
	struct pollfd end = {.fd = tables ? fileno(tables) : -1};

	return poll(&end, 1, 0) == 1 && end.revents & (POLLERR | POLLHUP);
}

/* Returns nonzero if the tables could not be printed. A reader that closed the pipe is not an
 * error. */
static int print_tables(struct exports *run, const char *trace, uint32_t pid)
{
	struct strbuf kept = STRBUF_INIT;
	int result;

	strbuf_printf(&kept, "computeprof: the trace is kept, for: computeprof -i '%s'\n", trace);
	temp_cleanup_say(strbuf_text(&kept));
	result = report_print(&run->report, trace, pid);
	temp_cleanup_say(NULL);
	if (result && is_left(run->report.to))
		result = 0;
	if (result && !untraced_is(trace))
		fputs(strbuf_text(&kept), stderr);
	strbuf_free(&kept);
	return result;
}

/* Returns true if the trace is in the folder that this run made. */
static bool is_own(const struct exports *run, const char *trace)
{
	size_t length = run->folder ? strlen(run->folder) : 0;

	return length && !strncmp(trace, run->folder, length) && trace[length] == '/' &&
	       !strchr(trace + length + 1, '/');
}

void exports_others(const struct exports *run, struct strbuf *traces, struct strbuf *others)
{
	const char *at = strbuf_text(traces), *line;
	size_t length;
	char *path;

	for (; (line = lines_next(&at, &length)); free(path)) {
		path = pathlist_get(line, length);
		if (path && !is_own(run, path))
			strbuf_printf(others, "%.*s\n", (int)length, line);
	}
}

/* Returns true if records of the process may be in a ring file that could not be recovered. A ring
 * file of an unknown process counts for every process. */
static bool is_unrecovered(const struct exports *run, const struct process *process)
{
	char pid[16];

	if (!run->unrecovered || !run->unrecovered->length)
		return false;
	snprintf(pid, sizeof(pid), "%u", process->pid);
	return lines_have(strbuf_text(run->unrecovered), pid, strlen(pid), false) ||
	       lines_have(strbuf_text(run->unrecovered), "0", 1, false);
}

static size_t list_traces(const struct exports *run, struct strbuf *traces,
			  struct export_trace **used)
{
	const char *at = strbuf_text(traces), *line;
	size_t length, count = 0, empty = 0;

	*used = NULL;
	while ((line = lines_next(&at, &length))) {
		struct export_trace *more = reallocarray(*used, count + 1, sizeof(**used));
		char *path = more ? pathlist_get(line, length) : NULL;

		if (more)
			*used = more;
		if (!path)
			break;
		if (is_own(run, path) && export_is_empty(path)) {
			empty++;
			unlink(path);
			free(path);
			continue;
		}
		more[count] = (struct export_trace){
			.path = path,
			.growing = export_is_growing(path),
		};
		if (export_look(&more[count])) {
			free(path); /* the trace stays */
			continue;
		}
		more[count].incomplete = is_unrecovered(run, &more[count].process);
		count++;
	}
	if (empty && !count)
		export_say_none(run, "the file system had no space for the trace of a process");
	else if (empty)
		say("the file system had no space for the trace%s of %zu process%s; set TMPDIR to "
		    "another directory",
		    empty > 1 ? "s" : "", empty, empty > 1 ? "es" : "");
	return count ? untraced_add(used, count, run->missing) : 0;
}

/* Removes a trace of the run's own folder, unless it failed or still grows. Returns true if the
 * trace stays in the folder. */
static bool put_away(struct exports *run, struct export_trace *used)
{
	bool stays = is_own(run, used->path) && (used->growing || used->failed);

	if (is_own(run, used->path) && !stays)
		unlink(used->path);
	free(used->path);
	return stays;
}

static void say_growing(const struct exports *run, const struct export_trace *used, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (used[i].growing && is_own(run, used[i].path))
			say("process %u still runs; the output has its records up to now, and its "
			    "trace is kept: %s",
			    used[i].process.pid, used[i].path);
}

/* Makes all files before the tables, since tables are only printed. Returns true if any trace
 * stays. */
static bool use_all(struct exports *run, struct strbuf *traces)
{
	bool stays = false;
	struct export_trace *used;
	size_t count = list_traces(run, traces, &used);

	export_sort(used, count);
	say_growing(run, used, count);
	if (run->view)
		make_files(run, used, count);
	for (size_t i = 0; run->report.options.wanted && i < count; i++) {
		run->report.options.unrecovered = used[i].incomplete;
		used[i].failed |= print_tables(run, used[i].path, used[i].process.pid);
	}
	for (size_t i = 0; i < count; i++)
		stays |= put_away(run, &used[i]);
	free(used);
	return stays;
}

/* Processes of other users have logs, but cannot write to the run's folder. */
static void say_no_trace(const struct exports *run)
{
	if (!run->others)
		export_say_none(run, "no process could write a trace");
	else
		say("no %s was made: a process of another user cannot write the trace for it; "
		    "'computeprof report LOG' prints tables of its log",
		    run->view ? run->flags->value[FLAG_OUTPUT] : "table");
}

/* Adds the traces of the run's folder: a process cannot always list its files. */
static void add_own(const struct exports *run, struct strbuf *traces)
{
	struct strbuf path = STRBUF_INIT, line = STRBUF_INIT, all = STRBUF_INIT;
	DIR *folder = run->folder ? opendir(run->folder) : NULL;
	const char *at = strbuf_text(traces), *next;
	const struct dirent *entry;
	struct map seen = {NULL};
	size_t length;

	while ((next = lines_next(&at, &length)))
		lines_add_new(&seen, &all, next, length);
	while (folder && (entry = readdir(folder))) {
		const char *extension = strrchr(entry->d_name, '.');

		if (!extension || strcmp(extension, ".cptrace"))
			continue;
		path.length = line.length = 0;
		strbuf_printf(&path, "%s/%s", run->folder, entry->d_name);
		pathlist_put(&line, strbuf_text(&path));
		lines_add_new(&seen, &all, strbuf_text(&line), line.length);
	}
	if (folder)
		closedir(folder);
	strbuf_free(traces);
	*traces = all;
	map_free(&seen);
	strbuf_free(&path);
	strbuf_free(&line);
}

/* No file was made. A file of this name from an earlier run, which -f would have overwritten, is
 * reported so that it is not taken for this run's. */
static void say_old(const struct exports *run)
{
	const char *pattern = run->flags->value[FLAG_OUTPUT];
	struct strbuf name = STRBUF_INIT;

	if (!run->view || run->written.length || filename_has(pattern, 'p'))
		return;
	filename_expand(&name, pattern, 0, 0);
	if (!export_is_empty(strbuf_text(&name)) && !access(strbuf_text(&name), F_OK))
		say("%s is not of this run: it existed before", strbuf_text(&name));
	strbuf_free(&name);
}

void exports_end(struct exports *run, struct strbuf *traces, bool any_alive)
{
	bool stays = false;

	/* A reader may close the pipe early; the program's exit code is kept. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	temp_cleanup_begin();
	if (is_wanted(run))
		add_own(run, traces);
	if (is_wanted(run) && run->folder && !traces->length && (run->logged || run->unknown))
		say_no_trace(run);
	if (is_wanted(run))
		stays = use_all(run, traces);
	say_old(run);
	report_end(&run->report);
	report_free(&run->report);
	temp_cleanup_end();
	if (run->folder && !stays && any_alive)
		say("traces of processes that still run will be in %s", run->folder);
	else if (run->folder && !stays)
		rmdir(run->folder);
	free(run->folder);
	strbuf_free(&run->written);
}

/* SPDX-License-Identifier: MIT */
#include "cli/print/export.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pathlist.h"
#include "base/shellword.h"
#include "base/say.h"
#include "cli/lines.h"
#include "cli/print/export_kept.h"
#include "cli/print/export_list.h"
#include "cli/print/requested_trace.h"
#include "cli/run/artifacts.h"
#include "cli/run/memory_file.h"
#include "cli/run/precheck.h"
#include "cli/run/untraced.h"
#include "cli/run/unused_settings.h"
#include "cli/run/variable_values.h"
#include "session/logs.h"
#include "settings/filename.h"
#include "view/newfile.h"
#include "view/temp_cleanup.h"

#define TRACE_VARIABLE	"COMPUTE_PROFILE_TRACE"
#define FROM_VARIABLE	"COMPUTE_PROFILE_TRACE_FROM"
#define TOTALS_VARIABLE "COMPUTE_PROFILE_TOTALS"

/* Checked before the program runs, which may take hours. */
static int check_target(const struct view *view, const struct flags *flags)
{
	const char *pattern = flags->value[FLAG_OUTPUT];
	struct strbuf path = STRBUF_INIT, error = STRBUF_INIT;
	int result = 0;

	filename_expand(&path, pattern, 0, 0);
	if (view_check(view, strbuf_text(&path), &error)) {
		say("%s", strbuf_text(&error));
		result = -1;
	} else if (!filename_has(pattern, 'p')) {
		result = precheck_new_file(flags, view, strbuf_text(&path));
	}
	strbuf_free(&error);
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
	if (run->from_totals) {
		strbuf_printf(&run->no_folder,
			      "cannot create a directory for their trace in %s: %m", directory);
		return 0;
	}
	say("cannot create a directory for traces in %s: %m", directory);
	return -1;
}

/* Returns true if the traces are needed for a view or for tables. */
static bool is_wanted(const struct exports *run)
{
	return run->view || run->report.options.wanted;
}

/* Returns what needs whole traces, or NULL if running totals are enough for all outputs, and not
 * switched off. A whole trace that the user requested has everything in any case. */
static const char *needs_traces(const struct exports *run, const struct requested_trace *trace)
{
	const char *totals = getenv(TOTALS_VARIABLE);

	if (run->view && !run->view->of_totals)
		return run->flags->value[FLAG_OUTPUT];
	if (totals && !strcmp(totals, "0"))
		return "COMPUTE_PROFILE_TOTALS=0";
	if (variable_values_want_objects())
		return "--values";
	if (run->report.options.wanted & 1u << TABLE_GPU_TRACE)
		return "--print-gpu-trace";
	if (run->report.options.wanted & 1u << TABLE_API_TRACE)
		return "--print-api-trace";
	return trace->whole ? "the requested trace" : NULL;
}

/* A trace of the ranges only, in the run's folder. */
static int set_from_ranges(const struct exports *run)
{
	struct strbuf value = STRBUF_INIT;
	int result;

	strbuf_printf(&value, "ranges:%s", getenv(TRACE_VARIABLE));
	result = run->folder ? setenv(FROM_VARIABLE, strbuf_text(&value), 1) : 0;
	strbuf_free(&value);
	return result;
}

/* Percentiles of calls are kept only if requested. */
static void request_totals(const struct exports *run)
{
	const char *set = getenv(TOTALS_VARIABLE);
	bool percentiles = run->view || run->report.options.extras;

	if (percentiles || !set || strcmp(set, "percentiles"))
		setenv(TOTALS_VARIABLE, percentiles ? "percentiles" : "1", 1);
}

/* Returns true if the summary is printed by default, as it is. Each rank prints what the user
 * requests. */
static bool is_plain(const struct exports *run)
{
	static const enum flag_id others[] = {FLAG_CSV,		FLAG_LOG_FILE, FLAG_NOTES,
					      FLAG_PERCENTILES, FLAG_KERNELS,  FLAG_DEVICES,
					      FLAG_BY_CALLER};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (run->flags->value[others[i]])
			return false;
	return run->report.options.wanted && !report_asked(run->flags);
}

int exports_begin(struct exports *run, const struct flags *flags)
{
	const struct requested_trace trace = requested_trace_find();
	const char *file = flags->value[FLAG_OUTPUT], *needs;

	*run = (struct exports){.flags = flags, .view = file ? view_find(file) : NULL};
	if (report_begin(&run->report, flags) || (run->view && check_target(run->view, flags)) ||
	    unused_settings_tell(flags, run->view, run->report.options.wanted))
		return -1;
	if (!is_wanted(run))
		return 0;
	needs = needs_traces(run, &trace);
	run->from_totals = !needs;
	if (!trace.of_all && make_folder(run))
		return -1;
	if (needs && trace.ranges_asked)
		say("COMPUTE_PROFILE_TRACE_FROM=ranges is not used: %s needs whole traces", needs);
	if (needs)
		unsetenv(FROM_VARIABLE);
	if (run->from_totals && set_from_ranges(run))
		return -1;
	if (run->from_totals)
		request_totals(run);
	setenv("COMPUTE_PROFILE_API", "1", 0); /* views and tables include calls */
	if (is_plain(run))
		run->in_job = job_table_begin(&run->job, run->report.options.demangle,
					      (int)run->report.options.unit - 1);
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
	     !export_may_write(run->flags, run->view, strbuf_text(name)) ||
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

/* Marks a trace as failed if the file could not be made from all of it. */
static void make_file(struct exports *run, struct export_trace *traces, size_t count)
{
	struct strbuf name = STRBUF_INIT, kept = STRBUF_INIT;
	bool keeps = !run->from_totals;
	struct choice choice = {.run = run, .pid = traces[0].process.pid};
	struct view_target target = {.path = &name,
				     .replace = run->flags->value[FLAG_FORCE],
				     .since = run->since,
				     .take_other = choose_name,
				     .argument = &choice};
	int result;

	choose_name(&name, &choice);
	if (keeps)
		export_kept_put(&kept, run, strbuf_text(&name), traces, count);
	temp_cleanup_say(keeps ? strbuf_text(&kept) : NULL);
	result = export_write(run->view, traces, count, &target);
	temp_cleanup_say(NULL);
	if (result >= 0)
		tell_name(run, strbuf_text(&name), choice.pid);
	if (result) {
		fputs(strbuf_text(&kept), stderr);
		export_kept_totals(run, traces, count, strbuf_text(&name));
	} else if (!run->flags->value[FLAG_QUIET])
		view_say_output(run->view, strbuf_text(&name));
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
static int print_tables(struct exports *run, const struct export_trace *input)
{
	struct strbuf kept = STRBUF_INIT;
	bool in_memory = input->totals || memory_file_is(input->path);
	int result;

	if (!in_memory) {
		strbuf_string(&kept, "computeprof: the trace is kept; to print the table, run: "
				     "computeprof -i ");
		shellword_put(&kept, input->path);
		strbuf_char(&kept, '\n');
	}
	temp_cleanup_say(in_memory ? NULL : strbuf_text(&kept));
	run->report.ranges = input->ranges;
	result = report_print(&run->report, input->path, input->process.pid);
	temp_cleanup_say(NULL);
	if (result && is_left(run->report.to))
		result = 0;
	/* If stderr does not take the message, nobody would find what is kept. */
	if (result && input->totals && !export_kept_totals(run, input, 1, NULL))
		result = 0;
	if (result && !in_memory && fputs(strbuf_text(&kept), stderr) < 0)
		result = 0;
	strbuf_free(&kept);
	return result;
}

/* Removes a trace of the run's own folder, unless it failed or still grows. Returns true if the
 * trace stays in the folder. */
static bool put_away(struct exports *run, char *path, bool stays)
{
	stays &= export_is_own(run, path);
	if (export_is_own(run, path) && !stays)
		unlink(path);
	free(path);
	return stays;
}

/* Removes the traces and frees the list. The trace of the ranges of a process that still runs
 * stays. */
static bool put_away_all(struct exports *run, struct export_inputs *inputs)
{
	bool stays = false;

	for (size_t i = 0; i < inputs->count; i++) {
		struct export_trace *input = &inputs->list[i];
		char *ranges = input->ranges;

		if (ranges)
			stays |= put_away(run, ranges, input->failed || export_is_growing(ranges));
		if (input->totals)
			memory_file_free(input->path);
		else
			stays |= put_away(run, input->path, input->growing || input->failed);
	}
	free(inputs->list);
	return stays;
}

static void say_growing(const struct exports *run, const struct export_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		const struct export_trace *input = &inputs->list[i];
		const struct process_name name =
			process_name(input->process.pid, input->process.rank);

		if (input->growing && input->totals && input->ranges &&
		    export_is_own(run, input->ranges))
			say("process %s still runs; the output has its totals up to now, and the "
			    "trace of its NVTX ranges is kept: %s",
			    name.text, input->ranges);
		else if (input->growing && input->totals)
			say("process %s still runs; the output has its totals up to now",
			    name.text);
		else if (input->growing && export_is_own(run, input->path))
			say("process %s still runs; the output has its records up to now, and its "
			    "trace is kept: %s",
			    name.text, input->path);
	}
}

/* Makes all files before the tables, since tables are only printed. Returns true if any trace
 * stays. */
static bool use_all(struct exports *run, struct strbuf *traces)
{
	struct strbuf unwritten = STRBUF_INIT;
	struct export_inputs inputs;

	export_list(run, traces, &inputs);
	run->job.failed = !inputs.count && (run->logged || run->unknown);
	say_growing(run, &inputs);
	if (run->view)
		make_files(run, inputs.list, inputs.count);
	strbuf_printf(&unwritten, "their trace could not be written%s",
		      export_unwritten(run, 1).advice);
	run->report.options.no_ranges =
		strbuf_text(run->no_folder.length ? &run->no_folder : &unwritten);
	for (size_t i = 0; run->report.options.wanted && i < inputs.count; i++) {
		run->report.options.unrecovered = inputs.list[i].incomplete;
		run->report.options.running = inputs.list[i].growing;
		run->report.options.only_log =
			untraced_is(inputs.list[i].path) && !flag_has_no_log();
		if (run->in_job)
			inputs.list[i].failed |= job_table_add(
				&run->job, inputs.list[i].path, inputs.list[i].process.pid,
				inputs.list[i].incomplete || run->report.options.cut);
		else
			inputs.list[i].failed |= print_tables(run, &inputs.list[i]);
	}
	strbuf_free(&unwritten);
	return put_away_all(run, &inputs);
}

/* Processes of other users have logs, but cannot write to the run's folder. */
static void say_no_trace(const struct exports *run)
{
	const char *advice =
		flag_has_no_log() ? "" : "; 'computeprof report LOG' prints tables of its log";

	if (run->others)
		say("no %s was made: the records of a process of another user cannot be read%s",
		    run->view ? run->flags->value[FLAG_OUTPUT] : "table", advice);
	else if (run->from_totals)
		say("no %s was made: no process could keep its totals in a ring file (in /dev/shm, "
		    "or beside its log or trace)%s",
		    run->view ? run->flags->value[FLAG_OUTPUT] : "table",
		    run->logged ? advice : "");
	else
		export_say_none(run, "no process could write a trace",
				"; set TMPDIR to another directory");
}

/* The kernel's coarse clock may give a file of this run a time shortly before it: then both are
 * possible. */
static const char *origin_of(const struct stat *status, int64_t since)
{
	int64_t changed = (int64_t)status->st_ctim.tv_sec * 1000000000 + status->st_ctim.tv_nsec;

	if (since && changed > since)
		return "another program has made or changed it";
	return since && changed > since - LOGS_COARSE
		       ? "it existed before, or another program has made it"
		       : "it existed before";
}

/* No file was made. A file of this name, which is from an earlier run or another program, is
 * reported so that it is not taken for this run's. */
static void say_old(const struct exports *run)
{
	const char *pattern = run->flags->value[FLAG_OUTPUT];
	struct strbuf name = STRBUF_INIT;
	struct stat status;

	if (!run->view || run->written.length || filename_has(pattern, 'p'))
		return;
	filename_expand(&name, pattern, 0, 0);
	if (!export_is_empty(strbuf_text(&name)) && !lstat(strbuf_text(&name), &status))
		say("%s is not from this run: %s", strbuf_text(&name),
		    origin_of(&status, run->since));
	strbuf_free(&name);
}

/* Returns true if there is anything to make outputs of, or the user named the traces. */
static bool has_inputs(const struct exports *run, const struct strbuf *traces)
{
	if (!run->from_totals)
		return traces->length || !run->folder;
	return traces->length || run->totals->length || run->live->length || run->gone->length;
}

void exports_end(struct exports *run, struct strbuf *traces, bool any_alive)
{
	bool stays = false;

	/* A reader may close the pipe early; the program's exit code is kept. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	temp_cleanup_begin();
	if (is_wanted(run))
		export_list_own(run, traces);
	if (is_wanted(run) && !has_inputs(run, traces) &&
	    (run->logged || run->unknown || run->others))
		say_no_trace(run);
	if (is_wanted(run))
		stays = use_all(run, traces);
	if (run->in_job)
		job_table_end(&run->job, stderr);
	say_old(run);
	report_end(&run->report);
	report_free(&run->report);
	temp_cleanup_end();
	if (run->folder && !stays && any_alive && !run->from_totals)
		say("traces of processes that still run will be in %s", run->folder);
	else if (run->folder && !stays)
		rmdir(run->folder);
	free(run->folder);
	strbuf_free(&run->no_folder);
	strbuf_free(&run->written);
}

/* SPDX-License-Identifier: MIT */
/* computeprof PROGRAM: runs the program with the profiler loaded, then finishes its files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/pathlist.h"
#include "base/say.h"
#include "base/shellword.h"
#include "cli/run/child.h"
#include "cli/run/dying.h"
#include "cli/run/endings.h"
#include "cli/command.h"
#include "cli/run/injection.h"
#include "cli/library.h"
#include "cli/run/timeout.h"
#include "cli/run/variable_values.h"
#include "cli/lines.h"
#include "cli/list/list.h"
#include "cli/run/artifacts.h"
#include "cli/run/live_totals.h"
#include "cli/run/named_files.h"
#include "cli/run/others.h"
#include "cli/run/precheck.h"
#include "cli/run/program.h"
#include "cli/run/remaining.h"
#include "cli/run/result.h"
#include "cli/run/told.h"
#include "cli/run/unlisted.h"
#include "cli/print/export.h"
#include "session/logs.h"
#include "session/manifest.h"
#include "session/recover.h"
#include "session/rules.h"

static int open_injections(void)
{
	struct strbuf library = STRBUF_INIT;
	int result = library_find(&library);

	if (result)
		say("%s", strbuf_text(&library));
	else if (injection_check(strbuf_text(&library)))
		result = -1;
	else
		result = injection_open(strbuf_text(&library));
	strbuf_free(&library);
	return result;
}

/* An obstacle to loading is reported after the run, and only if nothing was logged. */
static void prepare_for(const char *name)
{
	struct program program = {0};

	program_examine(&program, name);
	if (elf_needs(&program.elf, "libasan.so"))
		injection_allow_sanitizer();
	program_free(&program);
}

static void add_live_totals(struct artifact_lists *lists, const char *path)
{
	struct strbuf totals = STRBUF_INIT;

	if (!live_totals_read(path, &totals))
		artifacts_add_totals(&lists->live, &totals);
	strbuf_free(&totals);
}

/* As recover_request. The process may have been killed a moment ago, as by timeout -s KILL. */
static enum recover_result recover_ended(const struct recover_request *request,
					 struct recover_report *report)
{
	enum recover_result result = recover_request(request, report);

	if (result != RECOVER_ALIVE || !dying_wait(request->path))
		return result;
	recover_report_free(report);
	*report = (struct recover_report){0};
	return recover_request(request, report);
}

static void add_paths(struct artifact_lists *lists, struct strbuf *list, struct strbuf *paths)
{
	const char *at = strbuf_text(paths), *line;
	size_t length;

	while ((line = lines_next(&at, &length)))
		artifacts_add(lists, list, line, length);
}

/* Recovers one ring file. Returns true if its process still runs. */
static bool recover_one(const struct recover_request *request, struct artifact_lists *lists,
			const struct child *child)
{
	const char *path = request->path;
	struct recover_report report = {0};
	enum recover_result result;

	if (access(path, F_OK))
		return false;
	result = recover_ended(request, &report);
	endings_note_found(lists, &report, path);
	endings_tell(path, result, &report, lists, child);
	if (result == RECOVER_FOREIGN || result == RECOVER_FAILED || report.in_memory)
		strbuf_printf(&lists->unrecovered, "%u\n", report.pid);
	if (report.in_memory)
		strbuf_printf(&lists->ungrown, "%u\n", report.pid);
	if (report.whole_trace)
		strbuf_printf(&lists->whole, "%u\n", report.pid);
	if (report.totals.length)
		artifacts_add_totals(&lists->totals, &report.totals);
	if (result == RECOVER_ALIVE)
		add_live_totals(lists, path);
	/* After an exec the process has another program, whose rows may be elsewhere. */
	if (result == RECOVER_DONE && report.pid == (uint32_t)child->pid && !report.executing)
		lists->finished = true;
	if (result == RECOVER_DONE && (report.lost || report.lost_calls))
		artifacts_add(lists, &lists->losses, "-", 1);
	add_paths(lists, &lists->logs, &report.logs);
	add_paths(lists, &lists->traces, &report.traces);
	add_paths(lists, &lists->api_logs, &report.api_logs);
	recover_report_free(&report);
	return result == RECOVER_ALIVE;
}

static char *named_pattern(const char *variable)
{
	const char *pattern = getenv(variable);

	return pattern && *pattern ? rules_pattern(pattern) : NULL;
}

/* The start time that note_start has stored; 0: the program was not run. */
static int64_t started(void)
{
	const char *since = getenv(MANIFEST_SINCE);

	return since ? (int64_t)number_read(since, NULL) : 0;
}

/* With -f, the files that the user named are overwritten even if the program was killed before it
 * opened them. */
static struct logs_overwrite allow_overwriting(const struct flags *flags)
{
	if (!flags->value[FLAG_FORCE])
		return (struct logs_overwrite){.since = 0};
	return (struct logs_overwrite){
		.patterns = {named_pattern("COMPUTE_PROFILE_LOG"),
			     named_pattern("COMPUTE_PROFILE_TRACE")},
		.since = started(),
	};
}

static bool recover_all(struct artifact_lists *lists, const struct flags *flags,
			const struct child *child)
{
	struct logs_overwrite overwrite = allow_overwriting(flags);
	const char *at = strbuf_text(&lists->rings), *line;
	bool any_alive = false;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		struct recover_request request = {.overwrite = &overwrite};
		char *path = pathlist_get(line, length);

		request.path = path;
		if (path)
			any_alive |= recover_one(&request, lists, child);
		free(path);
	}
	free(overwrite.patterns[0]);
	free(overwrite.patterns[1]);
	return any_alive;
}

/* A trace in the folder of the run is not the user's, and one of NVTX ranges does not have all. */
static unsigned tell_remaining(const struct artifacts *artifacts, const struct exports *exports,
			       struct artifact_lists *lists)
{
	const char *from = getenv("COMPUTE_PROFILE_TRACE_FROM");
	bool partial = exports->folder || (from && *from);
	char *trace = partial ? NULL : named_pattern("COMPUTE_PROFILE_TRACE");
	unsigned remaining = remaining_tell(artifacts->path, trace, lists);

	free(trace);
	return remaining;
}

/* Tables are printed last: programs that parse nvprof's output read the standard error to its
 * end. */
static void print_results(const struct flags *flags, struct artifacts *artifacts,
			  struct exports *exports, const struct child *child)
{
	struct artifact_lists lists = {0};
	struct strbuf traces;
	bool any_alive;

	artifacts_read(artifacts, &lists);
	unlisted_find(artifacts->path, &lists);
	any_alive = recover_all(&lists, flags, child);
	if (!artifacts->outer) /* which prints it */
		any_alive |= endings_without_ring(&lists, child);
	artifacts_read_ended(artifacts, &lists);
	endings_of_gone_rings(&lists, child, !artifacts->outer);
	artifacts_remove(artifacts);
	lists.remaining = tell_remaining(artifacts, exports, &lists);
	others_tell(&lists);
	if (!artifacts->outer)
		told_again(&lists, child);
	traces = lists.traces;
	lists.traces = (struct strbuf)STRBUF_INIT;
	exports_others(exports, &traces, &lists.traces);
	if (!artifacts_forward(artifacts, &lists))
		result_tell(&(struct result){.flags = flags,
					     .artifacts = artifacts,
					     .child = child,
					     .traced = traces.length || lists.totals.length,
					     .since = started()},
			    &lists);
	named_files_tell(flags, &lists);
	exports->missing = &lists.missing;
	exports->totals = &lists.totals;
	exports->live = &lists.live;
	exports->whole = &lists.whole;
	exports->since = started();
	exports->unrecovered = &lists.unrecovered;
	exports->ungrown = &lists.ungrown;
	exports->gone = &lists.gone;
	exports->unwritten = &lists.unwritten;
	exports->logged = lists.logs.length;
	exports->others = lists.others;
	exports->unknown = !artifacts->path || lists.cut;
	exports->report.options.cut = lists.cut;
	exports_end(exports, &traces, any_alive);
	strbuf_free(&traces);
	artifacts_free(artifacts, &lists);
}

static int end_as(const struct child *child, const struct flags *flags)
{
	if (child->late)
		return EXIT_TIMED_OUT;
	if (!child->error)
		return child_exit_code(child->status);
	if (flags->unstarted)
		*flags->unstarted = true;
	child_say_error(child, flags->arguments[0]);
	return child->error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* Handles a command line without a program. */
static int run_nothing(const struct flags *flags)
{
	struct strbuf words = STRBUF_INIT;

	if (!flags->value[FLAG_IMPORT]) {
		say("no program to run; see 'computeprof --help'");
		return EXIT_TOOL_FAILED;
	}
	if (flags->value[FLAG_OUTPUT]) {
		shellword_put(&words, flags->value[FLAG_OUTPUT]);
		strbuf_char(&words, ' ');
		shellword_put(&words, flags->value[FLAG_IMPORT]);
		say("-i prints tables; to convert the file, run: computeprof print -o %s",
		    strbuf_text(&words));
		strbuf_free(&words);
		return EXIT_TOOL_FAILED;
	}
	for (enum flag_id id = 0; id < FLAG_COUNT; id++) {
		if (!flags->value[id] || id == FLAG_IMPORT || flag_belongs(id, COMMAND_REPORT))
			continue;
		say("-i runs no program: leave out --%s", flag_rows[id].name);
		return EXIT_TOOL_FAILED;
	}
	return report_import(flags);
}

/* Returns 0, or -1 after one message. */
static int take_limit(struct child *child, const struct flags *flags)
{
	const char *text = flags->value[FLAG_TIMEOUT];

	child->limit = text ? timeout_read(text) : 0;
	if (!text || child->limit)
		return 0;
	say("--timeout needs a number of seconds above 0, as 90 or 0.5, not '%s'", text);
	return -1;
}

/* Files written from now on belong to this run, also files of a process that runs longer than the
 * tool. The coarse clock is not used: a file of an earlier run may have a later time than it. */
static void note_start(void)
{
	struct timespec now;
	char text[32];

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(text, sizeof(text), "%lld%09ld", (long long)now.tv_sec, now.tv_nsec);
	setenv(MANIFEST_SINCE, text, 1);
}

int run_command(const struct flags *flags)
{
	struct artifacts artifacts;
	struct exports exports;
	struct child child = {0};

	if (flags->value[FLAG_QUERY_EVENTS] || flags->value[FLAG_QUERY_METRICS])
		return list_query(flags);
	if (flags->value[FLAG_CHIP]) {
		say("--chip needs --query-events or --query-metrics");
		return EXIT_TOOL_FAILED;
	}
	if (flags->value[FLAG_IMPORT] || !flags->argument_count)
		return run_nothing(flags);
	flag_enable();
	if (take_limit(&child, flags) || flag_apply(flags) || open_injections() ||
	    precheck_run(flags) || exports_begin(&exports, flags))
		return EXIT_TOOL_FAILED;
	prepare_for(flags->arguments[0]);
	artifacts_open(&artifacts);
	unlisted_choose_directory(flags->value[FLAG_OUTPUT], exports.folder);
	variable_values_prepare();
	if (!flags->value[FLAG_QUIET])
		variable_values_say_cost();
	note_start();
	if (child_run(flags->arguments, &child)) {
		say("cannot start a process: %m");
		print_results(flags, &artifacts, &exports, &child);
		return EXIT_TOOL_FAILED;
	}
	if (child.late)
		say("timeout: the program was ended after %s seconds",
		    flags->value[FLAG_TIMEOUT]);
	print_results(flags, &artifacts, &exports, &child);
	return end_as(&child, flags);
}

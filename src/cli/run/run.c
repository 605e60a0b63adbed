/* SPDX-License-Identifier: MIT */
/* computeprof PROGRAM: runs the program with the profiler loaded, then finishes its files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/pathlist.h"
#include "base/say.h"
#include "cli/run/child.h"
#include "cli/command.h"
#include "cli/run/injection.h"
#include "cli/library.h"
#include "cli/run/limit.h"
#include "cli/lines.h"
#include "cli/list/list.h"
#include "cli/run/artifacts.h"
#include "cli/run/precheck.h"
#include "cli/run/program.h"
#include "cli/print/export.h"
#include "session/recover.h"

static int open_doors(void)
{
	struct strbuf library = STRBUF_INIT;
	int result = library_find(&library);

	if (result)
		say("%s", strbuf_text(&library));
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

/* Describes the end of the process. Only the program's exit status is known. */
static const char *how_it_ended(const struct recover_report *report, const struct child *child)
{
	if (report->executing)
		return "a process has become another program";
	if (!child->pid || report->pid != (uint32_t)child->pid)
		return "a process was killed, or ended without its exit handlers";
	if (WIFEXITED(child->status))
		return "the program ended without its exit handlers, by an exit_group system call "
		       "of its own (as Go's do)";
	return "the program was killed";
}

static void tell_recovered(const char *path, enum recover_result result,
			   struct recover_report *report, const struct child *child)
{
	if (result == RECOVER_ALIVE)
		say("a process still runs; if it is killed: computeprof recover %s", path);
	else if (result != RECOVER_DONE)
		say("cannot recover %s: %s", path, strbuf_text(&report->reason));
	else if (report->rows)
		say("%s; its log is finished: %llu rows added", how_it_ended(report, child),
		    (unsigned long long)report->rows);
	else if (!report->finished && !report->executing)
		say("%s; no row was left to add to its log", how_it_ended(report, child));
	if (result == RECOVER_DONE && report->lost)
		say("%llu records were lost in all", (unsigned long long)report->lost);
}

/* Whether its process still runs. */
static bool recover_one(const char *path, struct artifact_lists *lists, const struct child *child)
{
	struct recover_report report = {0};
	enum recover_result result;
	const char *at, *line;
	size_t length;

	if (access(path, F_OK))
		return false;
	result = recover_ring(path, &report);
	tell_recovered(path, result, &report, child);
	lists->kept |= result == RECOVER_FOREIGN || result == RECOVER_FAILED;
	if (result == RECOVER_DONE && report.lost)
		artifacts_add(&lists->losses, "-", 1);
	at = strbuf_text(&report.logs);
	while ((line = lines_next(&at, &length)))
		artifacts_add(&lists->logs, line, length);
	at = strbuf_text(&report.traces);
	while ((line = lines_next(&at, &length)))
		artifacts_add(&lists->traces, line, length);
	recover_report_free(&report);
	return result == RECOVER_ALIVE;
}

static bool recover_all(struct artifact_lists *lists, const struct child *child)
{
	const char *at = strbuf_text(&lists->rings), *line;
	bool any_alive = false;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);

		if (path)
			any_alive |= recover_one(path, lists, child);
		free(path);
	}
	return any_alive;
}

/* Root does not recover a file that another user named. A name that is not a single shell word is
 * not printed as part of a command. */
static void tell_ring_of_other(const char *path)
{
	static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "0123456789/._-";
	struct stat status;

	if (lstat(path, &status) || !S_ISREG(status.st_mode))
		return;
	say("a process of another user still runs or was killed; if it was killed: computeprof "
	    "recover %s",
	    path[strspn(path, harmless)] ? "and its ring file" : path);
}

static void tell_rings_of_others(struct artifact_lists *lists)
{
	const char *at = strbuf_text(&lists->rings_of_others), *line;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);

		if (path)
			tell_ring_of_other(path);
		free(path);
	}
}

static void name_all(const char *what, struct strbuf *list)
{
	const char *at = strbuf_text(list), *line;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);

		if (path)
			say("%s: %s", what, path);
		free(path);
	}
}

static bool is_on(const char *variable)
{
	const char *value = getenv(variable);

	return value && !strcmp(value, "1");
}

/* Why there can be no record, or NULL. */
static const char *known_reason(const struct artifact_lists *lists)
{
	if (!lists->waits.length || lists->asked.length)
		return NULL;
	return "the program has opened OpenCL or CUDA, but never asked to be recorded, neither by "
	       "computeprof_start() nor by cudaProfilerStart(), and before that nothing is "
	       "(--profile-from-start off, COMPUTE_PROFILE_WAIT or enableonstart)";
}

/* Never an empty result without a reason. */
static void explain(const char *name, const struct artifact_lists *lists, bool others_unknown)
{
	struct program program = {0};

	const char *all = getenv("COMPUTE_PROFILE");

	if (all && *all && !is_on("COMPUTE_PROFILE"))
		say("nothing was logged: COMPUTE_PROFILE is set, and not to 1");
	else if (!is_on("COMPUTE_PROFILE") && !is_on("CUDA_PROFILE") && !is_on("OPENCL_PROFILE"))
		say("nothing was logged: CUDA_PROFILE and OPENCL_PROFILE are not 1");
	else if (lists->losses.length)
		say("nothing was logged: all that there was is lost; why is said above");
	else if (lists->kept)
		say("it is not known what was logged: rows may be in the file that could not be "
		    "recovered");
	else if (lists->cut)
		say("it is not known what was logged: a process could not add to the list of its "
		    "files (a limit on file sizes, as of 'ulimit -f', or a full disk); what else "
		    "it could not write is said above");
	else if (lists->others && !lists->waits.length)
		say("it is not known what was logged: a process of another user was profiled, but "
		    "its log is not there");
	else if (known_reason(lists))
		say("nothing was logged: %s", known_reason(lists));
	else if (lists->waits.length)
		say("nothing was logged: the program has made no kernel, copy or fill while it "
		    "asked to be recorded");
	else if (program_examine(&program, name))
		say("nothing was logged: %s", strbuf_text(&program.obstacle));
	else
		say("nothing was logged: no work for a GPU was seen; 'computeprof doctor %s' tells "
		    "what may keep it from being seen%s",
		    name,
		    others_unknown ? "; processes of other users are not known: they cannot reach "
				     "the folder for temporary files (TMPDIR)"
				   : "");
	program_free(&program);
}

/* Prints the files that were written, or the reason why there are none. */
static void tell(const struct flags *flags, const struct artifacts *artifacts,
		 struct artifact_lists *lists, bool executed)
{
	if (!flags->value[FLAG_QUIET]) {
		name_all("log", &lists->logs);
		name_all("trace", &lists->traces);
	}
	if (executed && artifacts->path &&
	    ((!lists->logs.length && !lists->traces.length) || known_reason(lists)))
		explain(flags->arguments[0], lists,
			artifacts->has_folder && !artifacts_reach_others(artifacts));
}

/* Tables are printed last: programs that parse nvprof's output read the standard error to its
 * end. */
static void finish(const struct flags *flags, struct artifacts *artifacts, struct exports *exports,
		   const struct child *child)
{
	bool executed = child->pid && !child->error;
	struct artifact_lists lists = {0};
	struct strbuf traces;
	bool any_alive;

	artifacts_close(artifacts, &lists);
	any_alive = recover_all(&lists, child);
	tell_rings_of_others(&lists);
	traces = lists.traces;
	lists.traces = (struct strbuf)STRBUF_INIT;
	exports_others(exports, &traces, &lists.traces);
	if (!artifacts_hand_on(artifacts, &lists))
		tell(flags, artifacts, &lists, executed);
	exports->missing = &lists.missing;
	exports->logged = lists.logs.length;
	exports->others = lists.others;
	exports->unknown = !artifacts->path;
	exports->report.options.cut = lists.cut;
	exports_end(exports, &traces, any_alive);
	strbuf_free(&traces);
	artifacts_free(artifacts, &lists);
}

static int end_as(const struct child *child, const char *name)
{
	if (child->late)
		return EXIT_TIMED_OUT;
	if (!child->error)
		return child_exit_code(child->status);
	say("cannot run '%s': %s", name, strerror(child->error));
	return child->error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* Handles a command line without a program. */
static int run_nothing(const struct flags *flags)
{
	if (!flags->value[FLAG_IMPORT]) {
		say("no program to run; see 'computeprof --help'");
		return EXIT_TOOL_FAILED;
	}
	if (flags->value[FLAG_OUTPUT]) {
		say("-i prints tables; 'computeprof print -o %s %s' makes a file of a file",
		    flags->value[FLAG_OUTPUT], flags->value[FLAG_IMPORT]);
		return EXIT_TOOL_FAILED;
	}
	for (enum flag_id id = 0; id < FLAG_COUNT; id++) {
		if (!flags->value[id] || id == FLAG_IMPORT || flag_belongs(id, COMMAND_REPORT))
			continue;
		say("with -i no program is run: leave --%s out", flag_rows[id].name);
		return EXIT_TOOL_FAILED;
	}
	return report_import(flags);
}

/* Returns 0, or -1 after one message. */
static int take_limit(struct child *child, const struct flags *flags)
{
	const char *text = flags->value[FLAG_TIMEOUT];

	child->limit = text ? limit_read(text) : 0;
	if (!text || child->limit)
		return 0;
	say("--timeout needs a number of seconds above 0, as 90 or 0.5, not '%s'", text);
	return -1;
}

/* Files written from now on belong to this run, also files of a process that outlives the tool. The
 * coarse clock is not used: a file of an earlier run may have a later time than it. */
static void note_start(void)
{
	struct timespec now;
	char text[32];

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(text, sizeof(text), "%lld%09ld", (long long)now.tv_sec, now.tv_nsec);
	setenv("COMPUTEPROF_SINCE", text, 1);
}

int run_command(const struct flags *flags)
{
	struct artifacts artifacts;
	struct exports exports;
	struct child child = {0};

	if (flags->value[FLAG_QUERY_EVENTS] || flags->value[FLAG_QUERY_METRICS])
		return list_query(flags);
	if (flags->value[FLAG_CHIP]) {
		say("--chip is for --query-events and --query-metrics");
		return EXIT_TOOL_FAILED;
	}
	if (flags->value[FLAG_IMPORT] || !flags->argument_count)
		return run_nothing(flags);
	flag_enable();
	if (take_limit(&child, flags) || flag_apply(flags) || open_doors() ||
	    precheck_run(flags) || exports_begin(&exports, flags))
		return EXIT_TOOL_FAILED;
	prepare_for(flags->arguments[0]);
	artifacts_open(&artifacts);
	note_start();
	if (child_run(flags->arguments, &child)) {
		say("cannot start a process: %m");
		finish(flags, &artifacts, &exports, &child);
		return EXIT_TOOL_FAILED;
	}
	if (child.late)
		say("time was up: the program was ended after %s seconds",
		    flags->value[FLAG_TIMEOUT]);
	finish(flags, &artifacts, &exports, &child);
	return end_as(&child, flags->arguments[0]);
}

/* SPDX-License-Identifier: MIT */
#include "cli/run/result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pathlist.h"
#include "base/say.h"
#include "base/shellword.h"
#include "cli/lines.h"
#include "cli/run/endings.h"
#include "cli/run/others.h"
#include "cli/run/program.h"
#include "cli/run/unlisted.h"
#include "cli/run/variable_values.h"
#include "model/api.h"
#include "settings/environ.h"
#include "view/stream/stream.h"

static void name_all(const char *what, struct strbuf *list, struct strbuf *replaced)
{
	const char *at = strbuf_text(list), *line;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);
		bool none = path && flag_has_no_log() && !strcmp(path, "/dev/null");

		if (path && !none && access(path, F_OK) && errno == ENOENT)
			say("%s: %s, which does not exist any more", what, path);
		else if (path && !none && lines_have(strbuf_text(replaced), line, length, false))
			say("%s: %s, which was removed or moved: another file has this name now",
			    what, path);
		else if (path && !none)
			say("%s: %s", what, path);
		free(path);
	}
}

/* Returns the reason why there can be no record, or NULL. */
static const char *known_reason(const struct artifact_lists *lists)
{
	if (!lists->waits.length || lists->asked.length)
		return NULL;
	return "recording was off (--profile-from-start off, COMPUTE_PROFILE_WAIT or "
	       "enableonstart), and the program called neither computeprof_start() nor "
	       "cudaProfilerStart()";
}

/* Returns false if the log or trace has no record. One that cannot be read may have some. */
static bool has_records(const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	const struct record *record;
	bool has = !stream || stream_next(stream, &record, &error);

	stream_close(stream);
	strbuf_free(&error);
	return has;
}

static bool any_has_records(struct strbuf *list)
{
	const char *at = strbuf_text(list), *line;
	bool has = false;
	size_t length;

	while (!has && (line = lines_next(&at, &length))) {
		char *path = pathlist_get(line, length);

		has = path && !(flag_has_no_log() && !strcmp(path, "/dev/null")) &&
		      has_records(path);
		free(path);
	}
	return has;
}

/* A process can have settings of its own: then there are records although others waited. Files that
 * processes of other users name are not read. */
static bool is_idle(struct artifact_lists *lists)
{
	return known_reason(lists) && !lists->others && !any_has_records(&lists->logs) &&
	       !any_has_records(&lists->traces);
}

static void say_idle(struct artifact_lists *lists)
{
	const char *at = strbuf_text(lists->logs.length ? &lists->logs : &lists->traces);
	size_t length = strcspn(at, "\n"), all = lists->logs.length + lists->traces.length;
	char *path = length ? pathlist_get(at, length) : NULL;

	if (!all || (path && flag_has_no_log() && !strcmp(path, "/dev/null")))
		say("nothing was logged: %s", known_reason(lists));
	else if (path && all == length + 1)
		say("nothing was logged: %s; %s has no rows", known_reason(lists), path);
	else
		say("nothing was logged: %s; the logs and traces have no rows",
		    known_reason(lists));
	free(path);
}

static void say_all_off(void)
{
	struct strbuf names = STRBUF_INIT;

	for (unsigned int i = 1; i < ENVIRON_FAMILIES; i++)
		strbuf_printf(&names, "%s%s", i > 1 ? " and " : "", environ_family(i));
	say("nothing was logged: %s are not 1", strbuf_text(&names));
	strbuf_free(&names);
}

/* Returns the name of the API to which an option or the switch of one API restricts the log, or
 * NULL. */
static const char *only_api(const struct flags *flags)
{
	const char *all = getenv(environ_family(0)), *only = NULL;
	int count = 0;

	for (int api = 0; api < API_COUNT; api++) {
		const char *own = getenv(api_rows[api].variable);

		if (flags->value[FLAG_APIS + api])
			return api_rows[api].name;
		if (own && !strcmp(own, "1")) {
			only = api_rows[api].name;
			count++;
		}
	}
	return count == 1 && !(all && *all) ? only : NULL;
}

/* Returns true after a message if a log of this run exists that no process has listed. */
static bool say_unlisted(int64_t since)
{
	char *path = unlisted_log(since);
	bool found = path;

	if (found)
		say("it is not known whether the log is complete: %s is in no list of files: its "
		    "process has only begun, or cannot write to the list (a private TMPDIR)",
		    path);
	free(path);
	return found;
}

/* No reason is known. */
static void say_unreported(const char *work, const char *program, bool others_unknown)
{
	struct strbuf word = STRBUF_INIT;

	shellword_put(&word, program);
	say("nothing was logged: no %s was reported%s; to find the cause, run: computeprof doctor "
	    "%s",
	    work,
	    others_unknown ? "; processes of other users are not known, because they cannot "
			     "access the directory for temporary files (TMPDIR)"
			   : "",
	    strbuf_text(&word));
	strbuf_free(&word);
}

static void say_cut(void)
{
	say("it is not known whether the log is complete: a process could not add to the list of "
	    "its files (a limit on file sizes or open files, as of 'ulimit', a sandbox, or a full "
	    "disk); the messages above name its other losses");
}

/* Prints the reason for an empty result. Processes that cannot add to the list of files, as after
 * chroot, have reported nothing. */
static void explain(const struct result *result, struct artifact_lists *lists, bool others_unknown)
{
	const struct flags *flags = result->flags;
	const char *name = flags->arguments[0], *only = only_api(flags),
		   *all = getenv("COMPUTE_PROFILE");
	bool elsewhere = result->traced || lists->events.length || lists->metrics.length;
	bool traced = result->traced;
	struct program program = {0};
	char work[64];

	snprintf(work, sizeof(work), "GPU work%s%s", only ? " of " : "", only ? only : "");
	if (all && *all && strcmp(all, "1"))
		say("nothing was logged: COMPUTE_PROFILE is set, but not to 1");
	else if (!environ_any_enabled())
		say_all_off();
	else if (lists->losses.length && elsewhere)
		say("no log was written, for the reasons above");
	else if (lists->losses.length)
		say("nothing was logged: all records were lost, for the reasons above");
	else if (lists->unrecovered.length)
		say("it is not known whether the log is complete, for the reasons above");
	else if (lists->unread)
		say("it is not known whether the log is complete: the list of its files could not "
		    "be read");
	else if (lists->cut)
		say_cut();
	else if (lists->others && !lists->waits.length)
		others_explain();
	else if (!lists->logs.length && !flag_has_no_log() && say_unlisted(result->since))
		return;
	else if (known_reason(lists))
		say_idle(lists);
	else if (lists->waits.length)
		say("nothing was logged: the program launched no kernel, copy or fill while "
		    "recording was on");
	else if (lists->remaining)
		say("nothing was logged: no %s was reported up to the end of the program", work);
	else if (traced && variable_values_want_samples()) {
		if (!environ_samples_only())
			say("no log was written: no %s was reported, only CPU samples were taken",
			    work);
	} else if (program_examine(&program, name))
		say("nothing was logged: %s", strbuf_text(&program.obstacle));
	else if (any_has_records(&lists->totals))
		say_cut(); /* the tool finds the totals without the list */
	else
		say_unreported(work, name, others_unknown);
	program_free(&program);
}

static void name_files(struct artifact_lists *lists, bool idle)
{
	if (!idle) {
		name_all("log", &lists->logs, &lists->replaced);
		name_all("trace", &lists->traces, &lists->replaced);
	}
	name_all("API log", &lists->api_logs, &lists->replaced);
	name_all("event stream", &lists->events, &lists->replaced);
	name_all("metrics logs", &lists->metrics, &lists->replaced);
}

/* The trace has CPU samples only, and a log is wanted, too. */
static bool lacks_log(const struct result *result, const struct artifact_lists *lists)
{
	return result->traced && variable_values_want_samples() && !environ_samples_only() &&
	       !lists->logs.length && !flag_has_no_log();
}

void result_tell(const struct result *result, struct artifact_lists *lists)
{
	const struct artifacts *artifacts = result->artifacts;
	bool executed = result->child->pid && !result->child->error;
	bool idle = is_idle(lists);

	if (!result->flags->value[FLAG_QUIET])
		name_files(lists, idle);
	if (executed && artifacts->path &&
	    ((!lists->logs.length && !lists->traces.length && !lists->api_logs.length) || idle ||
	     lacks_log(result, lists)))
		explain(result, lists, artifacts->has_folder && !artifacts_reach_others(artifacts));
	else if (executed)
		endings_of_cut_list(lists, result->child);
}

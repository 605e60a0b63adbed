/* SPDX-License-Identifier: MIT */
#include "cli/run/endings.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/map.h"
#include "base/number.h"
#include "base/pathlist.h"
#include "base/say.h"
#include "base/shellword.h"
#include "base/text.h"
#include "cli/flag.h"
#include "cli/lines.h"
#include "cli/run/cut_streams.h"
#include "model/catalog.h"

/* The end of a process in words. */
struct ending {
	char text[160];
};

static bool is_program(uint32_t pid, const struct child *child)
{
	return child->pid && pid == (uint32_t)child->pid;
}

/* The exit status of the program is known, that of other processes is not. */
static struct ending how_it_ended(uint32_t pid, uint32_t rank, bool executing,
				  const struct child *child)
{
	struct ending ending = {"the program was killed"};
	const struct process_name process = process_name(pid, rank);

	if (executing)
		snprintf(ending.text, sizeof(ending.text),
			 "process %s has executed another program", process.text);
	else if (!is_program(pid, child))
		snprintf(ending.text, sizeof(ending.text),
			 "process %s was killed, or ended without its exit handlers", process.text);
	else if (WIFEXITED(child->status))
		snprintf(
			ending.text, sizeof(ending.text),
			"the program ended before its log was complete (the driver did not answer, "
			"or it was the program's own exit_group system call, as in Go programs)");
	return ending;
}

static const char *records_were(uint64_t count)
{
	return count == 1 ? "record was" : "records were";
}

static void tell_lost(const struct recover_report *report, const struct child *child)
{
	unsigned long long count = report->lost;

	if (is_program(report->pid, child))
		say("%llu %s lost in total", count, records_were(count));
	else
		say("process %s: %llu %s lost in total",
		    process_name(report->pid, report->rank).text, count, records_were(count));
}

static void tell_calls(const struct recover_report *report, const struct child *child)
{
	unsigned long long count = report->calls, lost = report->lost_calls;
	const char *were = count == 1 ? "call was" : "calls were";
	char missing[64] = "", process[64] = "";

	if (lost)
		snprintf(missing, sizeof(missing), "; %llu %s missing in it", lost,
			 lost == 1 ? "call is" : "calls are");
	if (!is_program(report->pid, child))
		snprintf(process, sizeof(process),
			 "process %s: ", process_name(report->pid, report->rank).text);
	say("%s%llu %s added to the API log%s", process, count, were, missing);
}

/* Returns true if a log is in the list, and is not /dev/null. */
static bool has_log(struct strbuf *logs)
{
	static const char none[] = "/dev/null";
	const char *at = strbuf_text(logs), *line;
	size_t length;

	while ((line = lines_next(&at, &length)))
		if (length != sizeof(none) - 1 || memcmp(line, none, length) != 0)
			return true;
	return false;
}

/* As tell_done, for a process without a log. */
static void tell_records(const struct recover_report *report, const char *end,
			 const struct child *child, bool logs)
{
	unsigned long long rows = report->rows, lost = report->lost;
	const char *were = records_were(rows);

	if (report->in_memory && lost)
		say("%s; %llu %s recovered, %llu %s lost, and further records may be missing: its "
		    "ring file could not grow",
		    end, rows, were, lost, records_were(lost));
	else if (report->in_memory)
		say("%s; %llu %s recovered, and records may be missing: its ring file could not "
		    "grow",
		    end, rows, were);
	else if (lost && (rows || !report->executing))
		say("%s; %llu %s recovered; %llu %s lost", end, rows, were, lost,
		    records_were(lost));
	else if (lost)
		tell_lost(report, child);
	else if (rows)
		say("%s; %llu %s recovered", end, rows, were);
	else if (!report->executing)
		say(logs ? "%s; no record had to be recovered"
			 : "%s; it is recovered, and had no row for a log",
		    end);
}

/* All losses are in one sentence, so that none contradicts another. `logs`: a process of the run
 * has a log. */
static void tell_done(struct recover_report *report, const struct child *child, bool logs)
{
	const struct ending ending =
		how_it_ended(report->pid, report->rank, report->executing, child);
	const char *end = ending.text;
	unsigned long long rows = report->rows, lost = report->lost;
	const char *were_added = rows == 1 ? "row was added" : "rows were added";
	const char *added = rows == 1 ? "row added" : "rows added";

	logs |= report->logs.length;
	if (flag_has_no_log() && !has_log(&report->logs))
		tell_records(report, end, child, logs);
	else if (report->in_memory && lost)
		say("%s; %llu %s to its log, %llu %s lost, and further rows may be missing: its "
		    "ring file could not grow",
		    end, rows, were_added, lost, records_were(lost));
	else if (report->in_memory)
		say("%s; %llu %s to its log, and rows may be missing: its ring file could not grow",
		    end, rows, were_added);
	else if (lost && (rows || !report->executing))
		say("%s; its log is finished: %llu %s; %llu %s lost", end, rows, added, lost,
		    records_were(lost));
	else if (lost)
		tell_lost(report, child);
	else if (rows)
		say("%s; its log is finished: %llu %s", end, rows, added);
	else if (!report->executing && !logs)
		say("%s; it is recovered, and had no row for a log", end);
	else if (!report->executing)
		say("%s; its log already has all rows", end);
}

static void tell_failed(const char *path, struct recover_report *report)
{
	struct strbuf more = STRBUF_INIT;

	if (report->lost)
		strbuf_printf(&more, "; %llu other %s lost before",
			      (unsigned long long)report->lost, records_were(report->lost));
	if (report->in_memory)
		strbuf_printf(&more, "%s further %s may be missing: its ring file could not grow",
			      more.length ? ", and" : ";", flag_has_no_log() ? "records" : "rows");
	say("cannot recover %s: %s%s", path, strbuf_text(&report->reason), strbuf_text(&more));
	strbuf_free(&more);
}

void endings_tell(const char *path, enum recover_result result, struct recover_report *report,
		  struct artifact_lists *lists, const struct child *child)
{
	struct strbuf word = STRBUF_INIT;

	shellword_put(&word, path);
	if (result == RECOVER_ALIVE && flag_has_no_log())
		say("a process still runs, and this run writes no log; if it is killed, run: "
		    "computeprof recover --into . %s",
		    strbuf_text(&word));
	else if (result == RECOVER_ALIVE)
		say("a process still runs; its later rows are only in its own log; if it is "
		    "killed, run: computeprof recover %s",
		    strbuf_text(&word));
	else if (result != RECOVER_DONE)
		tell_failed(path, report);
	else if (!report->finished)
		tell_done(report, child, lists->logs.length);
	else if (report->lost)
		tell_lost(report, child);
	if (result == RECOVER_DONE && report->left)
		say("cannot remove the ring file %s: %s; it is not needed any more", path,
		    strerror(report->left));
	if (result == RECOVER_DONE && (report->calls || report->lost_calls))
		tell_calls(report, child);
	if (result != RECOVER_ALIVE && report->pid && !report->executing)
		cut_streams_tell(lists, report->pid);
	strbuf_free(&word);
}

/* Prints a message about a process without a ring file. Returns true if it still runs. */
static bool tell_without_ring(struct artifact_lists *lists, uint32_t pid, const struct child *child)
{
	if (pid != (uint32_t)child->pid && (!kill((pid_t)pid, 0) || errno == EPERM)) {
		say("process %u still runs, without a ring file; its later rows are %s; if it is "
		    "killed, rows will be missing",
		    pid,
		    flag_has_no_log() ? "in no table, and this run writes no log"
				      : "only in its own log");
		return true;
	}
	/* With a cut list it may have ended normally. */
	if (lists->cut && (pid != (uint32_t)child->pid || WIFEXITED(child->status)))
		say("it is not known whether all rows of process %u are in its log: its ring file "
		    "could not be made, and it could not add to the list of its files",
		    pid);
	else
		say("%s; rows may be missing: its ring file could not be made",
		    how_it_ended(pid, 0, false, child).text);
	cut_streams_tell(lists, pid);
	strbuf_printf(&lists->unrecovered, "%u\n", pid);
	/* Without a ring file there are no totals, so its trace begins at its start. */
	strbuf_printf(&lists->whole, "%u\n", pid);
	return false;
}

bool endings_without_ring(struct artifact_lists *lists, const struct child *child)
{
	const char *at = strbuf_text(&lists->memory), *line;
	bool any_alive = false;
	size_t length;

	while ((line = lines_next(&at, &length))) {
		uint64_t pid = number_read(line, NULL);

		if (!lines_have(strbuf_text(&lists->ended), line, length, false) && pid &&
		    pid <= INT32_MAX)
			any_alive |= tell_without_ring(lists, (uint32_t)pid, child);
	}
	return any_alive;
}

void endings_note_found(struct artifact_lists *lists, const struct recover_report *report,
			const char *path)
{
	strbuf_printf(&lists->found, "%llu ", (unsigned long long)report->started);
	pathlist_put(&lists->found, path);
	strbuf_char(&lists->found, '\n');
}

/* Adds the hashes of the lines to a set. Without memory the set may lack some. */
static void put_all(struct map *set, struct strbuf *lines)
{
	const char *at = strbuf_text(lines), *line;
	size_t length;

	while ((line = lines_next(&at, &length)))
		map_set(set, text_hash(line, length) | 1, set);
}

static bool has_line(const struct map *set, const char *line, size_t length)
{
	return map_get(set, text_hash(line, length) | 1);
}

/* A line of lists->begun. */
struct begun {
	uint64_t pid;
	uint64_t started;
	const char *line;
	size_t session; /* length of the part before the path */
	size_t length;
	const char *path; /* in the line, to its end */
};

static bool read_begun(struct begun *begun, const char *line, size_t length)
{
	const char *at = line;

	*begun = (struct begun){.line = line, .length = length};
	begun->pid = number_read(at, &at);
	begun->started = *at == ' ' ? number_read(at + 1, &at) : 0;
	if (*at == ' ')
		number_read(at + 1, &at);
	begun->session = (size_t)(at - line);
	begun->path = at + 1;
	return begun->pid && begun->pid <= INT32_MAX && *at == ' ' && begun->session < length;
}

enum ring { RING_GONE, RING_OURS, RING_FOREIGN };

/* Returns whether the ring file of the session still exists. Those of other users are not
 * recovered. */
static enum ring look_for_ring(const struct begun *begun)
{
	size_t length = begun->length - (size_t)(begun->path - begun->line);
	char *path = pathlist_get(begun->path, length);
	enum ring result = RING_GONE;
	struct stat status;

	if (path && !stat(path, &status))
		result = status.st_uid == geteuid() ? RING_OURS : RING_FOREIGN;
	free(path);
	return result;
}

/* Returns true if the ring file of this session, or one of an unknown session, was found. */
static bool was_found(const struct map *found, const struct begun *begun)
{
	size_t length = begun->length - (size_t)(begun->path - begun->line);
	struct strbuf text = STRBUF_INIT;
	bool is;

	strbuf_printf(&text, "%llu %.*s", (unsigned long long)begun->started, (int)length,
		      begun->path);
	is = has_line(found, strbuf_text(&text), text.length);
	text.length = 0;
	strbuf_printf(&text, "0 %.*s", (int)length, begun->path);
	is |= has_line(found, strbuf_text(&text), text.length);
	strbuf_free(&text);
	return is;
}

static void tell_gone(const struct begun *begun, bool kept, const struct child *child)
{
	char *path = pathlist_get(begun->path, begun->length - (size_t)(begun->path - begun->line));
	uint32_t pid = (uint32_t)begun->pid;

	if (kept)
		say("the totals of process %u are missing: its ring file %s is not there: it was "
		    "removed, or the process had a mount namespace of its own",
		    pid, path ? path : "");
	else if (pid == (uint32_t)child->pid)
		say("%s; rows may be missing: its ring file %s is not there: it was removed, "
		    "or the process had a mount namespace of its own",
		    how_it_ended(pid, 0, false, child).text, path ? path : "");
	else
		say("rows of process %u may be missing: it has not finished, and its ring file %s "
		    "is not there: it was removed, or the process had a mount namespace of its own",
		    pid, path ? path : "");
	free(path);
}

void endings_of_gone_rings(struct artifact_lists *lists, const struct child *child, bool aloud)
{
	struct map found = {NULL}, ended = {NULL}, kept = {NULL};
	const char *at = strbuf_text(&lists->begun), *line;
	struct strbuf rest = STRBUF_INIT;
	size_t length;

	put_all(&found, &lists->found);
	put_all(&ended, &lists->ended);
	put_all(&kept, &lists->kept);
	while ((line = lines_next(&at, &length))) {
		struct begun begun;
		enum ring ring;

		if (!read_begun(&begun, line, length) || has_line(&ended, line, begun.session))
			continue;
		ring = look_for_ring(&begun);
		if (ring == RING_OURS || (ring == RING_GONE && was_found(&found, &begun)))
			continue;
		if (aloud && ring == RING_GONE)
			tell_gone(&begun, has_line(&kept, line, begun.session), child);
		if (ring == RING_GONE)
			strbuf_printf(&rest, "%.*s\n", (int)length, line);
		strbuf_printf(&lists->unrecovered, "%u\n", (unsigned)begun.pid);
		strbuf_printf(&lists->gone, "%u %llu 0 0\n", (unsigned)begun.pid,
			      (unsigned long long)begun.started);
	}
	strbuf_free(&lists->begun);
	lists->begun = rest;
	map_free(&found);
	map_free(&ended);
	map_free(&kept);
}

void endings_of_cut_list(const struct artifact_lists *lists, const struct child *child)
{
	if (!lists->cut || lists->finished || lists->unrecovered.length || !child->pid)
		return;
	say("%sa process could not add to the list of its files (a limit on file sizes or open "
	    "files, as of 'ulimit', a sandbox, or a full disk): rows may be missing, and no "
	    "message has their number",
	    WIFEXITED(child->status) ? "" : "the program was killed, and ");
}

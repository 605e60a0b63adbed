/* SPDX-License-Identifier: MIT */
#include "cli/run/endings.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/number.h"
#include "base/say.h"
#include "cli/lines.h"

/* Describes the end of the process. Only the program's exit status is known. */
static const char *how_it_ended(uint32_t pid, bool executing, const struct child *child)
{
	if (executing)
		return "a process has executed another program";
	if (!child->pid || pid != (uint32_t)child->pid)
		return "a process was killed, or ended without its exit handlers";
	if (WIFEXITED(child->status))
		return "the program ended without its exit handlers, by its own exit_group system "
		       "call (as Go programs do)";
	return "the program was killed";
}

static const char *records_were(uint64_t count)
{
	return count == 1 ? "record was" : "records were";
}

static void tell_lost(uint64_t count)
{
	say("%llu %s lost in total", (unsigned long long)count, records_were(count));
}

/* All losses are in one sentence, so that none contradicts another. `logs`: a process of the run
 * has a log. */
static void tell_done(const struct recover_report *report, const struct child *child, bool logs)
{
	const char *end = how_it_ended(report->pid, report->executing, child);
	unsigned long long rows = report->rows, lost = report->lost;
	const char *were_added = rows == 1 ? "row was added" : "rows were added";
	const char *added = rows == 1 ? "row added" : "rows added";

	if (report->in_memory && lost)
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
		tell_lost(lost);
	else if (rows)
		say("%s; its log is finished: %llu %s", end, rows, added);
	else if (!report->executing && !logs && !report->logs.length)
		say("%s; it is recovered, and had no row for a log", end);
	else if (!report->executing)
		say("%s; its log already has all rows", end);
}

static void tell_failed(const char *path, struct recover_report *report)
{
	const char *reason = strbuf_text(&report->reason);

	if (report->lost)
		say("cannot recover %s: %s; %llu other %s lost before", path, reason,
		    (unsigned long long)report->lost, records_were(report->lost));
	else
		say("cannot recover %s: %s", path, reason);
}

void endings_tell(const char *path, enum recover_result result, struct recover_report *report,
		  const struct artifact_lists *lists, const struct child *child)
{
	if (result == RECOVER_ALIVE)
		say("a process still runs; its later rows are only in its own log; if it is "
		    "killed, run: computeprof recover %s",
		    path);
	else if (result != RECOVER_DONE)
		tell_failed(path, report);
	else if (!report->finished)
		tell_done(report, child, lists->logs.length);
	else if (report->lost)
		tell_lost(report->lost);
	if (result == RECOVER_DONE && report->left)
		say("cannot remove the ring file %s: %s; it is not needed any more", path,
		    strerror(report->left));
	if (result == RECOVER_DONE && report->calls)
		say("%llu %s added to the API log", (unsigned long long)report->calls,
		    report->calls == 1 ? "call was" : "calls were");
}

/* Returns true if the process still runs, after a message. */
static bool tell_without_ring(struct artifact_lists *lists, uint32_t pid,
			      const struct child *child)
{
	if (pid != (uint32_t)child->pid && (!kill((pid_t)pid, 0) || errno == EPERM)) {
		say("process %u still runs, without a ring file; its later rows are only in its "
		    "own log; if it is killed, rows will be missing",
		    pid);
		return true;
	}
	/* With a cut list it may have ended normally. */
	if (lists->cut && (pid != (uint32_t)child->pid || WIFEXITED(child->status)))
		say("it is not known whether all rows of process %u are in its log: its ring file "
		    "could not be made, and it could not add to the list of its files",
		    pid);
	else
		say("%s; rows may be missing: its ring file could not be made",
		    how_it_ended(pid, false, child));
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

void endings_of_cut_list(const struct artifact_lists *lists, const struct child *child)
{
	if (!lists->cut || lists->finished || lists->unrecovered.length || !child->pid ||
	    WIFEXITED(child->status))
		return;
	say("the program was killed, and a process could not add to the list of its files (a limit "
	    "on file sizes or open files, as of 'ulimit', a sandbox, or a full disk): rows may be "
	    "missing that no message counts");
}

/* SPDX-License-Identifier: MIT */
#include "session/logreport.h"

#include <stdio.h>

#include "base/say.h"
#include "output/logreader.h"
#include "session/logname.h"
#include "session/logtrace.h"
#include "session/manifest.h"
#include "session/tell.h"

/* Reports about the logs. */

static void say_unreported(void)
{
	static int said;

	say_once(&said, "the command computeprof will not report this: its list of the run's files "
			"does not exist here or is read-only, for example after chroot");
}

/* Tells the tool that there are losses. */
static void add_lost(void)
{
	if (!manifest_add("lost", "-"))
		say_unreported();
}

void logs_report_lost(uint64_t count)
{
	tell("%llu %s lost", (unsigned long long)count, count == 1 ? "record was" : "records were");
	add_lost();
}

/* The totals or the trace have them. */
static void report_lacking(uint64_t count)
{
	tell("%llu %s lost from the log only", (unsigned long long)count,
	     count == 1 ? "record was" : "records were");
	add_lost();
}

/* Returns the growth of a number since the last report. It may have decreased: records reported as
 * lost may come later. */
static unsigned long long not_reported_yet(uint64_t *reported, uint64_t now)
{
	uint64_t before = *reported;

	if (now <= before)
		return 0;
	*reported = now;
	return now - before;
}

static void tell_missing(struct trace_file *trace)
{
	unsigned long long events =
		not_reported_yet(&trace->reported_events, trace->missing_events);
	unsigned long long records =
		not_reported_yet(&trace->reported_records, trace->missing - trace->missing_events);

	if (records)
		tell("%llu %s missing in the trace", records,
		     records == 1 ? "record is" : "records are");
	if (events)
		tell("%llu %s missing in the trace", events,
		     events == 1 ? "call or other event is" : "calls and other events are");
	if (trace->missing) /* the number may be missing in the trace */
		add_lost();
}

static void tell_calls(struct logs *logs)
{
	struct call_losses *losses = &logs->lost_calls, *limits = &logs->limited_calls;
	unsigned long long lost = not_reported_yet(&losses->reported, losses->count);
	unsigned long long limited = not_reported_yet(&limits->reported, limits->count);

	if (lost) {
		tell("%llu %s missing in the API log", lost, lost == 1 ? "call is" : "calls are");
		add_lost();
	}
	if (limited)
		say("%llu %s left out of the API log by the limits of the configuration file",
		    limited, limited == 1 ? "call was" : "calls were");
}

static bool wants_trace(const struct logs *logs)
{
	for (int api = 0; api < API_COUNT; api++)
		if (logs->settings[api] && logs_has_trace(logs, logs->settings[api]))
			return true;
	return false;
}

/* A trace contains its losses. If there is none, the tool is notified. */
static void tell_without_trace(const struct logs *logs, uint64_t records, uint64_t events)
{
	if (!records && !events)
		return;
	if (!wants_trace(logs) || (logs->trace.path && logs->trace.size))
		return;
	manifest_add_missing(logs->pid, logs->catalog->process.started, records, events);
}

/* Returns true if records that the logs lack are in the trace, or in running totals that the tool
 * reads. `unread`: it reads none. */
static bool are_elsewhere(const struct logs *logs, bool unread)
{
	bool totals = false;

	for (int api = 0; api < API_COUNT; api++)
		totals |= logs->settings[api] && logs->settings[api]->totals;
	if (logs->trace.path && logs->trace.size && !logs->trace.failed)
		return true;
	return totals && logs->ringfile && !logs->ringfile->header->totals_off && !unread;
}

static void report_losses(struct logs *logs, uint64_t lost)
{
	uint64_t lacking;
	unsigned long long count;
	bool unread;

	if (lost + logs->lost == logs->reported_lost + logs->reported_lacking)
		return;
	unread = logs_are_unread(logs);
	lacking = are_elsewhere(logs, unread) ? logs->lost - logs->dropped : 0;
	if ((count = not_reported_yet(&logs->reported_lost, lost + logs->lost - lacking))) {
		logs_report_lost(count);
		if (!logs->keep_existing && unread)
			say_unreported();
	}
	if ((count = not_reported_yet(&logs->reported_lacking, lacking)))
		report_lacking(count);
}

static struct log_file *first_open(struct logs *logs)
{
	for (uint32_t i = 0; i < logs->count; i++)
		if (logs->files[i].path && !logs->files[i].failed && !logs->files[i].of_calls)
			return &logs->files[i];
	return NULL;
}

/* Writes the messages as comments; without memory for all of them writes none and returns false. */
static bool put_kept_lines(struct strbuf *to)
{
	size_t before = to->length;
	const char *line;

	to->failed = false; /* a row may have failed for lack of memory */
	while (!to->failed && (line = say_next_kept())) {
		strbuf_string(to, LOG_COMMENT);
		strbuf_string(to, line);
	}
	if (!to->failed)
		return true;
	to->failed = false;
	to->length = before;
	return false;
}

/* Writes messages that stderr did not take to the end of a log, or of another one if that fails. */
static void write_kept_lines(struct logs *logs)
{
	struct log_file *log;
	bool written = false;

	while (!written && !logs->stalled && (log = first_open(logs))) {
		if (!put_kept_lines(&log->buffer)) {
			say_end_kept(false);
			return;
		}
		logs_flush(logs, log);
		written = !log->failed;
		say_end_kept(written);
	}
}

/* The tool does not name the path of a file that was removed or moved as that of the run. */
static enum file_damage look(const struct file *file, const char *path, bool failed, uint64_t size)
{
	enum file_damage damage = FILE_UNDAMAGED;

	if (path && !failed && file->regular && file->fd >= 0)
		damage = file_look(file, path, size);
	if (damage == FILE_REMOVED || damage == FILE_MOVED)
		manifest_add("replaced", path);
	return damage;
}

static void tell_shortened(bool *told, const char *term, const char *path, const char *what)
{
	if (*told)
		return;
	*told = true;
	tell("another program made the %s %s shorter while the program ran: %s are missing in it",
	     term, path, what);
	add_lost();
}

/* The rows of a log that was removed while the program ran count as lost. How many are missing in
 * one that was cut, as by logrotate with copytruncate, is not known. */
static void look_at_log(struct logs *logs, struct log_file *log)
{
	enum file_damage damage = look(&log->file, log->path, log->failed, log->size);

	if (damage == FILE_SHORTENED)
		tell_shortened(&log->shortened, logs_term(log), log->path, "rows");
	if (damage != FILE_REMOVED)
		return;
	tell("the %s %s was removed while the program ran; its rows are lost", logs_term(log),
	     log->path);
	logs_lose(logs, log, log->rows);
	log->rows = log->buffered = 0;
	log->failed = true;
}

/* As look_at_log, with the records of the trace. */
static void look_at_trace(struct trace_file *trace)
{
	enum file_damage damage = look(&trace->file, trace->path, trace->failed, trace->size);

	if (damage == FILE_SHORTENED)
		tell_shortened(&trace->shortened, "trace", trace->path, "records");
	if (damage != FILE_REMOVED)
		return;
	tell("the trace %s was removed while the program ran; its records are lost", trace->path);
	trace->missing += trace->written + trace->buffered;
	trace->missing_events += trace->written_events + trace->buffered_events;
	trace->size = 0; /* the removed file has no LOST frame */
	trace->failed = true;
}

/* A file system that does not answer is not asked again. */
static void look_at_files(struct logs *logs)
{
	for (uint32_t i = 0; i < logs->count && !logs->stalled; i++)
		look_at_log(logs, &logs->files[i]);
	if (!logs->stalled)
		look_at_trace(&logs->trace);
}

void logs_report(struct logs *logs, uint64_t lost)
{
	static const char *const reasons[UNTIMED_KINDS] = {
		[UNTIMED_BAD] = "the device gave time stamps that are zero or out of order",
		[UNTIMED_FAILED] = "a command that failed has none",
		[UNTIMED_SILENT] = "the driver gave no time stamps",
		[UNTIMED_CROWDED] = "too many commands were waiting for the device",
		[UNTIMED_UNFINISHED] = ("the program ended before the device finished, "
					"or before the times were read"),
		[UNTIMED_EXITING] = ("launched while the program ended, after the last query of "
				     "the driver"),
	};
	unsigned long long count;

	look_at_files(logs);
	logs_report_trace(logs, lost + logs->dropped);
	report_losses(logs, lost);
	tell_missing(&logs->trace);
	tell_calls(logs);
	tell_without_trace(logs,
			   lost + logs->dropped + logs->trace.missing - logs->trace.missing_events,
			   logs->trace.missing_events);
	if ((count = not_reported_yet(&logs->reported_limited, logs->limited)))
		say("%llu %s left out of the log by the limits of the configuration file", count,
		    count == 1 ? "record was" : "records were");
	for (int kind = 0; kind < UNTIMED_KINDS; kind++)
		if ((count = not_reported_yet(&logs->reported_untimed[kind], logs->untimed[kind])))
			say("%llu %s no gputime: %s", count,
			    count == 1 ? "record has" : "records have", reasons[kind]);
	write_kept_lines(logs);
}

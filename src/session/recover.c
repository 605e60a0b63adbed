/* SPDX-License-Identifier: MIT */
#include "session/recover.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "session/logcalls.h"
#include "session/logfile.h"
#include "session/logtrace.h"
#include "session/recover_list.h"
#include "session/recover_losses.h"
#include "session/recover_totals.h"
#include "session/redirect.h"
#include "session/resume.h"
#include "session/ringfile_path.h"
#include "session/ringfile_reader.h"
#include "session/rules.h"
#include "session/totals_report.h"
#include "session/totals_table.h"
#include "session/untraced.h"

/* Recovers a ring file: as in the live process, with a ring file instead of rings. */
struct recovery {
	const char *path; /* of the ring file */
	struct ringfile_reader reader;
	struct settings rules[API_COUNT];
	const struct settings *settings[API_COUNT];
	struct ringfile ringfile;
	struct logs logs;
	struct map owners; /* of files: the last frame that names the path, by the path's hash */
	struct traced traced;
	const struct trace_commit *untraced; /* of the dead process */
	struct recover_losses losses;
	bool lacks_losses; /* the trace does not take their numbers */
	struct resume_records records;
	uint64_t lost_logs; /* as in the header; of the last commits, if one has more */
	uint64_t lost_calls;
	struct recover_report *report;
	const struct logs_overwrite *overwrite;
};

static int take_rules(void *argument, const struct frame *frame)
{
	struct recovery *recovery = argument;
	const struct rules_frame *rules = (const void *)frame;
	bool forked;

	if (frame->kind != FRAME_RULES || rules->api >= API_COUNT)
		return 0;
	if (frame->flags & RULES_API_LOG) {
		if (recovery->settings[rules->api] && !recovery->rules[rules->api].api_log)
			rules_add_api_log(&recovery->rules[rules->api], rules);
		return 0;
	}
	if (recovery->settings[rules->api])
		return 0;
	if (rules_from_frame(&recovery->rules[rules->api], &forked, rules))
		return 0;
	recovery->settings[rules->api] = &recovery->rules[rules->api];
	recovery->logs.forked = forked;
	return 0;
}

static int take_owner(void *argument, const struct frame *frame)
{
	struct recovery *recovery = argument;
	const struct log_frame *log = resume_log_frame(frame);
	const struct log_commit *commit;
	uint64_t *lost;

	if (!log)
		return 0;
	commit = logfile_commit(log->commit);
	lost = log->frame.flags & LOG_API ? &recovery->lost_calls : &recovery->lost_logs;
	if (commit->lost > *lost)
		*lost = commit->lost;
	return resume_set_owner(&recovery->owners, log);
}

static int take_files(void *argument, const struct frame *frame)
{
	struct recovery *recovery = argument;
	const struct trace_frame *trace = (const void *)frame;
	const struct log_frame *log = resume_log_frame(frame);

	if (log && resume_is_owner(&recovery->owners, log))
		resume_log(&recovery->logs, log, &recovery->records);
	if (frame->kind == FRAME_TRACE && trace->length <= frame->size - sizeof(*trace)) {
		resume_trace(&recovery->logs, trace, &recovery->traced);
		if (!recovery->losses.frames++)
			recovery->losses.is_continued = recovery->logs.trace.path;
		recovery->losses.in_file = recovery->logs.trace.losses_in_file.missing;
	}
	return 0;
}

/* The number of rows that were added to logs of this kind. */
static uint64_t *rows_of(struct recovery *recovery, const struct log_file *log)
{
	return log->of_calls ? &recovery->report->calls : &recovery->report->rows;
}

/* Subtracts the rows that could not be written. */
static void flush_log(struct recovery *recovery, struct log_file *log)
{
	uint64_t before = log->rows;

	logs_flush(&recovery->logs, log);
	*rows_of(recovery, log) -= before - log->rows;
}

/* Recovery writes in the order of keys; a live process marks written records. */
static bool is_in(const struct recovery *recovery, const struct log_file *log,
		  const struct record *record)
{
	if (map_get(&recovery->records.kept, (uintptr_t)record))
		return true;
	if (!log->path)
		return false;
	if (log->recovered)
		return log->rows && !launched_before(&log->last, record);
	return log_batch_of(record) && log_batch_of(record) == log->batch;
}

static void write_call(struct recovery *recovery, const struct call *call)
{
	struct log_file *log = logcalls_of(&recovery->logs, call->api);
	uint64_t before;

	if (log && is_in(recovery, log, (const void *)call))
		return;
	before = log ? log->rows : 0;
	logcalls_write(&recovery->logs, call);
	if (!log)
		return;
	recovery->report->calls += log->rows - before;
	if (log->buffer.length >= LOG_BUFFER)
		flush_log(recovery, log);
}

/* Returns true if the trace has the record or event, or counts it as missing. */
static bool is_in_trace(const struct recovery *recovery, const struct frame *frame)
{
	return resume_has(&recovery->traced, frame->correlation) ||
	       (untraced_has(recovery->untraced, frame) &&
		recovery->losses.in_file >= recovery->untraced->missing);
}

/* The record or event, which the trace lacks, is written to it. If only the ring file counts it as
 * missing, it no longer is. */
static void note_rewritten(struct recovery *recovery, const struct frame *frame, bool in_log)
{
	if (!untraced_has(recovery->untraced, frame)) {
		recovery->losses.rewritten += in_log;
		return;
	}
	recovery->losses.regained++;
	recovery->losses.regained_events += frames_is_event(frame);
}

static void write_event(struct recovery *recovery, const struct frame *event)
{
	const struct call *call = (const void *)event;
	const struct settings *settings =
		call->api < API_COUNT ? recovery->settings[call->api] : NULL;
	union event copy;

	if (!settings)
		return;
	if (logcalls_has(settings, event))
		write_call(recovery, call);
	if (is_in_trace(recovery, event))
		return;
	note_rewritten(recovery, event, false);
	memcpy(&copy, event, frames_fixed_size(event->kind));
	copy.frame.flags &= (uint16_t) ~(FRAME_TOTALLED | FRAME_UNTRACED);
	logs_begin_trace(&recovery->logs, event);
	if (event->kind == FRAME_CALL)
		copy.frame.flags &= (uint16_t)~CALL_BATCH;
	if (logs_has_trace(&recovery->logs, settings))
		logs_write_event(&recovery->logs, settings, &copy.frame);
}

static void write_record(struct recovery *recovery, const struct record *record)
{
	struct log_file *log = logs_of(&recovery->logs, record->device, record->context);
	struct counted_record counted;
	struct record *row = &counted.record;
	uint64_t before;
	bool in_log;

	if (!log) {
		recovery->logs.lost++;
		return;
	}
	counted_record_copy(&counted, record);
	if (row->handle)
		row->frame.flags |= RECORD_UNFINISHED;
	row->batch = 0;
	row->frame.flags &= (uint16_t) ~(FRAME_TOTALLED | FRAME_UNTRACED);
	in_log = is_in(recovery, log, record);
	if (!is_in_trace(recovery, &record->frame)) {
		logs_write_trace(&recovery->logs, log, row);
		note_rewritten(recovery, &record->frame, in_log);
	}
	if (in_log)
		return;
	before = log->rows;
	logs_write_row(&recovery->logs, log, row);
	recovery->report->rows += log->rows - before;
	if (!(row->known & KNOWN_TIMES))
		recovery->report->untimed += log->rows - before;
	if (log->buffer.length >= LOG_BUFFER)
		flush_log(recovery, log);
}

static void write_slot(struct recovery *recovery, const struct record *slot)
{
	if (frames_is_event(&slot->frame))
		write_event(recovery, &slot->frame);
	else
		write_record(recovery, slot);
}

static uint64_t lost_before(const struct recovery *recovery)
{
	return recovery->reader.header->lost + recovery->lost_logs;
}

static void write_all(struct recovery *recovery)
{
	struct logs *logs = &recovery->logs;

	for (uint64_t i = 0; i < recovery->reader.count; i++)
		write_slot(recovery, recovery->reader.records[i]);
	for (uint32_t i = 0; i < logs->count; i++) {
		struct log_file *log = &logs->files[i];
		struct recover_report *report = recovery->report;

		flush_log(recovery, log);
		if (log->path)
			recover_list_path(log->of_calls ? &report->api_logs : &report->logs,
					  log->path);
	}
	logs_flush_trace(logs);
	recovery->losses.found = recovery->traced.count;
	recovery->lacks_losses = !recover_losses_report(&recovery->losses, logs);
	if (logs->trace.path)
		recover_list_path(&recovery->report->traces, logs->trace.path);
}

static bool empty_file(struct file *file, const char *path)
{
	return (file_is_intact(file) || !file_reopen(file, path)) && !ftruncate(file->fd, 0);
}

/* If some rows could not be written, the ring file is kept and the next recovery writes them again,
 * except those in files that have a LOG frame. A frame may not have fitted into the ring file: such
 * a file is emptied here, and the next recovery uses it again. */
static void empty_unnoted(struct recovery *recovery)
{
	struct logs *logs = &recovery->logs;
	struct trace_file *trace = &logs->trace;

	if (!logs->lost && !trace->missing && !logs->lost_calls.count)
		return;
	for (uint32_t i = 0; i < logs->count; i++) {
		struct log_file *log = &logs->files[i];

		if (!log->path || !log->unnoted || !empty_file(&log->file, log->path))
			continue;
		*rows_of(recovery, log) -= log->rows;
		logs_lose(logs, log, log->rows);
	}
	if (trace->path && trace->unnoted)
		empty_file(&trace->file, trace->path);
}

/* Returns true, and sets the reason, if `count` is not 0. `to`: "", or the file. */
static bool are_missing(struct recovery *recovery, uint64_t count, const char *what, const char *to)
{
	if (count)
		strbuf_printf(&recovery->report->reason,
			      "%llu %s%s could not be written%s; %s is kept",
			      (unsigned long long)count, what, count == 1 ? "" : "s", to,
			      recovery->path);
	return count;
}

static enum recover_result finish(struct recovery *recovery)
{
	const struct ringfile_header *header = recovery->reader.header;
	const struct logs *logs = &recovery->logs;

	recovery->report->lost = lost_before(recovery);
	recovery->report->lost_calls = recovery->lost_calls;
	recovery->report->executing = header->executing;
	if (are_missing(recovery, logs->trace.missing, "record", " to the trace") ||
	    are_missing(recovery, logs->lost, "row", "") ||
	    are_missing(recovery, logs->lost_calls.count, "call", " to the API log"))
		return RECOVER_FAILED;
	if (recovery->lacks_losses ||
	    (!recover_losses_are_unknown(&recovery->losses) && !logs_end_trace(&recovery->logs))) {
		strbuf_printf(&recovery->report->reason,
			      "the end of the trace could not be written; %s is kept",
			      recovery->path);
		return RECOVER_FAILED;
	}
	if (!recovery->report->copied)
		recovery->report->left =
			ringfile_path_remove(recovery->path, recovery->reader.fd);
	return RECOVER_DONE;
}

/* Moves the names of all files to this directory, see redirect_rules. */
static int redirect_all(struct recovery *recovery, const char *into)
{
	for (int api = 0; api < API_COUNT; api++)
		if (recovery->settings[api] && redirect_rules(&recovery->rules[api], into))
			return -1;
	return 0;
}

/* Returns true if neither the process nor the ring file is older than the run that began at
 * `since`. */
static bool is_of_run(const struct recovery *recovery, int64_t since)
{
	const struct process *process = &recovery->reader.catalog.process;
	uint64_t born = recovery->reader.header->file_born; /* proven; 0: not known */
	int64_t began;

	if (!process->started || __builtin_add_overflow((int64_t)process->started,
							process->monotonic_to_epoch, &began))
		return false;
	return began >= since && (!born || born + LOGS_COARSE >= (uint64_t)since);
}

static int prepare(struct recovery *recovery, const char *into)
{
	struct ringfile *ringfile = NULL;
	struct ringfile_reader *reader = &recovery->reader;

	/* New files are recorded in the ring file, so that recovery can continue after it is
	 * killed. */
	if (!into && !ringfile_resume(&recovery->ringfile, recovery->path, reader->fd, reader->end))
		ringfile = &recovery->ringfile;
	if (logs_init(&recovery->logs, &reader->catalog, recovery->settings, ringfile) ||
	    ringfile_reader_frames(reader, take_owner, recovery))
		return -1;
	recovery->logs.keep_existing = true;
	recovery->logs.trace.begun = reader->header->totals_off;
	recovery->logs.only_new = into;
	if (!into && recovery->overwrite && is_of_run(recovery, recovery->overwrite->since))
		recovery->logs.overwrite = recovery->overwrite;
	ringfile_reader_frames(reader, take_rules, recovery);
	if (into)
		return redirect_all(recovery, into);
	recovery->records.records = reader->records;
	recovery->records.count = reader->count;
	ringfile_reader_frames(reader, take_files, recovery);
	return 0;
}

static void free_rules(struct recovery *recovery)
{
	for (int api = 0; api < API_COUNT; api++) {
		recovery->settings[api] = NULL;
		rules_free(&recovery->rules[api]);
	}
}

static enum recover_result recover_open(struct recovery *recovery, const char *into)
{
	enum recover_result result = RECOVER_FAILED;

	recovery->lost_logs = recovery->reader.header->lost_logs;
	recovery->lost_calls = recovery->reader.header->lost_calls;
	recovery->losses.header = recovery->reader.header;
	recovery->untraced = untraced_commit(recovery->reader.header);
	if (prepare(recovery, into)) {
		strbuf_string(&recovery->report->reason, "out of memory");
	} else {
		recovery->report->copied = into;
		write_all(recovery);
		empty_unnoted(recovery);
		result = finish(recovery);
	}
	logs_free(&recovery->logs);
	ringfile_free(&recovery->ringfile);
	free_rules(recovery);
	map_free(&recovery->owners);
	map_free(&recovery->records.kept);
	free(recovery->traced.correlations);
	return result;
}

/* Returns true if a log of the ring file has its name in `directory`. */
static bool is_for(struct recovery *recovery, const char *directory)
{
	bool found = false;

	ringfile_reader_frames(&recovery->reader, take_rules, recovery);
	for (int api = 0; api < API_COUNT; api++)
		found |= recovery->settings[api] &&
			 file_is_in(recovery->rules[api].log, directory);
	free_rules(recovery);
	return found;
}

/* Without memory there are no totals, and the logs are recovered all the same. */
static void report_totals(struct recovery *recovery)
{
	ringfile_reader_frames(&recovery->reader, take_rules, recovery);
	recovery->report->no_files =
		recover_totals_are_alone(&recovery->reader, recovery->settings);
	totals_report(&recovery->report->totals, &recovery->reader, recovery->settings,
		      recovery->reader.header->lost);
	free_rules(recovery);
}

enum recover_result recover_request(const struct recover_request *request,
				    struct recover_report *report)
{
	struct recovery recovery = {
		.report = report, .path = request->path, .overwrite = request->overwrite};
	char folder[PATH_MAX];
	const char *into = request->into;
	enum recover_result result;

	/* It has no header yet, so it names no log. */
	if (ringfile_path_lacks_header(request->path) && !unlink(request->path))
		return request->logs_in ? RECOVER_ELSEWHERE : RECOVER_DONE;
	result = ringfile_reader_open(&recovery.reader, request->path, &report->reason);
	if (result != RECOVER_DONE)
		return result;
	report->pid = recovery.reader.header->pid;
	report->rank = recovery.reader.catalog.process.rank;
	report->started = recovery.reader.catalog.process.started;
	report->whole_trace = recovery.reader.header->totals_off;
	if (request->logs_in && !is_for(&recovery, request->logs_in)) {
		result = RECOVER_ELSEWHERE;
	} else if (recover_totals_are_read(&recovery.reader) && !request->named &&
		   !request->overwrite) {
		strbuf_string(&report->reason,
			      "the computeprof that started its process still reads it");
		result = RECOVER_ALIVE;
	} else if (recovery.reader.header->finished && !recovery.reader.unproven) {
		report->finished = true;
		recover_list_files(&recovery.reader, report);
		report_totals(&recovery);
		if (report->no_files && request->keep_totals)
			result = recover_totals_keep(&recovery.reader, request, report, false);
		else
			report->left = ringfile_path_remove(request->path, recovery.reader.fd);
		if (result == RECOVER_DONE && !request->overwrite)
			recover_totals_remove_list(&recovery.reader);
	} else if (!into && recovery.reader.unproven) {
		into = folder;
		if (!request->named || file_directory(folder, sizeof(folder), request->path)) {
			strbuf_printf(&report->reason,
				      "it %s; name the file to recover it into new files beside it",
				      recovery.reader.unproven);
			result = RECOVER_FOREIGN;
		}
	}
	if (result == RECOVER_DONE && !report->finished) {
		report->in_memory =
			recovery.reader.header->in_memory && !recovery.reader.header->executing;
		report_totals(&recovery);
		if (report->no_files && request->keep_totals)
			result = recover_totals_keep(&recovery.reader, request, report, into);
		else
			result = recover_open(&recovery, into);
	}
	ringfile_reader_close(&recovery.reader);
	return result;
}

enum recover_result recover_ring(const char *path, struct recover_report *report)
{
	return recover_request(&(struct recover_request){.path = path}, report);
}

void recover_report_free(struct recover_report *report)
{
	strbuf_free(&report->logs);
	strbuf_free(&report->api_logs);
	strbuf_free(&report->traces);
	strbuf_free(&report->reason);
	strbuf_free(&report->totals);
}

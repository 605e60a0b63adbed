/* SPDX-License-Identifier: MIT */
#include "session/recover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/tracereader.h"
#include "session/logfile.h"
#include "session/rules.h"
#include "session/spoolreader.h"

/* The same way that records take in the live process, from a spool instead of from rings. */
struct recovery {
	struct spool_reader reader;
	struct settings rules[API_COUNT];
	const struct settings *settings[API_COUNT];
	struct logs logs;
	uint64_t *traced; /* correlations of the records that the trace has, sorted */
	uint64_t traced_count;
	struct recover_report *report;
};

/* Whether the file still begins with the header that the dead process wrote there, and still has
 * all it had written: another run may have begun the log anew. */
static bool is_same_log(const char *path, const struct log_frame *frame, uint64_t size)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool same = false;
	struct stat status;
	char *head;

	if (fd < 0)
		return false;
	head = frame->head_size < 1 << 24 ? malloc(frame->head_size + 1) : NULL;
	if (head && !fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    (uint64_t)status.st_size >= size)
		same = size < frame->head_size ||
		       (pread(fd, head, frame->head_size, 0) == (ssize_t)frame->head_size &&
			frames_hash(head, frame->head_size) == frame->head_hash);
	free(head);
	close(fd);
	return same;
}

/* Opens a log of the dead process to go on with, cut back to its last whole committed row. */
static void resume_log(struct recovery *recovery, const struct log_frame *frame)
{
	const struct log_commit *commit = logfile_commit(frame->commit);
	struct log_file *log = logs_of(&recovery->logs, frame->device, frame->context);
	char *path = strndup(frame->path, frame->path_length);
	struct file file;

	if (!log || log->path || !path || !is_same_log(path, frame, commit->size) ||
	    file_open_log(&file, path, false)) {
		free(path);
		return;
	}
	if (ftruncate(file.fd, (off_t)commit->size)) {
		file_close(&file);
		free(path);
		return;
	}
	log->path = path;
	log->file = file;
	log->size = commit->size;
	log->last.enter = commit->enter;
	log->last.frame.correlation = commit->correlation;
	log->target.warnings = "";
	if (!commit->size)
		logfile_begin(log, NULL);
}

static int compare_numbers(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static int read_traced(struct recovery *recovery, struct trace_reader *reader)
{
	const struct record *record;
	struct strbuf error = STRBUF_INIT;
	uint64_t room = 0;

	while (trace_next(reader, &record, &error) == 1) {
		if (recovery->traced_count == room) {
			room = room ? room * 2 : 4096;
			recovery->traced = reallocarray(recovery->traced, room, sizeof(uint64_t));
			if (!recovery->traced)
				return -1;
		}
		recovery->traced[recovery->traced_count++] = record->frame.correlation;
	}
	strbuf_free(&error);
	if (recovery->traced_count)
		qsort(recovery->traced, recovery->traced_count, sizeof(uint64_t), compare_numbers);
	return 0;
}

/* Opens the trace of the dead process to go on with, cut back to its last whole frame. */
static void resume_trace(struct recovery *recovery, const struct trace_frame *frame)
{
	struct trace_file *trace = &recovery->logs.trace;
	char *path = frame->length < PATH_MAX ? strndup(frame->path, frame->length) : NULL;
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = path ? trace_open(path, &error) : NULL;

	if (reader && trace_catalog(reader) && !read_traced(recovery, reader) &&
	    trace_catalog(reader)->process.pid == recovery->reader.catalog.process.pid &&
	    trace_catalog(reader)->process.started == recovery->reader.catalog.process.started &&
	    !file_open_log(&trace->file, path, false)) {
		struct stat status;

		trace->path = path;
		trace->names = names_count(trace_catalog(reader)->names);
		trace->devices = trace_catalog(reader)->device_count;
		trace->contexts = trace_catalog(reader)->context_count;
		if (fstat(trace->file.fd, &status) ||
		    ftruncate(trace->file.fd,
			      status.st_size - (off_t)trace_cut_off(reader)))
			trace->failed = true;
		path = NULL;
	}
	trace_close(reader);
	strbuf_free(&error);
	free(path);
}

static int take_rules(void *argument, const struct frame *frame)
{
	struct recovery *recovery = argument;
	const struct rules_frame *rules = (const void *)frame;
	bool forked;

	if (frame->kind != FRAME_RULES || rules->api >= API_COUNT ||
	    recovery->settings[rules->api])
		return 0;
	if (rules_from_frame(&recovery->rules[rules->api], &forked, rules))
		return 0;
	recovery->settings[rules->api] = &recovery->rules[rules->api];
	recovery->logs.forked = forked;
	return 0;
}

static int take_files(void *argument, const struct frame *frame)
{
	struct recovery *recovery = argument;
	const struct log_frame *log = (const void *)frame;
	const struct trace_frame *trace = (const void *)frame;

	if (frame->kind == FRAME_LOG && log->path_length <= frame->size - sizeof(*log))
		resume_log(recovery, log);
	if (frame->kind == FRAME_TRACE && trace->length <= frame->size - sizeof(*trace))
		resume_trace(recovery, trace);
	return 0;
}

static void write_record(struct recovery *recovery, const struct record *record)
{
	struct log_file *log = logs_of(&recovery->logs, record->device, record->context);
	struct record row = *record;
	bool in_log, in_trace;

	if (!log) {
		recovery->logs.lost++;
		return;
	}
	if (row.handle)
		row.frame.flags |= RECORD_UNFINISHED;
	in_log = log->path && !join_before(&log->last, record);
	in_trace = recovery->traced_count &&
		   bsearch(&record->frame.correlation, recovery->traced, recovery->traced_count,
			   sizeof(uint64_t), compare_numbers);
	if (!in_trace)
		logs_write_trace(&recovery->logs, log, &row);
	if (in_log)
		return;
	logs_write_row(&recovery->logs, log, &row);
	recovery->report->rows++;
	if (!(row.known & KNOWN_TIMES))
		recovery->report->untimed++;
	if (log->buffer.length >= LOG_BUFFER)
		logs_flush(&recovery->logs, log);
}

static void write_all(struct recovery *recovery)
{
	struct logs *logs = &recovery->logs;

	for (uint64_t i = 0; i < recovery->reader.count; i++)
		write_record(recovery, recovery->reader.records[i]);
	for (uint32_t i = 0; i < logs->count; i++) {
		logs_flush(logs, &logs->files[i]);
		if (!logs->files[i].path)
			continue;
		strbuf_string(&recovery->report->logs, logs->files[i].path);
		strbuf_char(&recovery->report->logs, '\n');
	}
	logs_flush_trace(logs);
}

static enum recover_result finish(struct recovery *recovery, const char *path)
{
	recovery->report->lost = recovery->reader.header->lost;
	if (recovery->logs.lost) {
		strbuf_printf(&recovery->report->reason,
			      "%llu rows could not be written; %s is kept",
			      (unsigned long long)recovery->logs.lost, path);
		return RECOVER_FAILED;
	}
	unlink(path);
	return RECOVER_DONE;
}

enum recover_result recover_ring(const char *path, struct recover_report *report)
{
	struct recovery recovery = {.report = report};
	enum recover_result result = spool_reader_open(&recovery.reader, path, &report->reason);

	if (result != RECOVER_DONE)
		return result;
	if (logs_init(&recovery.logs, &recovery.reader.catalog, recovery.settings, NULL)) {
		strbuf_string(&report->reason, "no memory");
		result = RECOVER_FAILED;
	} else {
		recovery.logs.keep_existing = true;
		spool_reader_frames(&recovery.reader, take_rules, &recovery);
		spool_reader_frames(&recovery.reader, take_files, &recovery);
		write_all(&recovery);
		result = finish(&recovery, path);
		logs_forget(&recovery.logs);
	}
	for (int api = 0; api < API_COUNT; api++)
		rules_free(&recovery.rules[api]);
	free(recovery.traced);
	spool_reader_close(&recovery.reader);
	return result;
}

void recover_report_free(struct recover_report *report)
{
	strbuf_free(&report->logs);
	strbuf_free(&report->reason);
}

int recover_find(const char *directory, struct strbuf *paths)
{
	DIR *stream = opendir(directory);
	const struct dirent *entry;

	if (!stream)
		return -1;
	while ((entry = readdir(stream))) {
		size_t length = strlen(entry->d_name);

		if (strncmp(entry->d_name, "computeprof-", 12) || length < 17 ||
		    strcmp(entry->d_name + length - 5, ".ring"))
			continue;
		strbuf_string(paths, directory);
		strbuf_char(paths, '/');
		strbuf_string(paths, entry->d_name);
		strbuf_char(paths, '\n');
	}
	closedir(stream);
	return 0;
}

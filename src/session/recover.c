/* SPDX-License-Identifier: MIT */
#include "session/recover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "session/resume.h"
#include "session/rules.h"
#include "session/spoolreader.h"

/* The same way that records take in the live process, from a spool instead of from rings. */
struct recovery {
	struct spool_reader reader;
	struct settings rules[API_COUNT];
	const struct settings *settings[API_COUNT];
	struct spool spool;
	struct logs logs;
	struct map owners; /* of files: by the path's hash the last frame that names it */
	struct traced traced;
	struct recover_report *report;
};

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

static bool is_log(const struct frame *frame)
{
	const struct log_frame *log = (const void *)frame;

	return frame->kind == FRAME_LOG && log->path_length <= frame->size - sizeof(*log);
}

static uint64_t path_key(const struct log_frame *log)
{
	return frames_hash(log->path, log->path_length) | 1;
}

/* An earlier recovery may have begun a file anew that the dead process had named, too: what is in
 * it now is told by the last frame. */
static int take_owner(void *argument, const struct frame *frame)
{
	struct recovery *recovery = argument;

	if (!is_log(frame))
		return 0;
	return map_set(&recovery->owners, path_key((const void *)frame),
		       (void *)(uintptr_t)frame);
}

static int take_files(void *argument, const struct frame *frame)
{
	struct recovery *recovery = argument;
	const struct trace_frame *trace = (const void *)frame;

	if (is_log(frame) &&
	    map_get(&recovery->owners, path_key((const void *)frame)) == (const void *)frame)
		resume_log(&recovery->logs, (const void *)frame);
	if (frame->kind == FRAME_TRACE && trace->length <= frame->size - sizeof(*trace))
		resume_trace(&recovery->logs, trace, &recovery->traced);
	return 0;
}

/* Rows that could not be written were none. */
static void flush_log(struct recovery *recovery, struct log_file *log)
{
	uint64_t before = log->rows;

	logs_flush(&recovery->logs, log);
	recovery->report->rows -= before - log->rows;
}

/* Recovery writes in the order of keys; a living process marks what it has written. */
static bool is_in(const struct log_file *log, const struct record *record)
{
	if (!log->path)
		return false;
	if (log->recovered)
		return log->rows && !join_before(&log->last, record);
	return record->batch && record->batch == log->batch;
}

static void write_event(struct recovery *recovery, const struct frame *event)
{
	const struct call *call = (const void *)event;

	if (call->api < API_COUNT && recovery->settings[call->api] &&
	    !resume_has(&recovery->traced, event->correlation))
		logs_write_event(&recovery->logs, event);
}

static void write_record(struct recovery *recovery, const struct record *record)
{
	struct log_file *log = logs_of(&recovery->logs, record->device, record->context);
	struct counted_record counted;
	struct record *row = &counted.record;
	bool in_log, in_trace;
	uint64_t before;

	if (!log) {
		recovery->logs.lost++;
		return;
	}
	counted_record_copy(&counted, record);
	if (row->handle)
		row->frame.flags |= RECORD_UNFINISHED;
	row->batch = 0;
	in_log = is_in(log, record);
	in_trace = resume_has(&recovery->traced, record->frame.correlation);
	if (!in_trace)
		logs_write_trace(&recovery->logs, log, row);
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

static void write_all(struct recovery *recovery)
{
	struct logs *logs = &recovery->logs;

	for (uint64_t i = 0; i < recovery->reader.count; i++)
		write_slot(recovery, recovery->reader.records[i]);
	for (uint32_t i = 0; i < logs->count; i++) {
		flush_log(recovery, &logs->files[i]);
		if (!logs->files[i].path)
			continue;
		strbuf_string(&recovery->report->logs, logs->files[i].path);
		strbuf_char(&recovery->report->logs, '\n');
	}
	logs_flush_trace(logs);
	/* Where some are missing, the ring file stays, and a later recovery tells. */
	if (!logs->trace.missing && recovery->reader.header->lost > logs->trace.told)
		logs_tell_trace(logs, recovery->reader.header->lost);
	if (logs->trace.path)
		strbuf_printf(&recovery->report->traces, "%s\n", logs->trace.path);
}

static enum recover_result finish(struct recovery *recovery, const char *path)
{
	recovery->report->lost = recovery->reader.header->lost;
	if (recovery->logs.trace.missing) {
		strbuf_printf(&recovery->report->reason,
			      "%llu records could not be written to the trace; %s is kept",
			      (unsigned long long)recovery->logs.trace.missing, path);
		return RECOVER_FAILED;
	}
	if (recovery->logs.lost) {
		strbuf_printf(&recovery->report->reason,
			      "%llu rows could not be written; %s is kept",
			      (unsigned long long)recovery->logs.lost, path);
		return RECOVER_FAILED;
	}
	unlink(path);
	return RECOVER_DONE;
}

/* Whether a process made it and was killed before it had written the first page to its end. Nothing
 * else tells whose it is, so the name has to, and the process must be gone. */
static bool is_unborn(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct spool_header header = {0};
	struct stat status;
	bool unborn = false;
	int pid, fd;

	if (sscanf(slash ? slash + 1 : path, "computeprof-%d", &pid) != 1 || pid <= 0 ||
	    !kill(pid, 0) || errno != ESRCH)
		return false;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return false;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	    (!status.st_size || status.st_size == SPOOL_PAGE) && !flock(fd, LOCK_EX | LOCK_NB) &&
	    pread(fd, &header, sizeof(header), 0) >= 0)
		unborn = !memcmp(header.magic, (char[sizeof(header.magic)]){0},
				 sizeof(header.magic));
	close(fd);
	return unborn;
}

enum recover_result recover_ring(const char *path, struct recover_report *report)
{
	struct recovery recovery = {.report = report};
	struct spool *spool = NULL;
	enum recover_result result;

	if (is_unborn(path) && !unlink(path))
		return RECOVER_DONE;
	result = spool_reader_open(&recovery.reader, path, &report->reason);
	if (result != RECOVER_DONE)
		return result;
	/* What is begun here is noted, too: recovery may be killed and must then go on. */
	if (!spool_resume(&recovery.spool, path, recovery.reader.fd, recovery.reader.end))
		spool = &recovery.spool;
	if (logs_init(&recovery.logs, &recovery.reader.catalog, recovery.settings, spool) ||
	    spool_reader_frames(&recovery.reader, take_owner, &recovery)) {
		strbuf_string(&report->reason, "no memory");
		result = RECOVER_FAILED;
	} else {
		recovery.logs.keep_existing = true;
		spool_reader_frames(&recovery.reader, take_rules, &recovery);
		spool_reader_frames(&recovery.reader, take_files, &recovery);
		write_all(&recovery);
		result = finish(&recovery, path);
	}
	logs_free(&recovery.logs);
	spool_release(&recovery.spool);
	for (int api = 0; api < API_COUNT; api++)
		rules_free(&recovery.rules[api]);
	map_free(&recovery.owners);
	free(recovery.traced.correlations);
	spool_reader_close(&recovery.reader);
	return result;
}

void recover_report_free(struct recover_report *report)
{
	strbuf_free(&report->logs);
	strbuf_free(&report->traces);
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

/* SPDX-License-Identifier: MIT */
#include "session/logfile.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "output/apilog.h"
#include "session/logname.h"
#include "session/manifest.h"
#include "session/tell.h"

static struct log_frame *put_frame(const struct log_file *log, struct ringfile *ringfile)
{
	struct strbuf bytes = STRBUF_INIT;
	struct log_frame *frame = NULL;

	frames_put_log(&bytes, &log->target.layout, log->target.device, log->target.context,
		       log->target.counters, log->path);
	if (!bytes.failed) {
		frame = (struct log_frame *)(void *)bytes.data;
		/* Recovery may read the frame as soon as it is in the ring file. */
		frame->frame.flags = log->of_calls ? LOG_API : 0;
		frame->file_device = log->file.device;
		frame->file_inode = log->file.inode;
		frame = ringfile_frames(ringfile, &bytes);
	}
	strbuf_free(&bytes);
	return frame;
}

void logfile_put_header(const struct log_file *log, struct strbuf *to)
{
	if (log->of_calls)
		apilog_open(&log->target, to);
	else
		output_formats[log->target.layout.format]->open(&log->target, to);
}

/* Returns the ring file's number of lost rows for logs of this kind. */
static uint64_t *lost_of(const struct log_file *log, struct ringfile_header *header)
{
	return log->of_calls ? &header->lost_calls : &header->lost_logs;
}

void logfile_begin(struct log_file *log, struct ringfile *ringfile)
{
	struct log_frame *frame = ringfile ? put_frame(log, ringfile) : NULL;

	log->unnoted = ringfile && !frame;
	logfile_put_header(log, &log->buffer);
	if (!frame)
		return;
	log->lost_logs = lost_of(log, ringfile->header);
	frame->head_hash = frames_hash(log->buffer.data, log->buffer.length);
	frame->head_size = log->buffer.length;
	frame->frame.flags |= log->recovered ? LOG_RECOVERED : 0;
	log->frame = frame;
	/* The header is written alone: until `first` is set, a file that is larger than the
	 * header is another run's. */
	logfile_flush(log);
}

const struct log_commit *logfile_commit(const struct log_commit slots[2])
{
	uint64_t first = __atomic_load_n(&slots[0].sequence, __ATOMIC_ACQUIRE);
	uint64_t second = __atomic_load_n(&slots[1].sequence, __ATOMIC_ACQUIRE);

	return first > second ? &slots[0] : &slots[1];
}

/* Overwrites the older slot, which becomes valid when its number is the higher one. The first
 * commit goes to slot 0, since a reader of two empty slots takes slot 1. */
static void put_commit(struct log_file *log, struct log_commit *commit)
{
	struct log_commit *slot = &log->frame->commit[log->sequence++ & 1];

	commit->sequence = slot->sequence;
	*slot = *commit;
	__atomic_store_n(&slot->sequence, log->sequence, __ATOMIC_RELEASE);
}

/* `written` bytes of the buffer are in the file; `missing` of its rows are not. */
static void commit(struct log_file *log, size_t written, uint64_t missing)
{
	size_t tail = written < LOG_TAIL ? written : LOG_TAIL;
	struct log_commit commit = {
		.size = log->size,
		.rows = log->rows,
		.tail = (uint32_t)tail,
		.enter = log->last.enter,
		.correlation = log->last.frame.correlation,
	};

	/* An empty tail could not identify the file. */
	if (!log->frame || !tail)
		return;
	commit.tail_hash = frames_hash(log->buffer.data + written - tail, tail);
	missing += log->lost - log->noted;
	if (missing && !log->recovering)
		commit.lost = *log->lost_logs + missing;
	put_commit(log, &commit);
}

void logfile_note_lost(struct log_file *log, struct ringfile_header *header)
{
	uint64_t lost = *lost_of(log, header) + (log->lost - log->noted);
	struct log_commit commit;

	if (log->lost == log->noted)
		return;
	/* If the commit of the failed write has the number, no other commit is needed. */
	if (log->frame && logfile_commit(log->frame->commit)->lost < lost) {
		commit = *logfile_commit(log->frame->commit);
		commit.lost = lost;
		put_commit(log, &commit);
	}
	__atomic_store_n(lost_of(log, header), lost, __ATOMIC_RELEASE);
	log->noted = log->lost;
}

static uint64_t count_lines(const char *bytes, size_t size)
{
	uint64_t lines = 0;
	const char *end = bytes + size;

	for (const char *at; (at = memchr(bytes, '\n', (size_t)(end - bytes))); bytes = at + 1)
		lines++;
	return lines;
}

/* Returns how many bytes of the buffer to keep after a short write: the whole rows. A log that
 * recovery has made keeps none: the next recovery knows only the key of the last commit. */
static size_t whole_lines(const struct file_append *append, size_t done)
{
	const struct log_file *log =
		(const void *)((const char *)append - offsetof(struct log_file, append));
	const char *last = done ? memrchr(append->bytes, '\n', done) : NULL;

	if (log->recovered)
		return 0;
	return last ? (size_t)(last - append->bytes) + 1 : 0;
}

/* After a short write: counts the rows that are missing. */
static uint64_t fail_log(struct log_file *log)
{
	const struct file_append *append = &log->append;
	uint64_t missing = count_lines(append->bytes + append->done, append->length - append->done);

	if (append->torn)
		tell("the last line of %s is incomplete", log->path);
	log->failed = true;
	tell("cannot continue the %s %s: %s%s", logs_term(log), log->path,
	     file_reason(append->error), logs_consequence(log->recovering));
	missing = missing < log->buffered ? missing : log->buffered;
	log->rows -= missing;
	return missing;
}

/* Stores the hash of the first rows, which identifies them until they are committed. */
static void announce(const struct log_file *log)
{
	size_t first = log->buffer.length < LOG_TAIL ? log->buffer.length : LOG_TAIL;

	if (!log->frame || log->size != log->frame->head_size)
		return;
	memcpy(log->frame->first, log->buffer.data, first);
	__atomic_store_n(&log->frame->first_size, first, __ATOMIC_RELEASE);
}

static void begin_append(struct log_file *log)
{
	announce(log);
	log->append = (struct file_append){
		.file = &log->file,
		.path = log->path,
		.size = log->size,
		.bytes = log->buffer.data,
		.length = log->buffer.length,
		.whole = whole_lines,
	};
}

uint64_t logfile_flush(struct log_file *log)
{
	uint64_t missing = 0;

	if (!file_is_sending(&log->append)) {
		if (!log->buffer.length || log->failed)
			return 0;
		begin_append(log);
	}
	if (!file_send(&log->append))
		return 0;
	if (log->append.done < log->append.length)
		missing = fail_log(log);
	log->size += log->append.done;
	commit(log, log->append.done, missing);
	log->buffer.length = 0;
	log->buffered = 0;
	return missing;
}

bool logfile_is_waiting(const struct log_file *log)
{
	return file_is_sending(&log->append) || (log->buffer.length && !log->failed);
}

void logs_write_error(struct logs *logs, const struct settings *settings)
{
	static struct log_file log; /* static: a file system may use it longer than this call */
	char *path = NULL;

	if (logs_open_name(logs, NULL, settings->log, &log.file, &path)) {
		tell("cannot write the log %s: %s", settings->log, file_reason(errno));
		return;
	}
	log.path = path;
	manifest_add("log", path);
	strbuf_string(&log.buffer, "NV_Error: Failed to open profile config file: ");
	strbuf_string(&log.buffer, settings->bad_config);
	strbuf_string(&log.buffer, "\nNV_Error: Profiler initialization failed.\n");
	logfile_flush(&log);
	if (file_is_sending(&log.append))
		return;
	file_send_close(&log.file);
	strbuf_free(&log.buffer);
	memory_unmap(path, strlen(path) + 1);
}

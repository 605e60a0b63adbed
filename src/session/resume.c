/* SPDX-License-Identifier: MIT */
#include "session/resume.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "output/tracereader.h"
#include "session/logcalls.h"
#include "session/logfile.h"
#include "session/logname.h"

const struct log_frame *resume_log_frame(const struct frame *frame)
{
	const struct log_frame *log = (const void *)frame;

	return frame->kind == FRAME_LOG && log->path_length <= frame->size - sizeof(*log) ? log
											  : NULL;
}

static uint64_t path_key(const struct log_frame *log)
{
	return frames_hash(log->path, log->path_length) | 1;
}

int resume_set_owner(struct map *owners, const struct log_frame *frame)
{
	return map_set(owners, path_key(frame), (void *)(uintptr_t)frame);
}

bool resume_is_owner(const struct map *owners, const struct log_frame *frame)
{
	return map_get(owners, path_key(frame)) == frame;
}

static bool has_rows(const struct log_frame *frame, const struct log_commit *commit)
{
	return commit->size > frame->head_size;
}

static bool has_bytes(int fd, uint64_t from, uint64_t size, uint64_t hash)
{
	char *bytes = size < 1 << 24 ? malloc(size + 1) : NULL;
	bool same = bytes && pread(fd, bytes, size, (off_t)from) == (ssize_t)size &&
		    frames_hash(bytes, size) == hash;

	free(bytes);
	return same;
}

/* Returns true if the file has only the log's header or a part of it: only then may recovery start
 * it again. */
static bool is_header(struct log_file *log, int fd, uint64_t size)
{
	struct strbuf header = STRBUF_INIT, warnings = log->settings->warnings;
	bool same;

	log->target.warnings = log->of_calls ? "" : strbuf_text(&warnings);
	logfile_put_header(log, &header);
	same = size <= header.length && has_bytes(fd, 0, size, frames_hash(header.data, size));
	strbuf_free(&header);
	return same;
}

/* For a log without a committed row: returns true if the file has only the header, or after it the
 * rows that the dead process was about to write. */
static bool is_same_start(struct log_file *log, int fd, uint64_t size,
			  const struct log_frame *frame)
{
	uint64_t first;

	if (size < frame->head_size || !frame->head_size)
		return is_header(log, fd, size);
	if (size == frame->head_size)
		return true;
	first = size - frame->head_size;
	first = first < frame->first_size ? first : frame->first_size;
	return first && first <= LOG_TAIL &&
	       has_bytes(fd, frame->head_size, first, frames_hash(frame->first, first));
}

/* Returns true if the open file is the one in the frame and belongs to the caller. */
static bool is_noted(const struct file *file, uint64_t device, uint64_t inode)
{
	struct stat status;

	return inode && file->device == device && file->inode == inode &&
	       !fstat(file->fd, &status) && S_ISREG(status.st_mode) &&
	       status.st_uid == geteuid();
}

/* Returns true if the bytes from `from` on are only rows that the dead process was writing, the
 * last one perhaps incomplete. These are cut off and written again. Other lines must not be cut. */
static bool has_own_end(const struct log_file *log, const struct log_frame *frame,
			struct resume_records *records, int fd, uint64_t from, uint64_t size)
{
	enum { MOST = 1 << 22 };
	uint64_t left = size > from ? size - from : 0;
	char *bytes = left <= MOST ? malloc(left + 1) : NULL;
	bool own = bytes && pread(fd, bytes, left, (off_t)from) == (ssize_t)left &&
		   owntail_check(log, frame, records, bytes, left);

	free(bytes);
	return own;
}

/* Returns true if the file still has the contents that the dead process wrote. Another run may have
 * started the log again with the same header, and a file system may reuse an inode number. */
static bool has_content(struct log_file *log, int fd, uint64_t size, const struct log_frame *frame)
{
	const struct log_commit *commit = logfile_commit(frame->commit);

	if (size >= frame->head_size && frame->head_size &&
	    !has_bytes(fd, 0, frame->head_size, frame->head_hash))
		return false;
	if (!has_rows(frame, commit))
		return is_same_start(log, fd, size, frame);
	return frame->head_size && size >= commit->size && commit->tail &&
	       commit->tail <= commit->size && commit->tail <= LOG_TAIL &&
	       has_bytes(fd, commit->size - commit->tail, commit->tail, commit->tail_hash);
}

enum found { FOUND_ANOTHER, FOUND_CHANGED /* others have added lines */, FOUND_SAME };

static enum found compare_content(struct log_file *log, int fd, uint64_t size,
				  const struct log_frame *frame,
				  struct resume_records *records)
{
	const struct log_commit *commit = logfile_commit(frame->commit);
	uint64_t end = has_rows(frame, commit) ? commit->size : frame->head_size;

	if (!has_content(log, fd, size, frame))
		return FOUND_ANOTHER;
	return has_own_end(log, frame, records, fd, end, size) ? FOUND_SAME : FOUND_CHANGED;
}

/* `file` is open at `path` and locked. */
static enum found find_log(struct log_file *log, const struct file *file, const char *path,
			   const struct log_frame *frame, struct resume_records *records)
{
	struct stat status;
	enum found found = FOUND_ANOTHER;
	int fd;

	if (!is_noted(file, frame->file_device, frame->file_inode))
		return FOUND_ANOTHER;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return FOUND_ANOTHER;
	if (!fstat(fd, &status) && status.st_dev == file->device && status.st_ino == file->inode)
		found = compare_content(log, fd, (uint64_t)status.st_size, frame, records);
	close(fd);
	return found;
}

/* Returns true if the log of the frame can be continued. `file` is open at `path`. */
static bool may_go_on(struct logs *logs, struct log_file *log, const struct file *file,
		      const char *path, const struct log_frame *frame,
		      struct resume_records *records)
{
	enum found found = find_log(log, file, path, frame, records);

	if (found != FOUND_CHANGED)
		return found == FOUND_SAME;
	say("%s has lines at its end that its program did not write; it is not changed, and the "
	    "missing rows go to another file",
	    path);
	if (owntail_keep(log, frame, records))
		logs->lost++; /* the ring file is kept */
	return false;
}

void resume_log(struct logs *logs, const struct log_frame *frame, struct resume_records *records)
{
	const struct log_commit *commit = logfile_commit(frame->commit);
	uint64_t whole = has_rows(frame, commit) ? commit->size : 0;
	struct log_file *log = frame->frame.flags & LOG_API
				       ? logcalls_of(logs, frame->api)
				       : logs_of(logs, frame->device, frame->context);
	char *path = logs_keep_path(frame->path, frame->path_length);
	struct file file = FILE_CLOSED;

	if (log && !log->path && frame->counters)
		log->target.counters = catalog_counters(logs->catalog, frame->counters - 1);
	if (!log || log->path || !path || file_open_existing(&file, path) ||
	    !may_go_on(logs, log, &file, path, frame, records) ||
	    ftruncate(file.fd, (off_t)whole)) {
		file_close(&file);
		memory_unmap(path, frame->path_length + 1);
		return;
	}
	log->path = path;
	log->file = file;
	log->size = whole;
	log->rows = whole ? commit->rows : 0;
	log->recovered = frame->frame.flags & LOG_RECOVERED;
	log->batch = log_batch(commit->sequence);
	log->last.enter = commit->enter;
	log->last.frame.correlation = commit->correlation;
	if (!whole)
		logs_begin(logs, log);
}

static int compare_numbers(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Reads the correlations of all records and calls in the trace. Returns -1 without memory, or if
 * the trace is damaged: frames added after the damage would not be found. */
static int read_traced(struct trace_reader *reader, struct traced *traced)
{
	const struct frame *frame;
	struct strbuf error = STRBUF_INIT;
	uint64_t room = 0;
	int result;

	while ((result = trace_next_frame(reader, &frame, &error)) == 1) {
		if (traced->count == room) {
			uint64_t *more;

			room = room ? room * 2 : 4096;
			more = memory_array(traced->correlations, room, sizeof(*more));
			if (!more) {
				result = -1;
				break;
			}
			traced->correlations = more;
		}
		traced->correlations[traced->count++] = frame->correlation;
	}
	strbuf_free(&error);
	if (traced->count)
		qsort(traced->correlations, traced->count, sizeof(uint64_t), compare_numbers);
	return result;
}

static bool is_own_trace(const struct logs *logs, const struct trace_reader *reader)
{
	const struct process *written = &trace_catalog(reader)->process;
	const struct process *dead = &logs->catalog->process;

	return written->pid == dead->pid && written->started == dead->started;
}

/* Continues a trace that was read to its end, cut to its last whole frame before END. */
static int cut_trace(struct trace_file *trace, const struct trace_reader *reader, struct file *file)
{
	struct stat status;

	if (fstat(file->fd, &status) || (uint64_t)status.st_size < trace_frames_end(reader) ||
	    ftruncate(file->fd, (off_t)trace_frames_end(reader)))
		return -1;
	trace->file = *file;
	*file = FILE_CLOSED;
	trace->size = trace_frames_end(reader);
	trace->frames = trace_frames(reader);
	trace->losses_in_file.lost = trace_dropped(reader);
	trace->losses_in_file.missing = trace_lost(reader) - trace_dropped(reader);
	trace->losses_in_file.missing_events = trace_lost_events(reader);
	trace->losses_in_file.gaps = trace_gaps(reader);
	trace->lost_at = trace_lost_at(reader);
	trace->names = names_count(trace_catalog(reader)->names);
	trace->devices = trace_catalog(reader)->device_count;
	trace->contexts = trace_catalog(reader)->context_count;
	trace->counters = trace_catalog(reader)->counters_count;
	trace->modules = trace_catalog(reader)->stacks.module_count;
	trace->stacks = trace_catalog(reader)->stacks.node_count;
	return 0;
}

void resume_trace(struct logs *logs, const struct trace_frame *frame, struct traced *traced)
{
	struct trace_file *trace = &logs->trace;
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = NULL;
	struct file file = FILE_CLOSED;
	struct traced found = {0};
	char *path = NULL;

	if (!trace->path && frame->length < PATH_MAX)
		path = logs_keep_path(frame->path, frame->length);
	if (path && !file_open_existing(&file, path) &&
	    is_noted(&file, frame->file_device, frame->file_inode))
		reader = trace_open(path, &error);
	if (reader && trace_is_file(reader, file.device, file.inode) && trace_is_current(reader) &&
	    !read_traced(reader, &found) && is_own_trace(logs, reader) &&
	    !cut_trace(trace, reader, &file)) {
		trace->path = path;
		path = NULL;
		*traced = found;
		found.correlations = NULL;
	}
	free(found.correlations);
	trace_close(reader);
	file_close(&file);
	strbuf_free(&error);
	memory_unmap(path, frame->length + 1);
}

bool resume_has(const struct traced *traced, uint64_t correlation)
{
	return traced->count && bsearch(&correlation, traced->correlations, traced->count,
					sizeof(uint64_t), compare_numbers);
}

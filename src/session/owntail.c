/* SPDX-License-Identifier: MIT */
#include "session/owntail.h"

#include <string.h>

#include "base/map.h"
#include "output/apilog.h"
#include "output/logreader.h"
#include "session/logfile.h"

/* The lines that have not been found among the rows. */
struct tail {
	const char *rest; /* the last line, which may be incomplete */
	size_t rest_length;
	struct map lines; /* the rows by their hashes: how often each occurs */
	uint64_t missing; /* their number */
	bool rest_missing;
};

static uint64_t key_of(const char *line, size_t length)
{
	return frames_hash(line, length) | 1;
}

static bool is_message(const char *line, size_t length)
{
	static const char start[] = LOG_MESSAGE;
	size_t whole = sizeof(start) - 1;

	return !memcmp(line, start, length < whole ? length : whole);
}

static int add_line(struct tail *tail, const char *line, size_t length)
{
	uint64_t key = key_of(line, length);
	uintptr_t count = (uintptr_t)map_get(&tail->lines, key);

	tail->missing++;
	return map_set(&tail->lines, key, (void *)(count + 1));
}

/* Lists the lines. Returns -1 without memory. */
static int split(struct tail *tail, const char *bytes, size_t size)
{
	const char *line = bytes, *all = bytes + size, *end;

	for (; (end = memchr(line, '\n', (size_t)(all - line))); line = end + 1) {
		size_t length = (size_t)(end + 1 - line);

		if (!is_message(line, length) && add_line(tail, line, length))
			return -1;
	}
	tail->rest = line;
	tail->rest_length = (size_t)(all - line);
	tail->rest_missing = tail->rest_length && !is_message(line, tail->rest_length);
	return 0;
}

/* Returns true if the whole row is one of the lines. */
static bool find_row(struct tail *tail, const char *row, size_t length)
{
	uint64_t key = key_of(row, length);
	uintptr_t count = (uintptr_t)map_get(&tail->lines, key);

	if (count && !map_set(&tail->lines, key, (void *)(count - 1))) {
		tail->missing--;
		return true;
	}
	if (tail->rest_missing && tail->rest_length < length)
		tail->rest_missing = memcmp(tail->rest, row, tail->rest_length) != 0;
	return false;
}

/* Returns true if a committed row of the frame's log is that of the record. */
static bool is_committed(const struct log_frame *frame, const struct record *record)
{
	const struct log_commit *commit = logfile_commit(frame->commit);
	const struct record last = {.frame.correlation = commit->correlation,
				    .enter = commit->enter};

	if (frame->frame.flags & LOG_RECOVERED)
		return commit->rows && !launched_before(&last, record);
	return log_batch_of(record) && log_batch_of(record) == log_batch(commit->sequence);
}

static bool is_of(const struct log_file *log, const struct record *record)
{
	bool by_context = log->target.layout.dialect == DIALECT_CUDA4;
	const struct call *call = (const void *)record;

	if (log->of_calls)
		return record->frame.kind == FRAME_CALL && call->api == log->target.layout.api;
	return frames_is_record(&record->frame) && record->device == log->target.device->id &&
	       (!by_context || record->context == log->target.context->id);
}

static int keep(struct resume_records *records, const struct record *record)
{
	static char kept;

	return map_set(&records->kept, (uintptr_t)record, &kept);
}

int owntail_keep(const struct log_file *log, const struct log_frame *frame,
		 struct resume_records *records)
{
	for (uint64_t i = 0; i < records->count; i++) {
		const struct record *record = records->records[i];

		if (is_of(log, record) && is_committed(frame, record) && keep(records, record))
			return -1;
	}
	return 0;
}

/* As recovery writes the row. */
static void put_row(const struct log_file *log, const struct record *record, struct strbuf *to)
{
	struct counted_record counted;

	to->length = 0;
	if (log->of_calls) {
		apilog_write(&log->target, (const void *)record, to);
		return;
	}
	counted_record_copy(&counted, record);
	if (record->handle)
		counted.record.frame.flags |= RECORD_UNFINISHED;
	output_formats[log->target.layout.format]->write(&log->target, &counted.record, to);
}

/* Finds the rows among the lines and notes their records. Returns -1 without memory. */
static int find_rows(struct tail *tail, const struct log_file *log, const struct log_frame *frame,
		     struct resume_records *records)
{
	struct strbuf row = STRBUF_INIT;
	int result = 0;

	for (uint64_t i = 0; (tail->missing || tail->rest_missing) && i < records->count; i++) {
		const struct record *record = records->records[i];

		if (!is_of(log, record) || is_committed(frame, record))
			continue;
		put_row(log, record, &row);
		if (row.failed || (find_row(tail, row.data, row.length) &&
				   keep(records, record))) {
			result = -1;
			break;
		}
	}
	strbuf_free(&row);
	return result;
}

/* They are cut off, and written again. */
static void keep_none(const struct log_file *log, struct resume_records *records)
{
	for (uint64_t i = 0; i < records->count; i++)
		if (is_of(log, records->records[i]) &&
		    map_get(&records->kept, (uintptr_t)records->records[i]))
			map_set(&records->kept, (uintptr_t)records->records[i], NULL);
}

bool owntail_check(const struct log_file *log, const struct log_frame *frame,
		   struct resume_records *records, const char *bytes, size_t size)
{
	struct tail tail = {.rest = bytes};
	bool own = !split(&tail, bytes, size) && !find_rows(&tail, log, frame, records) &&
		   !tail.missing && !tail.rest_missing;

	if (own && size)
		keep_none(log, records);
	map_free(&tail.lines);
	return own;
}

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/logreader.h"
#include "output/tracereader.h"

/*
 * Counts the records of profiled_program.h in their files: a row has its serial number as
 * memtransfersize, and as gputime = serial % 1000 + 1 us.
 */

static inline char *read_file(const char *path, size_t *size)
{
	FILE *stream = fopen(path, "r");
	char *bytes;

	if (!stream)
		return NULL;
	fseek(stream, 0, SEEK_END);
	*size = (size_t)ftell(stream);
	rewind(stream);
	bytes = calloc(1, *size + 1);
	*size = fread(bytes, 1, *size, stream);
	fclose(stream);
	return bytes;
}

static inline double number(const struct logreader *reader, const char *key)
{
	struct log_text value;

	return logreader_value(reader, key, &value) ? strtod(value.text, NULL) : -1;
}

/*
 * The contents of a log: the count of each serial number below `limit`, whether the rows are in the
 * order of their time stamps, and the number without gputime. Torn or inconsistent rows count as
 * -1.
 */
struct rows {
	unsigned int *seen;
	uint64_t limit;
	int count;
	int untimed;
	bool ordered;
};

static inline int read_row(const struct logreader *reader, struct rows *rows)
{
	double serial = number(reader, "memtransfersize");
	double time = number(reader, "gputime");
	struct log_text method;

	if (serial < 0 || serial >= (double)rows->limit || number(reader, "streamid") < 0 ||
	    !logreader_value(reader, "method", &method) || strncmp(method.text, "memcopy ", 8))
		return -1;
	rows->seen[(uint64_t)serial]++;
	rows->count++;
	if (time < 0)
		rows->untimed++;
	else if ((uint64_t)time != (uint64_t)serial % 1000 + 1)
		return -1;
	return 0;
}

static inline int read_rows(const char *path, struct rows *rows, uint64_t limit)
{
	struct logreader reader;
	double last = -1;
	int result, more;
	size_t size;
	char *bytes = read_file(path, &size);

	*rows = (struct rows){.seen = calloc(limit, sizeof(int)), .limit = limit, .ordered = true};
	if (!bytes)
		return -1;
	result = logreader_open(&reader, bytes, size);
	if (size && bytes[size - 1] != '\n')
		result = -1;
	while (!result && (more = logreader_next(&reader))) {
		double stamp = number(&reader, "timestamp");

		rows->ordered &= stamp >= last;
		last = stamp;
		result = more < 0 ? -1 : read_row(&reader, rows);
	}
	logreader_close(&reader);
	free(bytes);
	return result;
}

/* Returns the number of serials in [from, to) that are not there exactly once. */
static inline unsigned int wrong_counts(const struct rows *rows, uint64_t from, uint64_t to)
{
	unsigned int wrong = 0;

	for (uint64_t i = from; i < to; i++)
		wrong += rows->seen[i] != 1;
	return wrong;
}

static inline int read_trace(const char *path, struct rows *rows, uint64_t limit)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open(path, &error);
	const struct record *record;
	int more;

	*rows = (struct rows){.seen = calloc(limit, sizeof(int)), .limit = limit};
	if (!reader)
		return -1;
	while ((more = trace_next(reader, &record, &error)) == 1) {
		if (record->bytes >= limit)
			return -1;
		rows->seen[record->bytes]++;
		rows->count++;
	}
	trace_close(reader);
	strbuf_free(&error);
	return more;
}

/* Reads the calls of a trace by their numbers. */
static inline int read_calls(const char *path, struct rows *rows, uint64_t limit)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open(path, &error);
	const struct frame *frame;
	int more;

	*rows = (struct rows){.seen = calloc(limit, sizeof(int)), .limit = limit};
	if (!reader)
		return -1;
	while ((more = trace_next_frame(reader, &frame, &error)) == 1) {
		const struct call *call = (const void *)frame;

		if (frame->kind != FRAME_CALL)
			continue;
		if (call->number >= limit || call->leave < call->enter || call->api ||
		    !(call->frame.correlation & EVENT_NUMBERS))
			return -1;
		rows->seen[call->number]++;
		rows->count++;
	}
	trace_close(reader);
	strbuf_free(&error);
	return more;
}

#endif

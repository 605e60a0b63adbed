/* SPDX-License-Identifier: MIT */
#include "session/totals_reader.h"

#include <stdlib.h>
#include <string.h>

#include "model/totals_row.h"
#include "session/ringfile_live.h"
#include "session/state.h"
#include "session/totals_table.h"

/* A damaged file may have any numbers. Larger ones are not read. */
enum {
	SEGMENTS_MOST = 1 << 16,
	TOTALS_MOST = 256 << 20, /* bytes of all rows */
	TRIES = 4,		 /* to read a row that changes */
	STEP = 16,		 /* rows that are read after the known ones */
};

struct live_segment {
	struct ringfile_live_segment in_file;
	uint32_t stride; /* of SEGMENT_TOTALS; 0: not known yet */
	uint32_t table;	 /* as totals_segment.table */
	uint32_t first;	 /* as totals_segment.first */
	uint32_t room;	 /* rows that fit into the segment, */
	uint32_t count;	 /* that were there the last time, */
	uint32_t copied; /* and that fit into `rows` */
	char *rows; /* the last whole copies, of `stride` bytes each; frame.size is 0 without one */
};

struct totals_reader {
	struct ringfile_live ring;
	struct catalog catalog;
	struct totals_rows rows;
	struct strbuf logs;
	struct strbuf segments; /* struct live_segment */
	struct strbuf buffer;	/* for reading */
	uint64_t waiting;
	uint64_t bytes; /* of all copies */
	bool any;
	bool ended; /* the process: nobody changes the rows */
};

static bool read_at(const struct totals_reader *reader, void *to, uint64_t size, uint64_t at)
{
	return ringfile_live_read(&reader->ring, to, size, at);
}

static struct live_segment *segments_of(const struct totals_reader *reader, size_t *count)
{
	*count = reader->segments.length / sizeof(struct live_segment);
	return (void *)reader->segments.data;
}

/* Returns a buffer of `size` bytes, or NULL. */
static void *buffer(struct totals_reader *reader, uint64_t size)
{
	reader->buffer.length = 0;
	return strbuf_reserve(&reader->buffer, size);
}

/* Adds the segments that are new in the file. Returns -1 without memory. */
static int find_segments(struct totals_reader *reader)
{
	struct live_segment segment = {.rows = NULL};

	while (reader->segments.length / sizeof(segment) < SEGMENTS_MOST &&
	       ringfile_live_next(&reader->ring, &segment.in_file))
		strbuf_append(&reader->segments, &segment, sizeof(segment));
	return reader->segments.failed ? -1 : 0;
}

/* Returns false while the process has not filled in the segment's header. */
static bool read_stride(const struct totals_reader *reader, struct live_segment *segment)
{
	struct totals_segment head;
	uint64_t size;

	if (segment->stride)
		return true;
	if (segment->in_file.size < sizeof(head) ||
	    !read_at(reader, &head, offsetof(struct totals_segment, journal),
		     segment->in_file.at) ||
	    !totals_is_size(head.segment.stride))
		return false;
	size = segment->in_file.size > UINT32_MAX ? UINT32_MAX : segment->in_file.size;
	segment->stride = (uint32_t)head.segment.stride;
	segment->table = head.table;
	segment->first = head.first;
	segment->room = (uint32_t)((size - sizeof(head)) / segment->stride);
	return true;
}

/* Makes room for the copies of `count` rows. Returns -1 without memory. */
static int make_room(struct totals_reader *reader, struct live_segment *segment, uint32_t count)
{
	uint64_t more = (uint64_t)(count - segment->copied) * segment->stride;
	char *rows;

	if (count <= segment->copied)
		return 0;
	rows = realloc(segment->rows, (size_t)count * segment->stride);
	if (!rows)
		return -1;
	memset(rows + (size_t)segment->copied * segment->stride, 0, more);
	segment->rows = rows;
	segment->copied = count;
	reader->bytes += more;
	return 0;
}

/* The process may change the row at any moment. `before` and `after` are its sequences, read by
 * system calls before and after that of `row`. A change that the end of the process has
 * interrupted is undone later. */
static bool is_whole(const struct totals_reader *reader, const struct totals_row *before,
		     const struct totals_row *row, const struct totals_row *after)
{
	return before->frame.size && before->sequence == row->sequence &&
	       row->sequence == after->sequence && (!(row->sequence & 1) || reader->ended);
}

static struct totals_row *row_at(char *places, const struct live_segment *segment, uint32_t number)
{
	return (void *)(places + (uint64_t)number * segment->stride);
}

static void read_again(const struct totals_reader *reader, const struct live_segment *segment,
		       uint32_t number)
{
	uint64_t at = segment->in_file.at + sizeof(struct totals_segment) +
		      (uint64_t)number * segment->stride;
	struct totals_buckets_row copies[3];

	for (int tries = 1; tries < TRIES; tries++) {
		for (int i = 0; i < 3; i++)
			if (!read_at(reader, &copies[i], segment->stride, at))
				return;
		if (is_whole(reader, &copies[0].row, &copies[1].row, &copies[2].row)) {
			memcpy(row_at(segment->rows, segment, number), &copies[1], segment->stride);
			return;
		}
	}
}

static void take_rows(struct totals_reader *reader, struct live_segment *segment, char *copies,
		      uint32_t count)
{
	uint64_t size = (uint64_t)count * segment->stride;

	for (uint32_t i = 0; i < count; i++) {
		const struct totals_row *row = row_at(copies + size, segment, i);

		if (!row->frame.size)
			break;
		if (is_whole(reader, row_at(copies, segment, i), row,
			     row_at(copies + 2 * size, segment, i)))
			memcpy(row_at(segment->rows, segment, i), row, segment->stride);
		else
			read_again(reader, segment, i);
		if (i == segment->count)
			segment->count++;
	}
}

/* Reads the first rows of a segment three times: the second copy of a row is whole if the sequence
 * is the same in the first and in the third. Returns -1 without memory. */
static int read_rows(struct totals_reader *reader, struct live_segment *segment, uint32_t count)
{
	uint64_t size = (uint64_t)count * segment->stride;
	char *copies = buffer(reader, 3 * size);

	if (!copies || make_room(reader, segment, count))
		return -1;
	for (int i = 0; i < 3; i++)
		if (!read_at(reader, copies + i * size, size,
			     segment->in_file.at + sizeof(struct totals_segment)))
			return 0;
	take_rows(reader, segment, copies, count);
	return 0;
}

/* Rows are in the first places, so the free ones after them are not read. */
static int read_segment(struct totals_reader *reader, struct live_segment *segment)
{
	uint32_t count;

	if (!read_stride(reader, segment))
		return 0;
	do {
		count = segment->count + STEP < segment->room ? segment->count + STEP
							      : segment->room;
		if (reader->bytes > TOTALS_MOST)
			count = segment->copied;
		if (count && read_rows(reader, segment, count))
			return -1;
	} while (count && segment->count == count && count < segment->room &&
		 reader->bytes <= TOTALS_MOST);
	return 0;
}

static int read_tables(struct totals_reader *reader)
{
	size_t count;
	struct live_segment *segments = segments_of(reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (segments[i].in_file.kind != SEGMENT_TOTALS)
			continue;
		reader->any = true;
		if (read_segment(reader, &segments[i]))
			return -1;
	}
	return 0;
}

/* Returns the copy of a row of a table, or NULL. */
static struct totals_row *find_row(const struct totals_reader *reader, uint32_t table, uint32_t row)
{
	size_t count;
	const struct live_segment *segments = segments_of(reader, &count);

	for (size_t i = 0; i < count; i++)
		if (segments[i].stride && segments[i].table == table &&
		    row - segments[i].first < segments[i].count)
			return row_at(segments[i].rows, &segments[i], row - segments[i].first);
	return NULL;
}

/* Undoes the changes that the end of the process has interrupted. */
static void undo_changes(struct totals_reader *reader)
{
	size_t count;
	const struct live_segment *segments = segments_of(reader, &count);
	struct totals_segment head;
	const struct totals_journal *journal = &head.journal;

	for (size_t i = 0; i < count; i++) {
		uint32_t changes;

		if (!segments[i].stride || segments[i].first ||
		    !read_at(reader, &head, sizeof(head), segments[i].in_file.at) ||
		    !journal->busy)
			continue;
		changes = journal->changes < TOTALS_CHANGES ? journal->changes : TOTALS_CHANGES;
		while (changes) {
			const struct totals_change *change = &journal->change[--changes];

			totals_change_undo(find_row(reader, head.table, change->row), change);
		}
	}
}

/* Lists the valid rows. A name or a device may be missing until the next reading. */
static int list_rows(struct totals_reader *reader)
{
	size_t count;
	const struct live_segment *segments = segments_of(reader, &count);

	reader->rows.bytes.length = reader->rows.offsets.length = 0;
	for (size_t i = 0; i < count; i++)
		for (uint32_t number = 0; number < segments[i].count; number++) {
			struct totals_row *row = row_at(segments[i].rows, &segments[i], number);

			row->sequence = 0;
			if (row->frame.size <= segments[i].stride &&
			    totals_row_is_valid(&reader->catalog, row) &&
			    totals_rows_add(&reader->rows, row))
				return -1;
		}
	return 0;
}

static void keep_log(struct totals_reader *reader, const struct frame *frame)
{
	const struct rules_frame *rules = (const void *)frame;

	if (rules->log_length > frame->size - sizeof(*rules))
		return;
	strbuf_append(&reader->logs, rules->text, strnlen(rules->text, rules->log_length));
	strbuf_char(&reader->logs, '\0');
}

static int apply(void *argument, const struct frame *frame)
{
	struct totals_reader *reader = argument;

	if (!frames_valid(&reader->catalog, frame, frame->size))
		return -1;
	if (frame->kind == FRAME_RULES && !(frame->flags & RULES_API_LOG))
		keep_log(reader, frame);
	frames_apply(&reader->catalog, frame);
	return 0;
}

static int read_catalog(struct totals_reader *reader)
{
	size_t count;
	struct live_segment *segments = segments_of(reader, &count);

	for (size_t i = 0; i < count; i++)
		if (segments[i].in_file.kind == SEGMENT_FRAMES &&
		    ringfile_live_frames(&reader->ring, &segments[i].in_file, &reader->buffer,
					 apply, reader))
			return -1;
	return 0;
}

/* Only the positions of the rings are read. */
static void read_waiting(struct totals_reader *reader)
{
	size_t count;
	const struct live_segment *segments = segments_of(reader, &count);
	struct thread_ring ring;

	reader->waiting = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t used;

		if (segments[i].in_file.kind != SEGMENT_RING ||
		    segments[i].in_file.size < sizeof(ring) ||
		    !read_at(reader, &ring, sizeof(ring), segments[i].in_file.at))
			continue;
		used = ring_used(&ring.ring);
		if (used <= segments[i].in_file.size)
			reader->waiting += used;
	}
}

static bool is_alive(struct totals_reader *reader)
{
	return ringfile_live_is_alive(&reader->ring);
}

bool totals_reader_is_alive(struct totals_reader *reader)
{
	reader->ended = !is_alive(reader);
	return !reader->ended;
}

const struct totals_rows *totals_reader_read(struct totals_reader *reader)
{
	/* For `ended`, and for the number of lost records. */
	totals_reader_is_alive(reader);
	/* Names are read after the rows: each is in the file before its row. */
	if (find_segments(reader) || read_tables(reader) || find_segments(reader) ||
	    read_catalog(reader))
		return NULL;
	if (reader->ended)
		undo_changes(reader);
	if (list_rows(reader))
		return NULL;
	read_waiting(reader);
	return &reader->rows;
}

struct totals_reader *totals_reader_open(const char *path, struct strbuf *reason)
{
	struct totals_reader *reader = calloc(1, sizeof(*reader));

	if (reader)
		reader->ring.fd = -1;
	if (!reader || catalog_init(&reader->catalog))
		strbuf_string(reason, "out of memory");
	else if (!ringfile_live_open(&reader->ring, path, reason))
		return reader;
	totals_reader_close(reader);
	return NULL;
}

const struct catalog *totals_reader_catalog(const struct totals_reader *reader)
{
	return &reader->catalog;
}

const struct ringfile_header *totals_reader_header(const struct totals_reader *reader)
{
	return &reader->ring.header;
}

bool totals_reader_has_totals(const struct totals_reader *reader)
{
	return reader->any;
}

uint64_t totals_reader_waiting(const struct totals_reader *reader)
{
	return reader->waiting;
}

const struct strbuf *totals_reader_logs(const struct totals_reader *reader)
{
	return &reader->logs;
}

void totals_reader_close(struct totals_reader *reader)
{
	size_t count;
	struct live_segment *segments;

	if (!reader)
		return;
	segments = segments_of(reader, &count);
	for (size_t i = 0; i < count; i++)
		free(segments[i].rows);
	strbuf_free(&reader->segments);
	strbuf_free(&reader->buffer);
	strbuf_free(&reader->logs);
	totals_rows_free(&reader->rows);
	catalog_free(&reader->catalog);
	ringfile_live_close(&reader->ring);
	free(reader);
}

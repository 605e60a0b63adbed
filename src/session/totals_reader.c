/* SPDX-License-Identifier: MIT */
#include "session/totals_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/frames.h"
#include "model/totals_row.h"
#include "session/state.h"
#include "session/totals_table.h"

enum {
	TRIES = 4, /* to read a row that changes */
	TABLES = MAX_RINGS + 1,
	ROW_LIMIT = 1 << 20, /* numbers of rows in a table are below */
};

/* The rows of a segment. */
struct extent {
	uint32_t table;
	uint32_t first; /* number in the table */
	uint32_t count;
	uint32_t padding;
	size_t at; /* index in totals_rows */
};

/* A walk through the segments. */
struct reading {
	struct totals_rows *rows;
	const struct totals_rows *before; /* copies of the last time, NULL: the process has ended */
	uint32_t ends[TABLES]; /* of each table: number of the first row after those read */
};

static size_t extent_count(const struct totals_rows *rows)
{
	return rows->extents.length / sizeof(struct extent);
}

static int compare(const void *left, const void *right)
{
	const struct extent *one = left, *other = right;

	if (one->table != other->table)
		return one->table < other->table ? -1 : 1;
	return (one->first > other->first) - (one->first < other->first);
}

/* Returns the row with this number of a table, or NULL. */
static struct totals_row *find_row(const struct totals_rows *rows, uint32_t table, uint32_t row)
{
	const struct extent *extents = (const void *)rows->extents.data;
	size_t low = 0, high = extent_count(rows);
	const struct extent wanted = {.table = table, .first = row};

	while (low < high) { /* the last one that does not start after the row */
		size_t middle = (low + high) / 2;

		if (compare(&extents[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || extents[low - 1].table != table)
		return NULL;
	row -= extents[low - 1].first;
	return row < extents[low - 1].count ? totals_rows_get(rows, extents[low - 1].at + row)
					    : NULL;
}

int totals_rows_add(struct totals_rows *rows, const struct totals_row *row)
{
	size_t offset = rows->bytes.length;

	strbuf_append(&rows->bytes, row, row->frame.size);
	strbuf_append(&rows->offsets, &offset, sizeof(offset));
	return rows->bytes.failed || rows->offsets.failed ? -1 : 0;
}

void totals_rows_free(struct totals_rows *rows)
{
	strbuf_free(&rows->bytes);
	strbuf_free(&rows->offsets);
	strbuf_free(&rows->extents);
}

/* A segment of totals. */
struct source_segment {
	const struct totals_segment *totals;
	uint64_t stride;
	uint32_t places;
};

/* Returns false if the segment is not one of totals, or not consistent. */
static bool is_of_totals(const struct reading *reading, const struct segment *segment,
			 struct source_segment *source)
{
	const struct totals_segment *totals = (const void *)segment;
	uint64_t stride = __atomic_load_n(&segment->stride, __ATOMIC_ACQUIRE);
	uint64_t places;

	if (segment->kind != SEGMENT_TOTALS || segment->size < sizeof(*totals) ||
	    (stride != sizeof(struct totals_row) && stride != sizeof(struct totals_buckets_row)) ||
	    totals->table >= TABLES || totals->first >= ROW_LIMIT ||
	    totals->first < reading->ends[totals->table])
		return false;
	places = (segment->size - sizeof(*totals)) / stride;
	if (places > ROW_LIMIT - totals->first)
		places = ROW_LIMIT - totals->first;
	*source = (struct source_segment){totals, stride, (uint32_t)places};
	return true;
}

/* Copies a row that may be changing. Returns false if it changed each time. */
static bool copy_unchanged(struct totals_row *to, const struct totals_row *row, uint32_t size)
{
	for (int tries = TRIES; tries; tries--) {
		uint32_t sequence = __atomic_load_n(&row->sequence, __ATOMIC_ACQUIRE);

		if (sequence & 1)
			continue;
		memcpy(to, row, size);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&row->sequence, __ATOMIC_RELAXED) == sequence)
			return true;
	}
	return false;
}

/* Returns the size of a row, 0 if the place is free or damaged. */
static uint32_t size_of(const struct totals_row *row, uint64_t stride)
{
	uint32_t size = __atomic_load_n(&row->frame.size, __ATOMIC_ACQUIRE);

	return (size == sizeof(struct totals_row) || size == sizeof(struct totals_buckets_row)) &&
			       size <= stride
		       ? size
		       : 0;
}

/* Of a new row that changed each time, only its key is known. */
static void clear_sums(struct totals_row *row)
{
	uint32_t size = row->frame.size;

	memset((char *)row + offsetof(struct totals_row, count), 0,
	       size - offsetof(struct totals_row, count));
	if (totals_row_kind(row) != TOTALS_PROCESS)
		row->shortest = UINT64_MAX;
}

static int copy_row(struct reading *reading, const struct totals_segment *totals, uint32_t number,
		    const struct totals_row *row, uint32_t size)
{
	struct totals_buckets_row copy;
	const struct totals_row *last;

	if (!reading->before) {
		memcpy(&copy, row, size);
	} else if (!copy_unchanged(&copy.row, row, size)) {
		last = find_row(reading->before, totals->table, number);
		memcpy(&copy, last ? last : row, last ? last->frame.size : size);
		if (!last)
			clear_sums(&copy.row);
	}
	if (copy.row.frame.size != size)
		return 1;
	copy.row.sequence = 0;
	return totals_rows_add(reading->rows, &copy.row);
}

/* Returns -1 without memory. */
static int copy_segment(struct reading *reading, const struct source_segment *source)
{
	const struct totals_segment *totals = source->totals;
	const char *at = (const void *)(totals + 1);
	struct extent extent = {.table = totals->table,
				.first = totals->first,
				.at = totals_rows_count(reading->rows)};
	int result = 0;

	for (; extent.count < source->places && !result; at += source->stride) {
		uint32_t size = size_of((const void *)at, source->stride);

		if (!size)
			break;
		result = copy_row(reading, totals, extent.first + extent.count, (const void *)at,
				  size);
		extent.count += !result;
	}
	if (result < 0)
		return -1;
	if (!extent.count)
		return 0;
	reading->ends[extent.table] = extent.first + extent.count;
	strbuf_append(&reading->rows->extents, &extent, sizeof(extent));
	return reading->rows->extents.failed ? -1 : 0;
}

static int copy_all(const struct ringfile_reader *ring, struct reading *reading)
{
	struct source_segment source;
	const struct segment *segment = NULL;

	while ((segment = ringfile_reader_next(ring, segment)))
		if (is_of_totals(reading, segment, &source) && copy_segment(reading, &source))
			return -1;
	if (reading->rows->extents.length)
		qsort(reading->rows->extents.data, extent_count(reading->rows),
		      sizeof(struct extent), compare);
	return 0;
}

static bool is_same_key(const struct totals_row *one, const struct totals_row *other)
{
	return one->frame.size == other->frame.size && one->frame.kind == other->frame.kind &&
	       one->frame.flags == other->frame.flags &&
	       (totals_row_kind(one) == TOTALS_PROCESS ||
		totals_row_key(one) == totals_row_key(other));
}

static void undo_change(const struct totals_rows *rows, uint32_t table,
			const struct totals_change *change)
{
	struct totals_row *row = find_row(rows, table, change->row);

	if (!row || !is_same_key(row, &change->before))
		return;
	memcpy(row, &change->before, sizeof(*row));
	row->sequence = 0;
	if (change->bucket < TOTALS_BUCKETS && totals_has_buckets(row))
		((struct totals_buckets_row *)(void *)row)->buckets[change->bucket] =
			change->bucket_before;
}

/* Undoes the interrupted change of the segment's table, if it has one. */
static void undo(const struct totals_rows *rows, const struct totals_segment *totals,
		 uint64_t *interrupted)
{
	const struct totals_journal *journal = &totals->journal;

	uint32_t changes = journal->changes < TOTALS_CHANGES ? journal->changes : TOTALS_CHANGES;

	if (!journal->busy)
		return;
	while (changes)
		undo_change(rows, totals->table, &journal->change[--changes]);
	if (!totals->table)
		*interrupted = journal->correlation;
}

/* Copies the valid rows. Returns -1 without memory. */
static int copy_valid(struct totals_rows *to, const struct totals_rows *rows,
		      const struct catalog *catalog)
{
	for (size_t i = 0; i < totals_rows_count(rows); i++) {
		const struct totals_row *row = totals_rows_get(rows, i);

		if (totals_row_is_valid(catalog, row) && totals_rows_add(to, row))
			return -1;
	}
	return 0;
}

static struct reading *new_reading(struct totals_rows *rows, const struct totals_rows *before)
{
	struct reading *reading = calloc(1, sizeof(*reading));

	if (!reading)
		return NULL;
	reading->rows = rows;
	reading->before = before;
	return reading;
}

static void undo_all(const struct ringfile_reader *ring, struct reading *reading,
		     uint64_t *interrupted)
{
	const struct segment *segment = NULL;
	struct source_segment source;

	memset(reading->ends, 0, sizeof(reading->ends));
	while ((segment = ringfile_reader_next(ring, segment)))
		if (is_of_totals(reading, segment, &source) && !source.totals->first) {
			undo(reading->rows, source.totals, interrupted);
			reading->ends[source.totals->table] = 1;
		}
}

int totals_reader_dead(const struct ringfile_reader *ring, struct totals_rows *rows,
		       uint64_t *interrupted)
{
	struct totals_rows all = {0};
	struct reading *reading = new_reading(&all, NULL);
	int result = -1;

	*interrupted = 0;
	if (reading && !copy_all(ring, reading)) {
		undo_all(ring, reading, interrupted);
		result = copy_valid(rows, &all, &ring->catalog);
	}
	free(reading);
	totals_rows_free(&all);
	return result;
}

struct totals_reader {
	struct ringfile_reader ring; /* its file is not locked */
	struct totals_rows rows; /* all rows, */
	struct totals_rows valid;
};

/* Maps the file again if it has grown. */
static int map_file(struct ringfile_reader *ring)
{
	struct stat status;
	void *memory;

	if (fstat(ring->fd, &status) || status.st_size < RINGFILE_PAGE)
		return -1;
	if (ring->header && (uint64_t)status.st_size == ring->size)
		return 0;
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, ring->fd, 0);
	if (memory == MAP_FAILED)
		return -1;
	if (ring->header)
		munmap((void *)(uintptr_t)ring->header, ring->size);
	ring->header = memory;
	ring->size = (uint64_t)status.st_size;
	return 0;
}

static int open_file(struct totals_reader *reader, const char *path, struct strbuf *reason)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	struct stat status;
	const char *wrong;

	reader->ring.fd = open(path, flags);
	if (reader->ring.fd < 0) {
		strbuf_printf(reason, "cannot open %s: %s", path, strerror(errno));
		return -1;
	}
	if (fstat(reader->ring.fd, &status) || !S_ISREG(status.st_mode) ||
	    map_file(&reader->ring)) {
		strbuf_printf(reason, "%s is not a ring file of computeprof", path);
		return -1;
	}
	wrong = ringfile_reader_check(reader->ring.header);
	if (!wrong && !catalog_init(&reader->ring.catalog))
		return 0;
	strbuf_printf(reason, "%s %s", path, wrong ? wrong : "cannot be read: out of memory");
	return -1;
}

struct totals_reader *totals_reader_open(const char *path, struct strbuf *reason)
{
	struct totals_reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		strbuf_string(reason, "out of memory");
		return NULL;
	}
	if (!open_file(reader, path, reason))
		return reader;
	totals_reader_close(reader);
	return NULL;
}

static int apply(void *argument, const struct frame *frame)
{
	struct totals_reader *reader = argument;

	frames_apply(&reader->ring.catalog, frame);
	return 0;
}

const struct totals_rows *totals_reader_read(struct totals_reader *reader)
{
	struct totals_rows before = reader->rows;
	struct reading *reading = new_reading(&reader->rows, &before);
	int result = reading ? map_file(&reader->ring) : -1;

	reader->rows = (struct totals_rows){0};
	totals_rows_free(&reader->valid);
	if (!result)
		result = copy_all(&reader->ring, reading);
	/* After the rows: their names are in the file before them. */
	if (!result)
		ringfile_reader_frames(&reader->ring, apply, reader);
	if (!result)
		result = copy_valid(&reader->valid, &reader->rows, &reader->ring.catalog);
	totals_rows_free(&before);
	free(reading);
	return result ? NULL : &reader->valid;
}

const struct catalog *totals_reader_catalog(const struct totals_reader *reader)
{
	return &reader->ring.catalog;
}

const struct ringfile_header *totals_reader_header(const struct totals_reader *reader)
{
	return reader->ring.header;
}

bool totals_reader_is_alive(const struct totals_reader *reader)
{
	return ringfile_reader_is_alive(&reader->ring);
}

void totals_reader_close(struct totals_reader *reader)
{
	totals_rows_free(&reader->rows);
	totals_rows_free(&reader->valid);
	ringfile_reader_close(&reader->ring);
	free(reader);
}

/* SPDX-License-Identifier: MIT */
#include "session/totals_reader.h"

#include <stdlib.h>
#include <string.h>

#include "model/totals_row.h"
#include "session/state.h"
#include "session/totals_table.h"

enum {
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
	    !totals_is_size(stride) || totals->table >= TABLES || totals->first >= ROW_LIMIT ||
	    totals->first < reading->ends[totals->table])
		return false;
	places = (segment->size - sizeof(*totals)) / stride;
	if (places > ROW_LIMIT - totals->first)
		places = ROW_LIMIT - totals->first;
	*source = (struct source_segment){totals, stride, (uint32_t)places};
	return true;
}

/* Returns the size of a row, 0 if the place is free or damaged. */
static uint32_t size_of(const struct totals_row *row, uint64_t stride)
{
	uint32_t size = __atomic_load_n(&row->frame.size, __ATOMIC_ACQUIRE);

	return totals_is_size(size) && size <= stride ? size : 0;
}

static int copy_row(struct reading *reading, const struct totals_row *row, uint32_t size)
{
	struct totals_buckets_row copy;

	memcpy(&copy, row, size);
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
		result = copy_row(reading, (const void *)at, size);
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

void totals_change_undo(struct totals_row *row, const struct totals_change *change)
{
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
	while (changes) {
		const struct totals_change *change = &journal->change[--changes];

		totals_change_undo(find_row(rows, totals->table, change->row), change);
	}
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

static struct reading *new_reading(struct totals_rows *rows)
{
	struct reading *reading = calloc(1, sizeof(*reading));

	if (!reading)
		return NULL;
	reading->rows = rows;
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
	struct reading *reading = new_reading(&all);
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

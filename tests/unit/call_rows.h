/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CALL_ROWS_H
#define TESTS_CALL_ROWS_H

#include "session/call_totals.h"
#include "session/totals_table.h"

#include "profiled_program.h"

/* The totals of calls in a ring file, after a kill: what journals name is undone, and the rows of
 * all threads with the same key are added. */
enum { CALL_ROWS = 2048 };

struct call_rows {
	struct totals_buckets_row rows[CALL_ROWS];
	unsigned count;
	unsigned tables; /* of threads */
	unsigned odd;	 /* rows that a reader of the live file would see as changing */
};

/* Returns the row with the key; a new one if there is none. */
static inline struct totals_buckets_row *call_row(struct call_rows *rows, unsigned kind,
						  uint32_t name, int32_t code)
{
	struct totals_buckets_row *row;

	for (unsigned i = 0; i < rows->count; i++) {
		const struct totals_row *old = &rows->rows[i].row;

		if (old->frame.flags == kind && old->name == name && old->code == code)
			return &rows->rows[i];
	}
	assert_true(rows->count < CALL_ROWS);
	row = &rows->rows[rows->count++];
	row->row = (struct totals_row){.frame.flags = (uint16_t)kind,
				       .name = name,
				       .code = code,
				       .shortest = UINT64_MAX,
				       .first = UINT64_MAX};
	return row;
}

static inline void add_call_row(struct call_rows *rows, const struct totals_row *row)
{
	struct totals_buckets_row *to =
		call_row(rows, row->frame.flags, row->name, row->code);
	const struct totals_buckets_row *wide;

	rows->odd += row->sequence % 2;
	to->row.frame.size = row->frame.size;
	to->row.count += row->count;
	to->row.total += row->total;
	to->row.failed += row->failed;
	if (row->shortest < to->row.shortest)
		to->row.shortest = row->shortest;
	if (row->longest > to->row.longest)
		to->row.longest = row->longest;
	if (row->count && row->first < to->row.first)
		to->row.first = row->first;
	if (row->last > to->row.last)
		to->row.last = row->last;
	wide = (const void *)row;
	for (unsigned i = 0; totals_has_buckets(row) && i < TOTALS_BUCKETS; i++)
		to->buckets[i] += wide->buckets[i];
}

/* Returns the segment at *at, NULL at the end, and moves *at past it. */
static inline struct totals_segment *next_segment(char *file, uint64_t *at)
{
	const struct ringfile_header *header = (const void *)file;
	struct segment *segment = (void *)(file + *at);

	if (*at >= header->end)
		return NULL;
	assert_int_equal(segment->magic, SEGMENT_MAGIC);
	*at += segment->size;
	return (void *)segment;
}

static inline struct totals_row *row_in(char *file, uint32_t table, uint32_t number)
{
	uint64_t at = RINGFILE_PAGE;
	struct totals_segment *segment;

	while ((segment = next_segment(file, &at))) {
		uint64_t stride = segment->segment.stride, rows;

		if (segment->segment.kind != SEGMENT_TOTALS || segment->table != table || !stride)
			continue;
		rows = (segment->segment.size - sizeof(*segment)) / stride;
		if (number >= segment->first && number - segment->first < rows)
			return (void *)((char *)(segment + 1) +
					(number - segment->first) * stride);
	}
	return NULL;
}

static inline void undo_in(char *file, const struct totals_segment *segment)
{
	for (uint32_t i = 0; segment->journal.busy && i < segment->journal.changes; i++) {
		const struct totals_change *change = &segment->journal.change[i];
		struct totals_row *row = row_in(file, segment->table, change->row);

		assert_non_null(row);
		*row = change->before;
		if (change->bucket < TOTALS_BUCKETS)
			((struct totals_buckets_row *)(void *)row)->buckets[change->bucket] =
				change->bucket_before;
	}
}

static inline void add_segment_rows(struct call_rows *rows, const struct totals_segment *segment)
{
	const uint64_t stride = segment->segment.stride;
	const char *row = (const char *)(segment + 1), *end = (const char *)segment;

	for (end += segment->segment.size; stride && row + stride <= end; row += stride)
		if (((const struct totals_row *)(const void *)row)->frame.size)
			add_call_row(rows, (const void *)row);
}

/* `file` has the bytes of a ring file and is changed. Only the tables of threads are read. */
static inline void read_call_rows(struct call_rows *rows, char *file)
{
	uint64_t at = RINGFILE_PAGE;
	struct totals_segment *segment;

	rows->count = rows->tables = rows->odd = 0;
	memset(rows->rows, 0, sizeof(rows->rows));
	while ((segment = next_segment(file, &at)))
		if (segment->segment.kind == SEGMENT_TOTALS && segment->table && !segment->first)
			undo_in(file, segment);
	at = RINGFILE_PAGE;
	while ((segment = next_segment(file, &at))) {
		if (segment->segment.kind != SEGMENT_TOTALS || !segment->table)
			continue;
		rows->tables += !segment->first;
		add_segment_rows(rows, segment);
	}
}

static inline void read_ring_rows(struct call_rows *rows, const char *path)
{
	size_t size;
	char *file = read_file(path, &size);

	assert_non_null(file);
	read_call_rows(rows, file);
	free(file);
}

/* Settings for totals only. */
static inline struct settings *totals_settings(bool percentiles)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->api_calls = settings->totals = true;
	settings->totals_percentiles = percentiles;
	return settings;
}

__attribute__((noinline, unused)) static bool add_call_of(uint32_t name, uint64_t enter,
							  uint64_t duration, int32_t result)
{
	const struct call call = {.enter = enter,
				  .leave = enter + duration,
				  .name = name,
				  .result = result,
				  .api = API_OPENCL};

	return call_totals_add(&call);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Tables of totals in files with any contents: each row is checked, and no byte beyond is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/frames.h"
#include "model/totals_row.h"
#include "session/state.h"
#include "session/totals_reader.h"
#include "session/totals_table.h"

enum { ROWS = 10 };

struct table_segment {
	struct totals_segment head;
	struct totals_row rows[ROWS];
	char rest[RINGFILE_PAGE - sizeof(struct totals_segment) -
		  ROWS * sizeof(struct totals_row)];
};

/* The end of the file is the end of the mapped memory. */
static struct file_bytes {
	char header[RINGFILE_PAGE];
	struct table_segment one, other;
} *file;

static struct catalog catalog;

static struct totals_row function_row(uint32_t name, uint64_t count)
{
	return (struct totals_row){
		.frame = {.size = sizeof(struct totals_row), .kind = FRAME_TOTALS,
			  .flags = TOTALS_FUNCTION},
		.name = name,
		.count = count,
	};
}

static void make_segment(struct table_segment *segment, uint32_t first, int rows)
{
	memset(segment, 0, sizeof(*segment));
	segment->head.segment = (struct segment){
		.magic = SEGMENT_MAGIC,
		.kind = SEGMENT_TOTALS,
		.size = sizeof(*segment),
		.stride = sizeof(struct totals_row),
	};
	segment->head.first = first;
	for (int i = 0; i < rows; i++)
		segment->rows[i] = function_row(1, 1);
}

static int make(void **state)
{
	(void)state;
	_Static_assert(sizeof(*file) == 3 * RINGFILE_PAGE, "it is a whole file");
	file = memory_map(sizeof(*file));
	if (!file || catalog_init(&catalog))
		return -1;
	names_intern(catalog.names, "name", 4);
	catalog_add_device(&catalog, &(struct device){.name = "A"});
	make_segment(&file->one, 0, ROWS);
	make_segment(&file->other, ROWS, 4);
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	memory_unmap(file, sizeof(*file));
	catalog_free(&catalog);
	return 0;
}

/* Returns the number of rows; `counts` is set to the sum of their members `count`. */
static size_t read_rows(uint64_t *counts, uint64_t *interrupted)
{
	const struct ringfile_reader ring = {
		.header = (const void *)file, .size = sizeof(*file), .catalog = catalog};
	struct totals_rows rows = {0};
	size_t count;

	assert_int_equal(totals_reader_dead(&ring, &rows, interrupted), 0);
	*counts = 0;
	count = totals_rows_count(&rows);
	for (size_t i = 0; i < count; i++)
		*counts += totals_rows_get(&rows, i)->count;
	totals_rows_free(&rows);
	return count;
}

static size_t count_rows(void)
{
	uint64_t counts, interrupted;

	return read_rows(&counts, &interrupted);
}

#define EXPECT_WITH(member, value, rows)                                                           \
	do {                                                                                       \
		__typeof__(member) good_ = (member);                                               \
		(member) = (__typeof__(member))(value);                                            \
		assert_int_equal(count_rows(), rows);                                              \
		(member) = good_;                                                                  \
	} while (0)

static void test_segments(void **state)
{
	enum { ALL = ROWS + 4 };

	(void)state;
	assert_int_equal(count_rows(), ALL);
	EXPECT_WITH(file->one.head.segment.stride, 0, 4);
	EXPECT_WITH(file->one.head.segment.stride, 255, 4);
	EXPECT_WITH(file->one.head.segment.stride, 264, 4);
	EXPECT_WITH(file->one.head.segment.stride, sizeof(struct totals_buckets_row), 4);
	EXPECT_WITH(file->one.head.segment.stride, UINT64_MAX, 4);
	EXPECT_WITH(file->one.head.table, MAX_RINGS + 1, 4);
	EXPECT_WITH(file->one.head.table, UINT32_MAX, 4);
	EXPECT_WITH(file->one.head.table, MAX_RINGS, ALL);
	EXPECT_WITH(file->one.head.segment.kind, SEGMENT_PENDING, 4);
	EXPECT_WITH(file->other.head.first, ROWS - 1, ROWS); /* the rows are there already */
	EXPECT_WITH(file->other.head.first, 0, ROWS);
	EXPECT_WITH(file->other.head.first, 1 << 20, ROWS);
	EXPECT_WITH(file->other.head.first, UINT32_MAX, ROWS);
	EXPECT_WITH(file->other.head.first, (1 << 20) - 2, ROWS + 2);
	EXPECT_WITH(file->other.head.segment.size, 2 * RINGFILE_PAGE, ROWS); /* beyond the file */
	EXPECT_WITH(file->one.head.segment.size, 0, 0);
}

static void test_rows(void **state)
{
	struct totals_row *row = &file->one.rows[3];
	const uint32_t sizes[] = {0, 8, 255, 264, 4095, 4096, UINT32_MAX};

	(void)state;
	/* What comes after a free or damaged place is not read. */
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		EXPECT_WITH(row->frame.size, sizes[i], 3 + 4);
	EXPECT_WITH(row->frame.kind, FRAME_KERNEL, 13);
	EXPECT_WITH(row->frame.flags, 0, 13);
	EXPECT_WITH(row->frame.flags, 7, 13);
	EXPECT_WITH(row->frame.flags, 1 << 15 | TOTALS_FUNCTION, 13);
	EXPECT_WITH(row->frame.flags, TOTALS_OTHER | TOTALS_FUNCTION, 14);
	EXPECT_WITH(row->name, 3, 13); /* 2 is that of the device */
	EXPECT_WITH(row->name, UINT32_MAX, 13);
	EXPECT_WITH(row->name, 0, 14);
	EXPECT_WITH(row->api, API_COUNT, 13);
	row->frame.flags = TOTALS_ACTIVITY;
	assert_int_equal(count_rows(), 13); /* no kind of record */
	row->record_kind = FRAME_COPY;
	assert_int_equal(count_rows(), 14);
	EXPECT_WITH(row->record_kind, FRAME_LOST, 13);
	EXPECT_WITH(row->device, 1, 13);
	EXPECT_WITH(row->device, UINT32_MAX, 13);
	EXPECT_WITH(row->source, MEMORY_COUNT + 1, 13);
	EXPECT_WITH(row->target, MEMORY_COUNT + 1, 13);
	EXPECT_WITH(row->target, MEMORY_COUNT, 14);
	row->frame.flags = TOTALS_DEVICE;
	EXPECT_WITH(row->device, UINT32_MAX, 14);
	EXPECT_WITH(row->device, 1, 13);
	row->frame.flags = TOTALS_COPY_SIZES;
	EXPECT_WITH(row->device, UINT32_MAX, 13);
	EXPECT_WITH(row->device, 0, 14);
}

/* Returns the sum of counts after the change of `row` to `before` was undone. */
static uint64_t undo(uint32_t row, struct totals_row before)
{
	struct totals_journal *journal = &file->one.head.journal;
	uint64_t counts, interrupted;

	journal->busy = 1;
	journal->changes = 1;
	journal->correlation = 9;
	journal->change[0] = (struct totals_change){.row = row, .bucket = TOTALS_BUCKETS,
						    .before = before};
	read_rows(&counts, &interrupted);
	assert_int_equal(interrupted, 9);
	return counts;
}

static void test_journal(void **state)
{
	enum { ALL = ROWS + 4 };
	struct totals_row other = function_row(0, 100);
	uint64_t counts, interrupted;

	(void)state;
	assert_int_equal(undo(0, function_row(1, 100)), ALL + 99);
	assert_int_equal(undo(ROWS + 3, function_row(1, 100)), ALL + 99);
	assert_int_equal(undo(ROWS + 4, function_row(1, 100)), ALL); /* no such row */
	assert_int_equal(undo(UINT32_MAX, function_row(1, 100)), ALL);
	assert_int_equal(undo(0, other), ALL); /* of another function */
	other = function_row(1, 100);
	other.frame.size = UINT32_MAX;
	assert_int_equal(undo(0, other), ALL);
	/* A bucket of a row without buckets, and of no histogram. */
	undo(0, function_row(1, 100));
	file->one.head.journal.change[0].bucket = 3;
	assert_int_equal(read_rows(&counts, &interrupted), ALL);
	file->one.head.journal.change[0].bucket = UINT32_MAX;
	file->one.head.journal.changes = UINT32_MAX;
	file->one.head.journal.change[1] = (struct totals_change){.row = UINT32_MAX};
	assert_int_equal(read_rows(&counts, &interrupted), ALL);
	assert_int_equal(counts, ALL + 99);
	/* The journal of another table does not name a record. */
	file->one.head.table = file->other.head.table = 4;
	read_rows(&counts, &interrupted);
	assert_int_equal(interrupted, 0);
	assert_int_equal(counts, ALL + 99);
	/* It is that of the segment with row 0. */
	file->other.head.journal = file->one.head.journal;
	file->one.head.journal.busy = 0;
	read_rows(&counts, &interrupted);
	assert_int_equal(counts, ALL);
}

/* In a trace a frame has one of the two sizes. */
static void test_frames(void **state)
{
	static struct totals_buckets_row wide;
	struct frame *frame = &wide.row.frame;

	(void)state;
	wide.row = function_row(1, 1);
	for (uint32_t size = 0; size <= sizeof(wide); size += 8) {
		frame->size = size;
		assert_int_equal(frames_valid(&catalog, frame, sizeof(wide)),
				 size == sizeof(wide.row) || size == sizeof(wide));
	}
	assert_false(frames_valid(&catalog, frame, sizeof(wide) - 8));
	wide.row.name = 3;
	assert_false(frames_valid(&catalog, frame, sizeof(wide)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_segments, make, unmake),
		cmocka_unit_test_setup_teardown(test_rows, make, unmake),
		cmocka_unit_test_setup_teardown(test_journal, make, unmake),
		cmocka_unit_test_setup_teardown(test_frames, make, unmake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

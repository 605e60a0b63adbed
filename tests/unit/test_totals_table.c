/* SPDX-License-Identifier: MIT */
/* A table of totals in a ring file, as a kill leaves it after each step of a change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/mman.h>

#include "model/totals_row.h"
#include "session/totals.h"
#include "session/totals_reader.h"

#include "folder.h"

enum { NAMES = 40, RECORD = 77 };

static struct ringfile ringfile;
static struct catalog catalog;
static struct ringfile_reader reader; /* of a copy of the file */

static int start(void **state)
{
	if (set_up(state) || ringfile_create(&ringfile, "log", RING_BESIDE_LOG) ||
	    catalog_init(&catalog) || catalog_add_device(&catalog, &(struct device){.name = "A"}) ||
	    catalog_add_device(&catalog, &(struct device){.name = "B", .api = API_CUDA}) != 1)
		return -1;
	for (int i = 0; i < NAMES; i++)
		names_intern(catalog.names, (char[]){(char)('0' + i)}, 1);
	return 0;
}

static int stop(void **state)
{
	ringfile_unlink(&ringfile);
	ringfile_free(&ringfile);
	catalog_free(&catalog);
	return tear_down(state);
}

/* Reads the rows as they would be after a kill at this moment. */
static void read_dead(struct totals_rows *rows, uint64_t *interrupted)
{
	reader = (struct ringfile_reader){
		.header = ringfile.header, .size = ringfile.header->end, .catalog = catalog};
	reader.header = mmap(NULL, reader.size, PROT_READ, MAP_PRIVATE, ringfile.file.fd, 0);
	assert_true(reader.header != MAP_FAILED);
	*rows = (struct totals_rows){0};
	assert_int_equal(totals_reader_dead(&reader, rows, interrupted), 0);
	munmap((void *)(uintptr_t)reader.header, reader.size);
}

static struct totals_buckets_row wide_key(uint32_t name)
{
	struct totals_buckets_row key = {0};
	const struct record record = {.frame.kind = FRAME_KERNEL, .name = name};

	totals_row_of_record(&key.row, &record);
	return key;
}

/* The two rows that change. */
static void expect(uint64_t counts, uint32_t bucket, uint64_t correlation)
{
	struct totals_rows rows;
	uint64_t interrupted;

	read_dead(&rows, &interrupted);
	assert_int_equal(totals_rows_count(&rows), 2);
	for (size_t i = 0; i < 2; i++) {
		const struct totals_buckets_row *row = (const void *)totals_rows_get(&rows, i);

		assert_int_equal(row->row.count, counts);
		assert_int_equal(row->row.total, counts * 10);
		assert_int_equal(row->row.sequence, 0);
		assert_int_equal(row->buckets[5], i ? 0 : bucket);
	}
	assert_int_equal(interrupted, correlation);
	totals_rows_free(&rows);
}

static void change_row(struct totals_table *table, uint32_t number, unsigned bucket,
		       uint32_t buckets_before)
{
	struct totals_row *row = totals_change(table, number, bucket);

	expect(1, buckets_before, RECORD);
	row->count++;
	expect(1, buckets_before, RECORD);
	row->total += 10;
	expect(1, buckets_before, RECORD);
	if (bucket < TOTALS_BUCKETS)
		((struct totals_buckets_row *)(void *)row)->buckets[bucket] += 1;
	expect(1, buckets_before, RECORD);
}

static void test_kill_at_each_step(void **state)
{
	struct totals_table table = {.ringfile = &ringfile,
				     .stride = sizeof(struct totals_buckets_row)};

	(void)state;
	for (uint32_t name = 1; name <= 2; name++) {
		const struct totals_buckets_row key = wide_key(name);

		assert_int_equal(totals_table_add(&table, &key.row, 0), name - 1);
	}
	totals_begin(&table, 5);
	for (uint32_t row = 0; row < 2; row++) {
		struct totals_buckets_row *at = (void *)totals_change(&table, row, row ? 960 : 5);

		at->row.count = 1;
		at->row.total = 10;
		at->buckets[5] = !row;
	}
	totals_commit(&table);
	expect(1, 1, 0);
	totals_begin(&table, RECORD);
	expect(1, 1, RECORD);
	change_row(&table, 0, 5, 1);
	change_row(&table, 1, TOTALS_BUCKETS, 1);
	totals_commit(&table);
	expect(2, 2, 0);
	/* A row may change twice. */
	totals_begin(&table, RECORD);
	totals_change(&table, 0, TOTALS_BUCKETS)->count = 100;
	totals_change(&table, 0, TOTALS_BUCKETS)->count = 200;
	expect(2, 2, RECORD);
}

/* The state after a kill between the last two stores of a commit: the change is complete. */
static void test_kill_in_commit(void **state)
{
	struct totals_table table = {.ringfile = &ringfile,
				     .stride = sizeof(struct totals_buckets_row)};

	(void)state;
	for (uint32_t name = 1; name <= 2; name++) {
		const struct totals_buckets_row key = wide_key(name);

		totals_table_add(&table, &key.row, 0);
	}
	totals_begin(&table, RECORD);
	for (uint32_t row = 0; row < 2; row++) {
		struct totals_row *at = totals_change(&table, row, TOTALS_BUCKETS);

		at->count = 1;
		at->total = 10;
	}
	totals_commit(&table);
	totals_journal(&table)->changes = 2;
	expect(1, 0, 0);
}

static struct settings settings = {.totals = true};

static struct record kernel(uint32_t name, uint64_t correlation)
{
	return (struct record){
		.frame = {.kind = FRAME_KERNEL,
			  .size = sizeof(struct record),
			  .correlation = correlation},
		.name = name,
		.started = 1000 * correlation,
		.ended = 1000 * correlation + name,
		.queued = 1000 * correlation,
		.submitted = 1000 * correlation,
		.known = KNOWN_TIMES,
	};
}

/* Returns the sum of `count` of the rows of a kind. *others is the part with TOTALS_OTHER. */
static uint64_t sum_of(const struct totals_rows *rows, enum totals_kind kind, uint64_t *others)
{
	uint64_t sum = 0;

	*others = 0;
	for (size_t i = 0; i < totals_rows_count(rows); i++) {
		const struct totals_row *row = totals_rows_get(rows, i);

		if (totals_row_kind(row) != kind)
			continue;
		sum += row->count;
		*others += row->frame.flags & TOTALS_OTHER ? row->count : 0;
	}
	return sum;
}

/* Returns the number of copies or fills in rows of their own. */
static uint64_t sum_of_kind(const struct totals_rows *rows, enum frame_kind kind)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < totals_rows_count(rows); i++) {
		const struct totals_row *row = totals_rows_get(rows, i);

		if (totals_row_kind(row) == TOTALS_ACTIVITY && row->record_kind == kind &&
		    !(row->frame.flags & TOTALS_OTHER))
			sum += row->count;
	}
	return sum;
}

/* The API of the rows of other activities that have any; API_COUNT: none, or several. */
static unsigned api_of_others(const struct totals_rows *rows)
{
	unsigned api = API_COUNT;

	for (size_t i = 0; i < totals_rows_count(rows); i++) {
		const struct totals_row *row = totals_rows_get(rows, i);

		if (row->frame.flags != (TOTALS_ACTIVITY | TOTALS_OTHER) || !row->count)
			continue;
		api = api == API_COUNT ? row->api : API_COUNT + 1;
	}
	return api;
}

/* A copy and a fill with times and a size. */
static void take_two(struct running_totals *totals, uint64_t correlation)
{
	for (unsigned i = 0; i < 2; i++) {
		struct record record = kernel(0, correlation + i);

		record.frame.kind = i ? FRAME_FILL : FRAME_COPY;
		record.device = 1;
		record.known |= KNOWN_BYTES;
		record.bytes = 64;
		totals_take_record(totals, &catalog, &record);
	}
}

/* More names than rows: the rest is in one row, and none is missing. Copies, fills and sizes, which
 * come later, have rows of their own. */
static void test_others(void **state)
{
	enum { KERNELS = 5000, TWICE = 2 * KERNELS };
	static struct running_totals totals;
	struct totals_rows rows;
	uint64_t interrupted, others;

	(void)state;
	while (names_count(catalog.names) < KERNELS) {
		char text[32];
		int length = snprintf(text, sizeof(text), "kernel %u", names_count(catalog.names));

		names_intern(catalog.names, text, (size_t)length);
	}
	memset(&totals, 0, sizeof(totals));
	assert_true(totals_are_ready(&totals, &ringfile, &settings));
	for (uint32_t i = 0; i < TWICE; i++) {
		struct record record = kernel(1 + i % KERNELS, i + 1);

		record.device = 1;
		totals_take_record(&totals, &catalog, &record);
		assert_true(record.frame.flags & FRAME_TOTALLED);
	}
	take_two(&totals, TWICE + 1);
	totals_publish(&totals);
	read_dead(&rows, &interrupted);
	assert_int_equal(interrupted, 0);
	assert_int_equal(sum_of(&rows, TOTALS_ACTIVITY, &others), TWICE + 2);
	assert_in_range(others, 2 * (KERNELS - 64 * 62), 2 * (KERNELS - 64 * 62 + 32));
	assert_int_equal(totals.unlisted, others / 2);
	assert_int_equal(api_of_others(&rows), API_CUDA);
	assert_int_equal(sum_of_kind(&rows, FRAME_COPY), 1);
	assert_int_equal(sum_of_kind(&rows, FRAME_FILL), 1);
	assert_int_equal(sum_of(&rows, TOTALS_COPY_SIZES, &others), 1);
	assert_int_equal(others, 0);
	assert_int_equal(sum_of(&rows, TOTALS_DEVICE, &others), 2 * (TWICE + 2));
	totals_rows_free(&rows);
	map_free(&totals.rows);
}

/* Two devices that work at the same time half of the time. */
static void test_busy(void **state)
{
	static struct running_totals totals;
	struct totals_rows rows;
	uint64_t interrupted, busy[3] = {0};

	(void)state;
	memset(&totals, 0, sizeof(totals));
	assert_true(totals_are_ready(&totals, &ringfile, &settings));
	for (uint64_t i = 1; i <= 100; i++) {
		struct record record = kernel(1, i);

		record.device = i > 10 && i % 2;
		record.started = 10000 * i - 300 * record.device;
		record.ended = record.started + 600;
		totals_take_record(&totals, &catalog, &record);
		record = kernel(1, 1000 + i);
		record.started = 10000 * i + 300;
		record.ended = record.started + 600;
		record.device = i > 10;
		totals_take_record(&totals, &catalog, &record);
	}
	totals_publish(&totals);
	read_dead(&rows, &interrupted);
	for (size_t i = 0; i < totals_rows_count(&rows); i++) {
		const struct totals_row *row = totals_rows_get(&rows, i);

		if (totals_row_kind(row) == TOTALS_DEVICE)
			busy[row->device < 2 ? row->device : 2] = row->total;
	}
	/* Device 0: 10 times 900, then 45 times 600. Device 1: 45 times 600, and 45 times 1200 in
	 * two parts. Together: 10 times 900, 45 times 900, 45 times 1200. */
	assert_int_equal(busy[0], 10 * 900 + 45 * 600);
	assert_int_equal(busy[1], 45 * 600 + 45 * 1200);
	assert_int_equal(busy[2], 10 * 900 + 45 * 900 + 45 * 1200);
	totals_rows_free(&rows);
	map_free(&totals.rows);
}

/* Without a ring file there are no running totals, and the header says so (totals_off). */
static void test_off(void **state)
{
	static struct running_totals totals;

	(void)state;
	memset(&totals, 0, sizeof(totals));
	ringfile.path[0] = '\0';
	assert_false(totals_are_ready(&totals, &ringfile, &settings));
	assert_int_equal(ringfile.header->totals_off, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kill_at_each_step, start, stop),
		cmocka_unit_test_setup_teardown(test_kill_in_commit, start, stop),
		cmocka_unit_test_setup_teardown(test_others, start, stop),
		cmocka_unit_test_setup_teardown(test_busy, start, stop),
		cmocka_unit_test_setup_teardown(test_off, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

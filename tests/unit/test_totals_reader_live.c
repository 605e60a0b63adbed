/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "model/frames.h"
#include "model/totals_row.h"
#include "session/totals_reader.h"
#include "session/totals_table.h"

#include "folder.h"

/* Ring files of this process, read while it writes them, and damaged ones. */

enum { NAMES = 100 };

static struct ringfile ringfile;
static struct totals_table table;

static void put_names(void)
{
	struct strbuf frames = STRBUF_INIT;
	struct names *names = names_new();
	char command[] = "app";
	struct process process = {.pid = (uint32_t)getpid(), .started = 1, .command_length = 3,
				  .command = command};

	frames_put_process(&frames, &process);
	for (int i = 1; i <= NAMES; i++) {
		char text[32];

		snprintf(text, sizeof(text), "kernel %d", i);
		frames_put_name(&frames, names, names_intern(names, text, strlen(text)));
	}
	frames_put_device(&frames, &(struct device){.name = "Device"});
	assert_non_null(ringfile_frames(&ringfile, &frames));
	strbuf_free(&frames);
	names_free(names);
}

static int64_t add_kernel(uint32_t name)
{
	const struct totals_row key = {.frame = {.flags = TOTALS_ACTIVITY, .size = table.stride},
				       .record_kind = FRAME_KERNEL,
				       .name = name};

	return totals_table_add(&table, &key, 0);
}

static void make_ringfile(uint32_t stride)
{
	assert_int_equal(ringfile_create(&ringfile, "log", RING_BESIDE_LOG), 0);
	assert_int_equal(access(ringfile.path, F_OK), 0);
	put_names();
	table = (struct totals_table){.ringfile = &ringfile, .stride = stride};
}

static void remove_ringfile(void)
{
	ringfile_unlink(&ringfile);
	ringfile_free(&ringfile);
}

static void add_to(uint32_t row, uint64_t time)
{
	struct totals_row *at;

	totals_begin(&table, 0);
	at = totals_change(&table, row, TOTALS_BUCKETS);
	at->count++;
	at->total += time;
	totals_commit(&table);
}

static const struct totals_rows *rows; /* of the last read_live */

static struct totals_reader *open_live(void)
{
	struct strbuf reason = STRBUF_INIT;
	struct totals_reader *live = totals_reader_open(ringfile.path, &reason);

	if (!live)
		fail_msg("%s", strbuf_text(&reason));
	return live;
}

static void read_live(struct totals_reader *live)
{
	rows = totals_reader_read(live);
	assert_non_null(rows);
}

static const struct totals_row *row_of(size_t number)
{
	assert_in_range(number, 0, totals_rows_count(rows) - 1);
	return totals_rows_get(rows, number);
}

static void expect_rows(uint32_t stride)
{
	struct totals_reader *live;

	make_ringfile(stride);
	live = open_live();
	read_live(live);
	assert_false(totals_reader_has_totals(live));
	/* More rows than a segment has places. */
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(add_kernel(i), i);
		add_to(i, 10 * i);
	}
	read_live(live);
	assert_true(totals_reader_has_totals(live));
	assert_true(totals_reader_is_alive(live));
	assert_int_equal(totals_rows_count(rows), 100);
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(row_of(i)->name, i);
		assert_int_equal(row_of(i)->count, 1);
		assert_int_equal(row_of(i)->total, 10 * i);
	}
	assert_string_equal(names_text(totals_reader_catalog(live)->names, 1, NULL), "kernel 1");
	assert_string_equal(catalog_device(totals_reader_catalog(live), 0)->name, "Device");
	assert_int_equal(totals_reader_catalog(live)->process.command_length, 3);
	totals_reader_close(live);
	remove_ringfile();
}

static void test_rows(void **state)
{
	(void)state;
	expect_rows(sizeof(struct totals_row));
	expect_rows(sizeof(struct totals_buckets_row));
}

/* The rows after the end of the process are its last ones, although the file is removed. */
static void test_end(void **state)
{
	struct totals_reader *live;

	(void)state;
	make_ringfile(sizeof(struct totals_row));
	add_kernel(1);
	live = open_live();
	read_live(live);
	assert_true(totals_reader_is_alive(live));
	add_to(0, 7);
	ringfile_unlink(&ringfile);
	assert_false(totals_reader_is_alive(live));
	read_live(live);
	assert_false(totals_reader_is_alive(live));
	assert_int_equal(row_of(0)->total, 7);
	totals_reader_close(live);
	ringfile_free(&ringfile);
}

/* After an exec the process has no mapping of the file; another process has another start. */
static void test_another_program(void **state)
{
	struct totals_reader *live;

	(void)state;
	make_ringfile(sizeof(struct totals_row));
	live = open_live();
	ringfile.header->executing = 1;
	assert_true(totals_reader_is_alive(live));
	ringfile.header->file_inode++; /* of no mapping */
	assert_false(totals_reader_is_alive(live));
	ringfile.header->file_inode--;
	ringfile.header->executing = 0;
	ringfile.header->process_start++;
	assert_false(totals_reader_is_alive(live));
	totals_reader_close(live);
	remove_ringfile();
}

/* A row that is being changed keeps its last copy, and the first one is left out. */
static void test_torn_row(void **state)
{
	struct totals_reader *live;
	struct totals_row *row;

	(void)state;
	make_ringfile(sizeof(struct totals_row));
	add_kernel(1);
	add_kernel(2);
	add_to(0, 5);
	live = open_live();
	totals_begin(&table, 0);
	totals_change(&table, 1, TOTALS_BUCKETS)->count = 9;
	read_live(live);
	assert_int_equal(totals_rows_count(rows), 1);
	totals_commit(&table);
	totals_begin(&table, 0);
	row = totals_change(&table, 0, TOTALS_BUCKETS);
	row->count = 1000;
	read_live(live);
	assert_int_equal(row_of(0)->count, 1);
	assert_int_equal(row_of(1)->count, 9);
	totals_commit(&table);
	read_live(live);
	assert_int_equal(row_of(0)->count, 1000);
	totals_reader_close(live);
	remove_ringfile();
}

/* The process ends in the middle of a change: its rows are as before, also those that were not read
 * before. */
static void test_interrupted(void **state)
{
	const struct totals_buckets_row *wide;
	struct totals_reader *live, *late;
	struct totals_row *row;

	(void)state;
	make_ringfile(sizeof(struct totals_buckets_row));
	for (uint32_t i = 0; i < 100; i++)
		add_kernel(i);
	live = open_live();
	read_live(live);
	add_to(1, 5);
	add_to(99, 7);
	totals_begin(&table, 1);
	totals_change(&table, 1, TOTALS_BUCKETS)->count = 1000;
	row = totals_change(&table, 99, 3);
	row->total = 1000;
	totals_row_add_bucket(row, 3);
	ringfile.header->process_start++;
	late = open_live();
	for (int i = 0; i < 2; i++) {
		read_live(i ? late : live);
		assert_int_equal(totals_rows_count(rows), 100);
		assert_int_equal(row_of(1)->count, 1);
		assert_int_equal(row_of(1)->total, 5);
		assert_int_equal(row_of(99)->count, 1);
		assert_int_equal(row_of(99)->total, 7);
		wide = (const void *)row_of(99);
		assert_int_equal(wide->buckets[3], 0);
	}
	totals_reader_close(live);
	totals_reader_close(late);
	remove_ringfile();
}

static _Atomic bool enough;

static void *write_rows(void *argument)
{
	(void)argument;
	while (!atomic_load(&enough))
		add_to(0, 3);
	return NULL;
}

static void test_while_written(void **state)
{
	uint64_t until = clock_monotonic() + 300000000, before = 0, reads = 0;
	struct totals_reader *live;
	pthread_t writer;

	(void)state;
	make_ringfile(sizeof(struct totals_row));
	add_kernel(1);
	live = open_live();
	atomic_store(&enough, false);
	assert_int_equal(pthread_create(&writer, NULL, write_rows, NULL), 0);
	for (; clock_monotonic() < until; reads++) {
		const struct totals_row *row;

		read_live(live);
		if (!totals_rows_count(rows))
			continue;
		row = row_of(0);
		assert_int_equal(row->total, 3 * row->count);
		assert_true(row->count >= before);
		before = row->count;
	}
	atomic_store(&enough, true);
	pthread_join(writer, NULL);
	read_live(live);
	assert_true(reads && row_of(0)->count >= before);
	assert_int_equal(row_of(0)->count, totals_table_row(&table, 0)->count);
	totals_reader_close(live);
	remove_ringfile();
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

/* Any bytes behind the header: nothing is read outside of the file. */
static void test_damaged(void **state)
{
	uint64_t seed = 1;

	(void)state;
	make_ringfile(sizeof(struct totals_row));
	for (uint32_t i = 0; i < 40; i++)
		add_kernel(i);
	for (int i = 0; i < 2000; i++) {
		struct totals_segment *segment = table.segments[i % 2];
		/* Within the headers of segments and rows, 32 bits at a time. */
		uint32_t *word = (void *)((char *)segment +
					  next_random(&seed) % (sizeof(*segment) + 512) / 4 * 4);
		uint32_t before = *word;
		struct totals_reader *live = open_live();

		*word = (uint32_t)(next_random(&seed) << next_random(&seed) % 32);
		read_live(live);
		read_live(live);
		totals_reader_close(live);
		*word = before;
	}
	remove_ringfile();
}

/* The mapping of the process would give SIGBUS now. */
static void test_truncated(void **state)
{
	struct totals_reader *live;

	(void)state;
	make_ringfile(sizeof(struct totals_row));
	add_kernel(1);
	add_to(0, 5);
	live = open_live();
	read_live(live);
	assert_int_equal(truncate(ringfile.path, RINGFILE_PAGE + 100), 0);
	read_live(live);
	assert_true(totals_reader_is_alive(live));
	assert_int_equal(row_of(0)->total, 5);
	assert_int_equal(truncate(ringfile.path, 0), 0);
	read_live(live);
	assert_false(totals_reader_is_alive(live));
	assert_int_equal(row_of(0)->total, 5);
	totals_reader_close(live);
	unlink(ringfile.path);
}

static void refused(const char *path, const char *why)
{
	struct strbuf reason = STRBUF_INIT;

	assert_null(totals_reader_open(path, &reason));
	assert_non_null(strstr(strbuf_text(&reason), why));
	strbuf_free(&reason);
}

static void test_refused(void **state)
{
	char command[2 * sizeof(ringfile.path) + 128];

	(void)state;
	make_ringfile(sizeof(struct totals_row));
	snprintf(command, sizeof(command),
		 "cp %s copy && ln -s %s link && mkfifo fifo && : >empty", ringfile.path,
		 ringfile.path);
	assert_int_equal(system(command), 0);
	refused("copy", "is a copy or is from another machine");
	refused("link", "cannot open link");
	refused("fifo", "is not a ring file of computeprof");
	refused("empty", "is not a ring file of computeprof");
	refused("missing", "cannot open missing: No such file");
	refused(".", "is not a ring file of computeprof");
	ringfile.header->owner++;
	refused(ringfile.path, "was created by another user");
	ringfile.header->owner--;
	ringfile.header->boot[0]++;
	refused(ringfile.path, "is from another boot");
	ringfile.header->boot[0]--;
	ringfile.header->version++;
	refused(ringfile.path, "was written by another version");
	ringfile.header->version--;
	if (!geteuid() && !chown(ringfile.path, 65534, 65534))
		refused(ringfile.path, "belongs to another user");
	remove_ringfile();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_another_program, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_interrupted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_torn_row, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_while_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_truncated, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

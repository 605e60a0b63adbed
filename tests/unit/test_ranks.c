/* SPDX-License-Identifier: MIT */
/* The sums of many ranks: which rank a file has, how times are distributed, and that neither the
 * order of the inputs nor a stored intermediate result has an influence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "view/ranks/rank_json.h"
#include "view/ranks/rank_read.h"
#include "view/ranks/rank_table.h"

enum { MOST = 12, MANY = 1000 };

/* Expects the source and the ranks of the paths, which end with NULL. */
static void expect_ranks(enum rank_source source, const char *const *paths, const uint64_t *ranks)
{
	struct rank_name names[MOST] = {{0}};
	size_t count = 0;

	while (paths[count]) {
		names[count].path = paths[count];
		names[count].pid = 4711;
		count++;
	}
	assert_int_equal(rank_names(names, count), source);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(names[i].rank, ranks[i]);
}

#define EXPECT_RANKS(source, ranks, ...)                                                           \
	expect_ranks(source, (const char *const[]){__VA_ARGS__, NULL}, (const uint64_t[])ranks)
#define LIST(...) {__VA_ARGS__}

static void test_names(void **state)
{
	(void)state;
	EXPECT_RANKS(RANKS_NUMBER, LIST(0, 1, 10), "app.0.log", "app.1.log", "app.10.log");
	EXPECT_RANKS(RANKS_NUMBER, LIST(3, 5), "run2/app.3.log", "run2/app.5.log");
	EXPECT_RANKS(RANKS_NUMBER, LIST(0, 0, 1), "a.0.log", "b.0.log", "a.1.log");
	/* Of two numbers that differ, the one that counts the files. */
	EXPECT_RANKS(RANKS_NUMBER, LIST(0, 1, 2), "n7.0.log", "n7.1.log", "n8.2.log");
	EXPECT_RANKS(RANKS_NUMBER, LIST(1, 0), "1.900.log", "0.901.log");
	EXPECT_RANKS(RANKS_NUMBER, LIST(0, 1, 1), "n7.0.log", "n7.1.log", "n7.1.log");
	EXPECT_RANKS(RANKS_WORD, LIST(4, 4, 7), "rank4/a.1.log", "rank4/a.2.log",
		     "Rank-07/a.1.log");
	EXPECT_RANKS(RANKS_WORD, LIST(0, 1), "rank9/rank_0", "rank9/rank_1");
	EXPECT_RANKS(RANKS_WORD, LIST(3, 1), "process 0 of rank 3", "process 9 of rank 1");
	EXPECT_RANKS(RANKS_NUMBER, LIST(0, 1), "rank2/a.0", "rank2/a.1");
	EXPECT_RANKS(RANKS_ORDER, LIST(0, 1), "a.log", "b.log");
	EXPECT_RANKS(RANKS_ORDER, LIST(0, 1), "a.log", "b.1.log");
	EXPECT_RANKS(RANKS_ORDER, LIST(0, 1), "a.1.7.log", "a.2.9.log");
	EXPECT_RANKS(RANKS_ORDER, LIST(0, 1), "a.4711.log", "a.5.log"); /* a process id */
	EXPECT_RANKS(RANKS_ORDER, LIST(0, 1), "a.1234567890123456789.log", "a.5.log");
	EXPECT_RANKS(RANKS_ORDER, LIST(0, 1), "run.json", "run.json");
	EXPECT_RANKS(RANKS_ORDER, LIST(0), "app.7.log");
}

static void open_sums(struct rank_sums *sums)
{
	struct strbuf error = STRBUF_INIT;

	assert_int_equal(rank_sums_open(sums, NULL, true, &error), 0);
}

/* Adds a launch to sums and histogram. */
static void add_launch(struct rank_sums *sums, int process, const char *name, uint64_t time)
{
	struct activity_key key = {.like.frame.kind = FRAME_KERNEL, .api = API_OPENCL};
	struct rank_entry entry = {
		.process = (uint32_t)process,
		.sum = {.count = 1, .total = time, .shortest = time, .longest = time},
	};

	entry.activity = activity_index_number(&sums->activities, &key, name, strlen(name)) - 1;
	assert_int_equal(histogram_add(rank_sums_make_times(sums, entry.activity), time), 0);
	assert_int_equal(rank_sums_put(sums, &entry), 0);
}

static int begin(struct rank_sums *sums, const char *path)
{
	struct rank_process process = {.pid = 7, .launches = true};
	int index = rank_sums_begin(sums, path, &process);

	assert_true(index >= 0);
	return index;
}

/* The launch of a file. Many have the same time, and some the same start. */
static struct rank_launch launch_of(unsigned number, unsigned i)
{
	return (struct rank_launch){
		.time = (uint64_t)(i * i * 31 + number) % 97 / 12 * 1000,
		.start = 1 + i / 2,
		.record = i + 1,
		.device = number % 2,
	};
}

/* The sums of a file, which depend on its number only. */
static void make_file(struct rank_sums *sums, unsigned number)
{
	static const char *const names[] = {"one", "two", "a \"name\"\n"};
	struct rank_launches longest = {.count = 0};
	char path[64];
	int index;

	open_sums(sums);
	snprintf(path, sizeof(path), "dir/app.%u.log", number);
	index = begin(sums, path);
	for (unsigned i = 0; i < 20 + number; i++) {
		struct rank_launch launch = launch_of(number, i);

		add_launch(sums, index, names[(i * 7 + number) % 3],
			   (uint64_t)i * i * 977 + number * 31 + 1);
		rank_launches_put(&longest, &launch);
	}
	/* Two kernels with the same time, whose numbers depend on the first file. */
	add_launch(sums, index, number % 2 ? "left" : "right", 5000);
	add_launch(sums, index, number % 2 ? "right" : "left", 5000);
	for (size_t i = 0; i < longest.count; i++)
		assert_int_equal(rank_sums_put_launch(sums, &longest.list[i]), 0);
}

static void add_sums(struct rank_sums *to, struct rank_sums *from)
{
	struct strbuf error = STRBUF_INIT;

	assert_int_equal(rank_sums_add(to, from, &error), 0);
	rank_sums_close(from);
}

/* Sorts the sums, appends them as JSON and closes them. */
static void finish(struct strbuf *to, struct rank_sums *sums)
{
	struct rank_rows rows;

	assert_int_equal(rank_sums_sort(sums), 0);
	assert_int_equal(rank_rows_make(&rows, sums, false, true), 0);
	rank_json_put(to, &rows);
	assert_false(to->failed);
	rank_rows_free(&rows);
	rank_sums_close(sums);
}

static void read_text(struct rank_sums *sums, const struct strbuf *text)
{
	struct strbuf error = STRBUF_INIT;
	struct json_value *value = json_read(text->data, text->length, &error);

	assert_non_null(value);
	open_sums(sums);
	assert_int_equal(rank_read(sums, value, "stored.json", &error), 0);
	json_free(value);
}

/* Merges the files of the list: all at once, or in a tree whose inner nodes are stored as JSON. */
static void merge_files(struct rank_sums *sums, const unsigned *list, size_t count, bool tree)
{
	struct rank_sums part;
	struct strbuf text = STRBUF_INIT;
	size_t half = count ? next_random() % count : 0;

	open_sums(sums);
	if (!tree || count < 3 || !half) {
		for (size_t i = 0; i < count; i++) {
			make_file(&part, list[i]);
			add_sums(sums, &part);
		}
		return;
	}
	for (int side = 0; side < 2; side++) {
		merge_files(&part, side ? list + half : list, side ? count - half : half, true);
		text.length = 0;
		finish(&text, &part);
		read_text(&part, &text);
		add_sums(sums, &part);
	}
	strbuf_free(&text);
}

static void shuffle(unsigned *list, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t other = next_random() % i;
		unsigned kept = list[i - 1];

		list[i - 1] = list[other];
		list[other] = kept;
	}
}

/* merge(a, b, c) = merge(merge(c, a), b), byte for byte. */
static void test_order(void **state)
{
	unsigned list[MOST];
	struct rank_sums sums;
	struct strbuf first = STRBUF_INIT, other = STRBUF_INIT;

	(void)state;
	for (unsigned i = 0; i < MOST; i++)
		list[i] = i;
	merge_files(&sums, list, MOST, false);
	finish(&first, &sums);
	assert_non_null(strstr(strbuf_text(&first), "a \\\"name\\\"\\\\x0a"));
	for (int round = 0; round < 50; round++) {
		shuffle(list, MOST);
		merge_files(&sums, list, MOST, round % 2);
		other.length = 0;
		finish(&other, &sums);
		assert_string_equal(strbuf_text(&other), strbuf_text(&first));
	}
	strbuf_free(&first);
	strbuf_free(&other);
}

/* The longest launches are those of a list of all launches. */
static void test_launches(void **state)
{
	struct rank_launch all[MOST * (20 + MOST)];
	unsigned list[MOST];
	struct rank_sums sums;
	size_t count = 0, kept;

	(void)state;
	assert_true(rank_launches_order(&(struct rank_launch){.time = 9, .start = 2, .record = 1},
					&(struct rank_launch){.time = 9, .start = 2, .record = 7}) <
		    0);
	assert_true(rank_launches_order(&(struct rank_launch){.time = 9, .start = 2, .record = 7},
					&(struct rank_launch){.time = 9, .start = 3, .record = 1}) <
		    0);
	for (unsigned number = 0; number < MOST; number++) {
		list[number] = MOST - 1 - number;
		for (unsigned i = 0; i < 20 + number; i++) {
			all[count] = launch_of(number, i);
			all[count++].process = number;
		}
	}
	qsort(all, count, sizeof(*all), rank_launches_order);
	merge_files(&sums, list, MOST, true);
	assert_int_equal(rank_sums_sort(&sums), 0);
	const struct rank_launch *longest = rank_sums_launches(&sums, &kept);

	assert_int_equal(kept, RANK_LAUNCHES);
	assert_int_equal(all[kept - 1].time, all[kept].time);
	for (size_t i = 0; i < kept; i++)
		assert_int_equal(rank_launches_order(&longest[i], &all[i]), 0);
	rank_sums_close(&sums);
}

static void test_twice(void **state)
{
	struct rank_sums sums, part;
	struct strbuf error = STRBUF_INIT, once = STRBUF_INIT, text = STRBUF_INIT;
	static const unsigned two[] = {3, 4};

	(void)state;
	merge_files(&sums, two, 2, false);
	finish(&once, &sums);
	merge_files(&sums, two, 2, false);
	make_file(&part, 4);
	assert_int_equal(rank_sums_add(&sums, &part, &error), 1);
	assert_string_equal(strbuf_text(&error),
			    "the sums of dir/app.4.log are in another input already");
	rank_sums_close(&part);
	finish(&text, &sums);
	assert_string_equal(strbuf_text(&text), strbuf_text(&once));
	strbuf_free(&error);
	strbuf_free(&once);
	strbuf_free(&text);
}

/* A file that could not be read is no longer missing once another input has its sums. */
static void test_missing(void **state)
{
	struct rank_sums sums, part;
	size_t count;

	(void)state;
	open_sums(&sums);
	assert_int_equal(rank_sums_add_missing(&sums, "dir/app.9.log", "it is damaged"), 0);
	assert_int_equal(rank_sums_add_missing(&sums, "dir/app.10.log", "it is damaged"), 0);
	assert_int_equal(rank_sums_add_missing(&sums, "dir/app.10.log", "it is empty"), 0);
	assert_int_equal(rank_sums_add_missing(&sums, "dir/app.2.log", "it is damaged"), 0);
	make_file(&part, 9);
	add_sums(&sums, &part);
	assert_int_equal(rank_sums_sort(&sums), 0);
	const struct rank_missing *list = rank_sums_missing(&sums, &count);

	assert_int_equal(count, 2);
	assert_string_equal(rank_sums_text(&sums, list[0].path), "dir/app.2.log");
	assert_string_equal(rank_sums_text(&sums, list[1].path), "dir/app.10.log");
	assert_string_equal(rank_sums_text(&sums, list[1].reason), "it is damaged");
	rank_sums_close(&sums);
}

/* Makes a rank for each time, 0: a rank without the kernel, and the rows. */
static void distribute(struct rank_sums *sums, struct rank_rows *rows, const uint64_t *times,
		       unsigned count)
{
	char path[64];

	open_sums(sums);
	for (unsigned i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%u.log", i);
		int index = begin(sums, path);

		if (times[i])
			add_launch(sums, index, "kernel", times[i]);
	}
	assert_int_equal(rank_sums_sort(sums), 0);
	assert_int_equal(rank_rows_make(rows, sums, false, true), 0);
	assert_int_equal(rows->unit_count, count);
}

static void close_both(struct rank_sums *sums, struct rank_rows *rows)
{
	rank_rows_free(rows);
	rank_sums_close(sums);
}

static void test_distribution(void **state)
{
	static const uint64_t times[] = {100, 0, 300, 200}, alike[] = {100, 300, 300};
	struct rank_sums sums;
	struct rank_rows rows;

	(void)state;
	distribute(&sums, &rows, times, 4);
	assert_int_equal(rows.count, 2);
	const struct rank_row *row = &rows.list[1];

	assert_int_equal(row->sum.total, 600);
	assert_int_equal(row->sum.count, 3);
	assert_int_equal(row->units, 3);
	assert_int_equal(row->least, 0);
	assert_true(row->average == 150);
	assert_int_equal(row->most, 300);
	assert_true(row->imbalance == 1);
	assert_int_equal(rows.units[row->slowest].rank, 2);
	assert_int_equal(row->outliers, 0);
	assert_true(row->share == 1);
	close_both(&sums, &rows);
	distribute(&sums, &rows, alike, 3);
	assert_int_equal(rows.units[rows.list[1].slowest].rank, 1);
	close_both(&sums, &rows);
}

/* Expects these outliers, which end with UINT32_MAX. */
static void expect_outliers(const uint64_t *times, unsigned count, const uint32_t *wanted)
{
	struct rank_sums sums;
	struct rank_rows rows;
	size_t number = 0;

	distribute(&sums, &rows, times, count);
	while (wanted[number] != UINT32_MAX)
		number++;
	assert_int_equal(rows.list[1].outliers, number);
	if (number)
		assert_memory_equal(rank_rows_outliers(&rows, &rows.list[1]), wanted,
				    number * sizeof(*wanted));
	close_both(&sums, &rows);
}

#define EXPECT_OUTLIERS(wanted, ...)                                                               \
	expect_outliers((const uint64_t[]){__VA_ARGS__},                                           \
			sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                \
			(const uint32_t[])wanted)
#define NONE LIST(UINT32_MAX)

static void test_outliers(void **state)
{
	(void)state;
	EXPECT_OUTLIERS(NONE, 100, 100, 100, 900); /* too few */
	EXPECT_OUTLIERS(LIST(4, UINT32_MAX), 100, 100, 100, 100, 900);
	EXPECT_OUTLIERS(LIST(0, 6, UINT32_MAX), 10, 100, 101, 102, 100, 101, 900, 100);
	EXPECT_OUTLIERS(NONE, 100, 100, 100, 110, 110, 120, 120, 150);
	EXPECT_OUTLIERS(LIST(7, UINT32_MAX), 100, 100, 100, 110, 110, 120, 120, 151);
	EXPECT_OUTLIERS(NONE, 100, 100, 100, 100, 104); /* less than 5 % of the median */
	EXPECT_OUTLIERS(LIST(4, UINT32_MAX), 100, 100, 100, 100, 105);
	EXPECT_OUTLIERS(NONE, 100, 120, 140, 160, 180, 200, 220);
	EXPECT_OUTLIERS(LIST(0, UINT32_MAX), 50, 0, 0, 0, 0, 0); /* only the first rank has it */
}

/* A thousand ranks of a few names, as text, CSV and JSON, and from stored JSON. */
static void test_many(void **state)
{
	struct rank_sums sums, part;
	struct rank_rows rows;
	struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
	uint64_t total = 0;

	(void)state;
	open_sums(&sums);
	for (unsigned i = 0; i < MANY; i++) {
		make_file(&part, i % 10 * 100 + i / 10);
		for (size_t at = 0; at < part.entries.length; at += sizeof(struct rank_entry))
			total += ((struct rank_entry *)(void *)(part.entries.data + at))->sum.total;
		add_sums(&sums, &part);
	}
	assert_int_equal(rank_sums_sort(&sums), 0);
	assert_int_equal(rank_rows_make(&rows, &sums, false, true), 0);
	assert_int_equal(rows.unit_count, MANY);
	assert_int_equal(rows.count, 6);
	assert_int_equal(rows.list[0].sum.total, total);
	for (size_t i = 1; i < rows.count; i++)
		assert_non_null(rank_sums_times(&sums, rows.list[i].number, &rows.list[i].sum));
	assert_int_equal(histogram_percentile(&sums.times[rows.list[4].number], 50), 5024);
	assert_int_equal(rows.units[rows.list[0].slowest].rank, MANY - 1);
	/* as if some of its times had been running totals */
	sums.times[rows.list[4].number].coarse = true;
	rank_rows_free(&rows);
	finish(&text, &sums);
	read_text(&sums, &text);
	finish(&again, &sums);
	assert_string_equal(strbuf_text(&again), strbuf_text(&text));
	strbuf_free(&text);
	strbuf_free(&again);
}

/* Returns what is wrong with the text as an input. */
static const char *refusal(const char *text)
{
	static struct strbuf error;
	struct strbuf problem = STRBUF_INIT;
	struct json_value *value = json_read(text, strlen(text), &problem);
	struct rank_sums sums;

	assert_non_null(value);
	error.length = 0;
	open_sums(&sums);
	if (!rank_read(&sums, value, "x.json", &error))
		strbuf_string(&error, "nothing");
	rank_sums_close(&sums);
	json_free(value);
	return strbuf_text(&error);
}

#define FILES "{\"files\": [{\"file\": \"a\"}], \"activities\": ["
#define KEY "{\"api\": \"CUDA\", \"kind\": \"kernel\", \"name\": \"k\", "

static void test_hostile(void **state)
{
	static const char row[] = "x.json has an invalid row";

	(void)state;
	assert_string_equal(refusal(FILES KEY "\"sums\": [[0,1,0,5,5,5,0,0]], "
					      "\"times\": [[5,1]]}]}"),
			    "nothing");
	assert_string_equal(refusal(FILES KEY "\"sums\": [[1,1,0,5,5,5,0,0]], \"times\": []}]}"),
			    row);
	assert_string_equal(refusal(FILES KEY "\"sums\": [[0,1,0,5,5,5,0]], \"times\": []}]}"),
			    row);
	assert_string_equal(refusal(FILES KEY "\"sums\": [[0,1,0,5,5,5,0,0,0]], "
					      "\"times\": []}]}"),
			    row);
	assert_string_equal(refusal(FILES KEY "\"sums\": [], \"times\": [[3776,1]]}]}"), row);
	assert_string_equal(refusal(FILES KEY "\"sums\": [], \"times\": [[3775,1]]}]}"),
			    "nothing");
	assert_string_equal(refusal(FILES KEY "\"sums\": []}]}"), row);
	assert_string_equal(refusal(FILES KEY "\"sums\": 7, \"times\": []}]}"), row);
	assert_string_equal(refusal(FILES "{\"kind\": \"kernel\"}]}"), row);
	assert_string_equal(refusal("{\"files\": [{\"file\": \"a\"}, {\"file\": \"a\"}], "
				    "\"activities\": []}"),
			    "x.json has an invalid list of files");
	assert_string_equal(refusal(FILES "], \"longest\": [" KEY "\"file\": 0}]}"), "nothing");
	assert_string_equal(refusal(FILES "], \"longest\": [" KEY "\"file\": 1}]}"),
			    "x.json has an invalid entry in its list \"longest\"");
	assert_string_equal(refusal("{\"files\": []}"),
			    "x.json has no totals of kernels and copies: 'computeprof print -o "
			    "FILE.json' and 'merge -o' write such files");
	assert_string_equal(refusal("{\"processes\": [7]}"),
			    "x.json has no totals of kernels and copies: 'computeprof print -o "
			    "FILE.json' and 'merge -o' write such files");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	 cmocka_unit_test(test_order),
		cmocka_unit_test(test_launches), cmocka_unit_test(test_twice),
		cmocka_unit_test(test_missing),	 cmocka_unit_test(test_distribution),
		cmocka_unit_test(test_outliers), cmocka_unit_test(test_many),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

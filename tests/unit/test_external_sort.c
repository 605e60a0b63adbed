/* SPDX-License-Identifier: MIT */
/* A sort in bounded memory: with and without a temporary file, and without room for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include "random.h"

#include "view/stream/external_sort.h"
#include "view/stream/spill_file.h"

static struct strbuf error;

static int set_up(void **state)
{
	(void)state;
	error.length = 0;
	setenv("TMPDIR", "/tmp", 1);
	return 0;
}

static struct external_sort *begin(void)
{
	struct external_sort *sort = external_sort_new(SPILL_BUDGET_LEAST);

	assert_non_null(sort);
	return sort;
}

/* Adds an item of varying size. Its bytes start with its number, and the rest is 0. */
static int add(struct external_sort *sort, uint64_t key, uint64_t second, uint64_t number)
{
	uint64_t bytes[SORT_ITEM_MOST / sizeof(uint64_t)] = {number};
	const struct sort_item item = {
		.key = key,
		.second = second,
		.third = number / 1000,
		.bytes = bytes,
		.size = sizeof(uint64_t) + number % (number % 97 ? 100 : SORT_ITEM_MOST - 8),
	};

	return external_sort_add(sort, &item, &error);
}

/* Reads all items. Checks their order, in which equal ones are as added, and that each is complete.
 * Returns their number. */
static uint64_t check(struct external_sort *sort)
{
	struct sort_item item, before = {0};
	uint64_t count = 0, last = 0, number;
	int found;

	while ((found = external_sort_next(sort, &item, &error)) > 0) {
		number = *(const uint64_t *)item.bytes;
		assert_int_equal(item.third, number / 1000);
		assert_true(item.size >= sizeof(uint64_t));
		for (size_t i = 1; i < item.size / sizeof(uint64_t); i++)
			assert_int_equal(((const uint64_t *)item.bytes)[i], 0);
		assert_true(item.key >= before.key);
		if (count && item.key == before.key) {
			assert_true(item.second >= before.second);
			if (item.second == before.second)
				assert_true(number > last);
		}
		before = item;
		last = number;
		count++;
	}
	assert_int_equal(found, 0);
	assert_int_equal(external_sort_next(sort, &item, &error), 0);
	return count;
}

static void test_empty(void **state)
{
	struct external_sort *sort = begin();

	(void)state;
	assert_int_equal(check(sort), 0);
	external_sort_free(sort);
	external_sort_free(NULL);
}

static void sort_some(uint64_t count, uint64_t keys, uint64_t runs)
{
	struct external_sort *sort = begin();

	for (uint64_t i = 0; i < count; i++)
		assert_int_equal(add(sort, next_random() % keys, next_random() % 3, i), 0);
	assert_true(external_sort_runs(sort) >= runs);
	if (!runs)
		assert_int_equal(external_sort_runs(sort), 0);
	assert_int_equal(check(sort), count);
	external_sort_free(sort);
}

static void test_in_memory(void **state)
{
	(void)state;
	for (uint64_t count = 1; count < 200; count++)
		sort_some(count, 1 + count % 50, 0);
}

/* The smallest budget has room for the buffers of 16 runs: more runs are merged in between. */
static void test_spilled(void **state)
{
	(void)state;
	sort_some(1000, 1 << 30, 1);
	sort_some(5000, 7, 5);
	sort_some(100000, 1 << 30, 40);
	sort_some(100000, 1, 40);
}

static void test_sorted_already(void **state)
{
	struct external_sort *up = begin(), *down = begin();
	enum { COUNT = 20000 };

	(void)state;
	for (uint64_t i = 0; i < COUNT; i++) {
		assert_int_equal(add(up, i, 0, i), 0);
		assert_int_equal(add(down, COUNT - i, 0, i), 0);
	}
	assert_int_equal(check(up), COUNT);
	assert_int_equal(check(down), COUNT);
	external_sort_free(up);
	external_sort_free(down);
}

static void test_too_large(void **state)
{
	static uint64_t bytes[SORT_ITEM_MOST / sizeof(uint64_t) + 1];
	struct external_sort *sort = begin();
	struct sort_item item = {.bytes = bytes, .size = SORT_ITEM_MOST};

	(void)state;
	assert_int_equal(external_sort_add(sort, &item, &error), 0);
	item.size++;
	assert_int_equal(external_sort_add(sort, &item, &error), -1);
	assert_int_equal(check(sort), 1);
	external_sort_free(sort);
}

/* Adds and reads items until an error. Returns its message. */
static const char *failure_of(struct external_sort *sort)
{
	for (uint64_t i = 0; i < 100000; i++) {
		if (add(sort, i, 0, i)) {
			external_sort_free(sort);
			return strbuf_text(&error);
		}
	}
	fail_msg("it did not fail");
	return NULL;
}

static void test_no_folder(void **state)
{
	(void)state;
	setenv("TMPDIR", "/nonexistent", 1);
	assert_string_equal(failure_of(begin()),
			    "cannot write the temporary file for sorting in /nonexistent: No such "
			    "file or directory; set TMPDIR to another directory");
	setenv("TMPDIR", "", 1); /* counts as unset */
	sort_some(5000, 7, 5);
}

/* The file cannot grow in the middle of a run, or while runs are merged. */
static void test_no_room(void **state)
{
	struct rlimit before, less;

	(void)state;
	getrlimit(RLIMIT_FSIZE, &before);
	for (unsigned size = 10; size < 2000000; size += size < 1000000 ? 300000 : 10000) {
		struct external_sort *sort = begin();

		less = (struct rlimit){size, before.rlim_max};
		error.length = 0;
		setrlimit(RLIMIT_FSIZE, &less);
		assert_string_equal(failure_of(sort),
				    "cannot write the temporary file for sorting in /tmp: File too "
				    "large; set TMPDIR to another directory");
		setrlimit(RLIMIT_FSIZE, &before);
	}
}

static unsigned files_in(const char *path)
{
	DIR *folder = opendir(path);
	unsigned count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

/* The file has no name, also while it exists. */
static void test_no_name(void **state)
{
	char path[] = "/tmp/computeprof-sort-test-XXXXXX";
	struct external_sort *sort;

	(void)state;
	assert_non_null(mkdtemp(path));
	setenv("TMPDIR", path, 1);
	sort = begin();
	for (uint64_t i = 0; i < 5000; i++)
		assert_int_equal(add(sort, i, 0, i), 0);
	assert_true(external_sort_runs(sort) > 0);
	assert_int_equal(files_in(path), 0);
	external_sort_free(sort);
	assert_int_equal(rmdir(path), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, set_up)
	const struct CMUnitTest tests[] = {
		TEST(test_empty),	   TEST(test_in_memory), TEST(test_spilled),
		TEST(test_sorted_already), TEST(test_too_large), TEST(test_no_folder),
		TEST(test_no_room),	   TEST(test_no_name),
	};
#undef TEST
	int result;

	unsetenv("COMPUTEPROF_TEST_SORT_BUDGET");
	result = cmocka_run_group_tests(tests, NULL, NULL);
	strbuf_free(&error);
	return result;
}

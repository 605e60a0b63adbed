/* SPDX-License-Identifier: MIT */
/* A queue in bounded memory: with and without a temporary file, and without room for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/resource.h>

#include "view/stream/spill_file.h"
#include "view/stream/spill_queue.h"

enum { NUMBERS = 9 /* in an item */, ITEM = NUMBERS * sizeof(uint64_t) };

static struct strbuf error;

static int set_up(void **state)
{
	(void)state;
	error.length = 0;
	setenv("TMPDIR", "/tmp", 1);
	setenv("COMPUTEPROF_TEST_SORT_BUDGET", "65536", 1);
	return 0;
}

static int add(struct spill_queue *queue, uint64_t number)
{
	uint64_t item[NUMBERS];

	for (uint64_t i = 0; i < NUMBERS; i++)
		item[i] = number * NUMBERS + i;
	return spill_queue_add(queue, item, &error);
}

/* Adds items and reads them back. */
static void pass(uint64_t count, bool spills)
{
	struct spill_queue *queue = spill_queue_new(ITEM);
	const void *item;

	assert_non_null(queue);
	for (uint64_t i = 0; i < count; i++)
		assert_int_equal(add(queue, i), 0);
	assert_int_equal(spill_queue_has_spilled(queue), spills);
	for (uint64_t i = 0; i < count; i++) {
		assert_int_equal(spill_queue_next(queue, &item, &error), 1);
		for (uint64_t j = 0; j < NUMBERS; j++)
			assert_int_equal(((const uint64_t *)item)[j], i * NUMBERS + j);
	}
	assert_int_equal(spill_queue_next(queue, &item, &error), 0);
	assert_int_equal(spill_queue_next(queue, &item, &error), 0);
	spill_queue_free(queue);
}

static void test_in_memory(void **state)
{
	(void)state;
	for (uint64_t count = 0; count < 20; count++)
		pass(count, false);
	pass(SPILL_BUDGET_LEAST / ITEM, false);
	spill_queue_free(NULL);
}

static void test_spilled(void **state)
{
	enum { FULL = SPILL_BUDGET_LEAST / ITEM };

	(void)state;
	for (uint64_t count = FULL + 1; count < 5 * FULL; count += FULL / 3)
		pass(count, true);
	pass(2 * FULL, true);
	pass(2 * FULL + 1, true);
}

/* After the first write a smaller part of the memory is in use. */
static void test_large_budget(void **state)
{
	(void)state;
	setenv("COMPUTEPROF_TEST_SORT_BUDGET", "1048576", 1);
	pass(14563, false);
	pass(14564, true);
	pass(100000, true);
}

static void test_size(void **state)
{
	struct spill_queue *queue = spill_queue_new(SPILL_ITEM_MOST);

	(void)state;
	assert_non_null(queue);
	assert_null(spill_queue_new(SPILL_ITEM_MOST + 8));
	spill_queue_free(queue);
}

/* Adds until it fails, and returns the message. */
static const char *failure_of(void)
{
	struct spill_queue *queue = spill_queue_new(ITEM);
	uint64_t count = 0;

	assert_non_null(queue);
	while (!add(queue, count))
		assert_true(++count < 100000);
	spill_queue_free(queue);
	return strbuf_text(&error);
}

static void test_no_folder(void **state)
{
	(void)state;
	setenv("TMPDIR", "/nonexistent", 1);
	assert_string_equal(failure_of(),
			    "cannot write the temporary file for sorting in /nonexistent: No such "
			    "file or directory; set TMPDIR to another directory");
}

static void test_no_room(void **state)
{
	struct rlimit before, less;

	(void)state;
	getrlimit(RLIMIT_FSIZE, &before);
	for (unsigned size = 10; size < 500000; size += 100000) {
		less = (struct rlimit){size, before.rlim_max};
		error.length = 0;
		setrlimit(RLIMIT_FSIZE, &less);
		assert_string_equal(failure_of(),
				    "cannot write the temporary file for sorting in /tmp: File too "
				    "large; set TMPDIR to another directory");
		setrlimit(RLIMIT_FSIZE, &before);
	}
}

/* What is left in memory is written before the first read. */
static void test_no_room_at_the_end(void **state)
{
	struct spill_queue *queue = spill_queue_new(ITEM);
	struct rlimit before, less;
	const void *item;

	(void)state;
	assert_non_null(queue);
	for (uint64_t i = 0; i < 1500; i++)
		assert_int_equal(add(queue, i), 0);
	assert_true(spill_queue_has_spilled(queue));
	getrlimit(RLIMIT_FSIZE, &before);
	less = (struct rlimit){100, before.rlim_max};
	setrlimit(RLIMIT_FSIZE, &less);
	assert_int_equal(spill_queue_next(queue, &item, &error), -1);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_non_null(strstr(strbuf_text(&error), "File too large"));
	spill_queue_free(queue);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, set_up)
	const struct CMUnitTest tests[] = {
		TEST(test_in_memory), TEST(test_spilled),   TEST(test_large_budget),
		TEST(test_size),      TEST(test_no_folder), TEST(test_no_room),
		TEST(test_no_room_at_the_end),
	};
#undef TEST
	int result = cmocka_run_group_tests(tests, NULL, NULL);

	strbuf_free(&error);
	return result;
}

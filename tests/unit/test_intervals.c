/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "view/symbols/intervals.h"

enum { COUNT = 300, SPACE = 1000, ROUNDS = 50, LIMIT = 1 << 22 };

static struct intervals intervals;

static void add(uint64_t low, uint64_t high, uint32_t item)
{
	assert_int_equal(intervals_add(&intervals, low, high, item), 0);
}

/* Adds an interval and nested ones in it. */
static uint32_t add_nested(uint64_t low, uint64_t high, uint32_t item, int depth)
{
	uint64_t at = low;

	add(low, high, item++);
	while (depth && at < high) {
		uint64_t start = at + next_random() % (high - at), end = start;

		if (start < high)
			end = start + 1 + next_random() % (high - start);
		if (end > high || item > COUNT)
			break;
		item = add_nested(start, end, item, depth - 1);
		at = end;
	}
	return item;
}

/* The innermost interval with the address: the one that was added last. Sorting changes the order,
 * so it is found by its number. */
static const struct interval *innermost(uint64_t address)
{
	const struct interval *found = NULL;

	for (size_t i = 0; i < intervals.count; i++) {
		const struct interval *at = &intervals.list[i];

		if (at->low <= address && address < at->high && (!found || at->item > found->item))
			found = at;
	}
	return found;
}

static size_t count_around(uint64_t address)
{
	size_t count = 0;

	for (size_t i = 0; i < intervals.count; i++)
		count += intervals.list[i].low <= address && address < intervals.list[i].high;
	return count;
}

static void test_nested(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		add_nested(10, SPACE, 0, 5);
		intervals_sort(&intervals);
		for (uint64_t address = 0; address < SPACE + 10; address++) {
			const struct interval *at = intervals_find(&intervals, address);
			size_t count = 0;

			assert_ptr_equal(at, innermost(address));
			for (; at; at = intervals_around(&intervals, at, address))
				count++;
			assert_int_equal(count, count_around(address));
		}
		intervals_free(&intervals);
	}
}

/* Any intervals: what is found has the address, and searches end. */
static void test_any(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < COUNT; i++)
		add(next_random() % SPACE, next_random() % SPACE, i);
	add(0, UINT64_MAX, COUNT);
	add(5, 5, COUNT + 1); /* empty */
	intervals_sort(&intervals);
	for (uint64_t address = 0; address < SPACE; address++) {
		const struct interval *at = intervals_find(&intervals, address);
		size_t count = 0;

		assert_non_null(at);
		for (; at; at = intervals_around(&intervals, at, address)) {
			assert_true(at->low <= address && address < at->high);
			assert_true(++count <= COUNT + 1);
		}
	}
	assert_null(intervals_find(&intervals, UINT64_MAX));
	intervals_free(&intervals);
	intervals_sort(&intervals);
	assert_null(intervals_find(&intervals, 0));
}

/* At most LIMIT intervals are stored, so a file cannot exhaust the memory. */
static void test_limit(void **state)
{
	uint64_t count = 0;

	(void)state;
	while (count <= LIMIT && !intervals_add(&intervals, count, count + 1, 0))
		count++;
	assert_int_equal(count, LIMIT);
	intervals_sort(&intervals);
	assert_int_equal(intervals_find(&intervals, LIMIT - 1)->low, LIMIT - 1);
	intervals_free(&intervals);
	add(1, 2, 0);
	intervals_free(&intervals);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

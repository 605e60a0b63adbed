/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/totals/event_totals.h"

static struct event_totals sum;
static struct strbuf error;

static int clear(void **state)
{
	(void)state;
	event_totals_free(&sum);
	strbuf_free(&error);
	sum = (struct event_totals){0};
	return 0;
}

static void mark(uint16_t flags, uint64_t moment, uint64_t id, uint32_t name)
{
	struct mark mark = {
		.frame = {.kind = FRAME_MARK, .flags = flags}, .enter = moment, .id = id,
		.name = name};

	assert_int_equal(event_totals_add(&sum, &mark.frame, &error), 0);
}

static const struct activity *range(size_t number, size_t expected)
{
	size_t count;
	struct activity *const *list = activities_sorted(&sum.ranges, &count);

	assert_int_equal(count, expected);
	return list[number];
}

static void test_ranges(void **state)
{
	(void)state;
	mark(MARK_START | MARK_PUSHED, 10, 1, 5);
	mark(MARK_START, 20, 2, 5);
	mark(MARK_END, 29, 3, 0); /* its start follows */
	mark(0, 30, 0, 6);
	mark(MARK_END, 40, 2, 0);
	mark(MARK_END | MARK_PUSHED, 100, 1, 0);
	mark(MARK_START, 25, 3, 6);
	mark(MARK_START, 50, 4, 7);
	mark(MARK_START, 60, 4, 7); /* again: the first one has no end */
	mark(MARK_END, 70, 9, 0);   /* it has no start */
	assert_int_equal(event_totals_end(&sum, &error), 0);
	assert_int_equal(range(0, 2)->like.name, 5);
	assert_int_equal(range(0, 2)->count, 2);
	assert_int_equal(range(0, 2)->total, 110);
	assert_int_equal(range(0, 2)->shortest, 20);
	assert_int_equal(range(0, 2)->longest, 90);
	assert_int_equal(range(1, 2)->like.name, 6);
	assert_int_equal(range(1, 2)->total, 4);
	assert_int_equal(sum.marks, 1);
	assert_int_equal(sum.unfinished, 2);
}

/* More open ranges than the ordered reader keeps in its tables. */
static void test_many(void **state)
{
	enum { MANY = 1 << 17, UNFINISHED = 10 };

	(void)state;
	for (uint64_t i = 1; i <= MANY; i++)
		mark(MARK_START, i, i, 1);
	for (uint64_t i = 1; i <= MANY - UNFINISHED; i++)
		mark(MARK_END, i + 1, i, 0);
	assert_int_equal(event_totals_end(&sum, &error), 0);
	assert_int_equal(range(0, 1)->count, MANY - UNFINISHED);
	assert_int_equal(range(0, 1)->longest, 1);
	assert_int_equal(sum.unfinished, UNFINISHED);
}

static void allocation(uint16_t flags, uint64_t moment, uint64_t address, uint64_t bytes)
{
	struct allocation allocation = {
		.frame = {.kind = FRAME_ALLOCATION, .flags = flags},
		.enter = moment,
		.leave = moment,
		.address = address,
		.bytes = bytes,
	};

	assert_int_equal(event_totals_add(&sum, &allocation.frame, &error), 0);
}

static void test_memory(void **state)
{
	uint64_t bytes;

	(void)state;
	assert_int_equal(event_totals_left(&sum, &bytes), 0);
	allocation(0, 10, 1, 100);
	allocation(ALLOCATION_FREED, 40, 1, 100);
	allocation(0, 20, 2, 50);
	allocation(0, 50, 3, 20);
	allocation(ALLOCATION_FREED, 5, 4, 1000); /* allocated before the recording */
	assert_int_equal(event_totals_end(&sum, &error), 0);
	assert_int_equal(event_totals_left(&sum, &bytes), 2);
	assert_int_equal(bytes, 70);
	assert_int_equal(sum.peak, 150);
}

/* More releases than allocations. */
static void test_released(void **state)
{
	uint64_t bytes;

	(void)state;
	allocation(0, 20, 2, 50);
	allocation(0, 50, 3, 20);
	allocation(ALLOCATION_FREED, 60, 2, UINT64_MAX);
	allocation(ALLOCATION_FREED, 60, 2, 1);
	allocation(ALLOCATION_FREED, 60, 2, 1);
	assert_int_equal(event_totals_end(&sum, &error), 0);
	assert_int_equal(sum.peak, 70);
	assert_int_equal(event_totals_left(&sum, &bytes), 1);
	assert_int_equal(bytes, 20);
}

static void test_times(void **state)
{
	struct wait wait = {
		.frame.kind = FRAME_WAIT, .enter = 5, .leave = 9, .kind = WAIT_FOR_STREAM};
	struct queue queue = {.frame.kind = FRAME_QUEUE};

	(void)state;
	assert_int_equal(event_totals_add(&sum, &wait.frame, &error), 0);
	wait.kind = WAIT_STREAM_FOR_EVENT; /* the host does not wait */
	assert_int_equal(event_totals_add(&sum, &wait.frame, &error), 0);
	wait = (struct wait){.frame.kind = FRAME_WAIT, .enter = 9, .leave = 5};
	assert_int_equal(event_totals_add(&sum, &wait.frame, &error), 0);
	assert_int_equal(sum.waits, 2);
	assert_int_equal(sum.waiting, 4);
	assert_int_equal(event_totals_add(&sum, &queue.frame, &error), 0);
}

static void add_overhead(uint16_t kind, uint64_t enter, uint64_t leave)
{
	struct overhead overhead = {
		.frame.kind = FRAME_OVERHEAD, .enter = enter, .leave = leave, .kind = kind};

	assert_int_equal(event_totals_add(&sum, &overhead.frame, &error), 0);
}

static void test_overheads(void **state)
{
	static const uint16_t drivers[] = {OVERHEAD_UNKNOWN, OVERHEAD_COMPILER, OVERHEAD_MODULE,
					   OVERHEAD_FUNCTION, OVERHEAD_COMMANDS, 77};

	(void)state;
	assert_int_equal(event_totals_overhead(&sum), 0);
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		add_overhead(drivers[i], 1, 1000);
	assert_int_equal(sum.overheads, 0);
	assert_int_equal(event_totals_overhead(&sum), 0);
	/* Overlapping on two threads, one inside another, separate, and one with its end before its
	 * start. */
	add_overhead(OVERHEAD_FLUSH, 5, 8);
	add_overhead(OVERHEAD_INSTRUMENTATION, 7, 10);
	add_overhead(OVERHEAD_RESOURCE, 6, 7);
	add_overhead(OVERHEAD_BUFFER, 20, 21);
	add_overhead(OVERHEAD_MANAGED, 30, 25);
	assert_int_equal(sum.overheads, 5);
	assert_int_equal(event_totals_overhead(&sum), 6);
	add_overhead(OVERHEAD_FLUSH, 0, UINT64_MAX);
	assert_int_equal(event_totals_overhead(&sum), UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ranges, clear, clear),
		cmocka_unit_test_setup_teardown(test_many, clear, clear),
		cmocka_unit_test_setup_teardown(test_memory, clear, clear),
		cmocka_unit_test_setup_teardown(test_released, clear, clear),
		cmocka_unit_test_setup_teardown(test_times, clear, clear),
		cmocka_unit_test_setup_teardown(test_overheads, clear, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

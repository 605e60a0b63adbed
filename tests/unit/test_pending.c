/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/counterset.h"
#include "session/pending.h"

static struct pending *pending;
static struct ringfile *ringfile;

static int set_up(void **state)
{
	(void)state;
	pending = calloc(1, sizeof(*pending));
	ringfile = calloc(1, sizeof(*ringfile));
	return pending_init(pending) || ringfile_create(ringfile, "/tmp/log", RING_BESIDE_LOG);
}

static int tear_down(void **state)
{
	(void)state;
	ringfile_unlink(ringfile);
	free(ringfile);
	free(pending);
	return 0;
}

static uint32_t add(uint64_t enter, uint64_t correlation, uint32_t stream, uint64_t handle)
{
	const struct record record = {
		.frame = {.size = sizeof(record), .kind = FRAME_COPY, .correlation = correlation},
		.enter = enter,
		.stream = stream,
		.handle = handle,
	};

	return pending_add(pending, ringfile, &record);
}

static void test_order(void **state)
{
	static const uint64_t enters[] = {50, 10, 30, 30, 20, 60, 10, 5};
	struct pending_list order = {0};
	uint64_t last_enter = 0, last_correlation = 0;

	(void)state;
	for (size_t i = 0; i < 8; i++)
		pending_order(pending, &order, add(enters[i], i + 1, 0, 0));
	assert_int_equal(pending->used, 8);
	for (size_t i = 0; i < 8; i++) {
		uint32_t index = pending_order_pop(pending, &order);
		const struct record *record = pending_record(pending, index);

		assert_true(record->enter > last_enter ||
			    (record->enter == last_enter &&
			     record->frame.correlation > last_correlation));
		last_enter = record->enter;
		last_correlation = record->frame.correlation;
		pending_remove(pending, index);
		assert_int_equal(record->frame.size, 0);
	}
	assert_int_equal(order.first, 0);
	assert_int_equal(order.last, 0);
	assert_int_equal(pending->used, 0);
}

/* Back ends deliver whole buffers of records, each in order, one thread's after another's. Passing
 * all other records for each one would take minutes. Some records are removed in between. */
static void test_order_of_runs(void **state)
{
	enum { RUNS = 64, LENGTH = PENDING_MAX / RUNS };
	struct pending_list order = {0};
	uint64_t last = 0;

	(void)state;
	for (uint64_t run = 0; run < RUNS; run++) {
		for (uint64_t i = 0; i < LENGTH; i++)
			pending_order(pending, &order, add(100 + i * RUNS + run * 37 % RUNS,
						     run * LENGTH + i + 1, 0, 0));
		for (int i = 0; i < 9; i++)
			pending_remove(pending, pending_order_pop(pending, &order));
	}
	for (uint32_t left = PENDING_MAX - RUNS * 9; left > 0; left--) {
		uint32_t index = pending_order_pop(pending, &order);

		assert_true(pending_record(pending, index)->enter > last);
		last = pending_record(pending, index)->enter;
		pending_remove(pending, index);
	}
	assert_int_equal(order.first, 0);
}

static int polls;

/* The handle is the number of polls until the command is complete. */
static int poll_down(struct record *record)
{
	polls++;
	if (record->handle > 1) {
		record->handle--;
		return 0;
	}
	record->handle = 0;
	return 1;
}

static void test_poll(void **state)
{
	(void)state;
	polls = 0;
	assert_int_equal(pending_poll(pending, poll_down), 0);
	add(1, 1, 1, 2);
	add(2, 2, 1, 1);
	add(3, 3, 2, 1);
	add(4, 4, 2, 0); /* it has no device half */
	assert_int_equal(pending->in_flight, 3);
	assert_int_equal(pending_poll(pending, poll_down), 2);
	assert_int_equal(pending->in_flight, 1);
	assert_int_equal(pending_poll(pending, poll_down), 1);
	assert_int_equal(polls, 4);
	assert_int_equal(pending_poll(pending, poll_down), 0);
	assert_int_equal(polls, 4);
}

/* Only some of a stream's running commands are queried. Commands of other streams are queried
 * nevertheless, also if another context's stream has the same number. */
static void test_driver_stall(void **state)
{
	const struct record other = {
		.frame = {.size = sizeof(other)}, .stream = 1, .context = 1, .handle = 1};

	(void)state;
	polls = 0;
	for (uint64_t i = 0; i < 10000; i++)
		add(i, i, 1, UINT64_MAX);
	pending_add(pending, ringfile, &other);
	assert_int_equal(pending_poll(pending, poll_down), 1);
	assert_in_range(polls, 2, 1000);
}

/* More streams than lists: all commands are queried, and in the end no list is busy. */
static void test_many_streams(void **state)
{
	enum { STREAMS = 16 * PENDING_STREAMS };

	(void)state;
	polls = 0;
	for (uint32_t i = 0; i < STREAMS; i++)
		add(i, i, i, 1);
	for (int i = 0; i < PENDING_STREAMS / 64; i++)
		assert_int_equal(pending->busy[i], UINT64_MAX);
	assert_int_equal(pending_poll(pending, poll_down), STREAMS);
	assert_int_equal(pending->in_flight, 0);
	assert_int_equal(polls, STREAMS);
	for (int i = 0; i < PENDING_STREAMS / 64; i++)
		assert_int_equal(pending->busy[i], 0);
}

static void test_stop_polling_in_the_middle(void **state)
{
	uint32_t first = add(1, 1, 1, 9), middle = add(2, 2, 1, 9), last = add(3, 3, 1, 1);

	(void)state;
	pending_stop_polling(pending, middle);
	assert_int_equal(pending_poll(pending, poll_down), 1);
	assert_int_equal(pending_record(pending, last)->handle, 0);
	pending_stop_polling(pending, first);
	assert_int_equal(pending->in_flight, 0);
	polls = 0;
	pending_poll(pending, poll_down);
	assert_int_equal(polls, 0);
}

static void test_full(void **state)
{
	uint32_t index;

	(void)state;
	for (uint64_t i = 0; i < PENDING_MAX; i++) {
		index = add(i, i, 0, 0);
		if (index != i + 1)
			fail_msg("place %u for record %llu", index, (unsigned long long)i);
	}
	assert_int_equal(add(1, 1, 0, 0), 0);
	assert_int_equal(pending->used, PENDING_MAX);
	assert_int_equal(pending_record(pending, PENDING_MAX)->enter, PENDING_MAX - 1);
	pending_remove(pending, 777);
	assert_int_equal(add(1, 1, 0, 0), 777);
	assert_int_equal(add(1, 1, 0, 0), 0);
}

static uint32_t add_counted(uint32_t values)
{
	static struct counted_record counted = {.record.frame.kind = FRAME_KERNEL};

	counted_record_set(&counted, 0, values);
	return pending_add(pending, ringfile, &counted.record);
}

/* Records with values do not take all places. */
static void test_full_of_counted(void **state)
{
	uint32_t index, count = 0;

	(void)state;
	while ((index = add_counted(512)))
		count++;
	assert_in_range(count, 1000, PENDING_MAX);
	assert_int_not_equal(add(1, 1, 0, 0), 0);
	assert_int_not_equal(add(2, 2, 0, 0), 0);
}

/* If plain records have all places, a record with values is stored without them. */
static void test_full_of_plain(void **state)
{
	uint32_t index;

	(void)state;
	for (uint64_t i = 0; i < PENDING_MAX; i++)
		add(i, i, 0, 0);
	assert_int_equal(add_counted(5), 0);
	pending_remove(pending, 777);
	index = add_counted(5);
	assert_int_equal(index, 777);
	assert_int_equal(pending_record(pending, index)->frame.size, sizeof(struct record));
	assert_null(record_counters(pending_record(pending, index)));
}

/* With more counters each time, the smaller places are no longer used. */
static void test_growing(void **state)
{
	uint32_t lost = 0;

	(void)state;
	for (uint32_t values = 1; values <= 512; values++) {
		uint32_t index = add_counted(values);

		if (index)
			pending_remove(pending, index);
		else
			lost++;
	}
	assert_int_equal(lost, 0);
}

/* A place of the earlier, smaller size is never used for a larger record. */
static void test_outgrown(void **state)
{
	uint32_t before, after;

	(void)state;
	before = add_counted(1);
	after = add_counted(5);
	pending_remove(pending, before);
	assert_int_not_equal(add_counted(5), before);
	pending_remove(pending, after);
	assert_int_equal(add_counted(6), after);
	assert_int_equal(pending->used, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_order_of_runs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_poll, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_driver_stall, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_streams, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stop_polling_in_the_middle, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_of_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_of_plain, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_growing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_outgrown, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

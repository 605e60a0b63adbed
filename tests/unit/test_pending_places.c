/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/counterset.h"
#include "model/frames.h"
#include "session/pending.h"

/* The places of pending records, and the choice of the commands that are queried. */

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

static uint32_t add(uint64_t enter, uint64_t handle)
{
	const struct record record = {
		.frame = {.size = sizeof(record), .kind = FRAME_COPY, .correlation = enter},
		.enter = enter,
		.handle = handle,
	};

	return pending_add(pending, ringfile, &record);
}

static uint32_t add_counted(uint32_t count, double first)
{
	struct counted_record counted = {.record.frame.kind = FRAME_KERNEL};

	counted_record_set(&counted, 0, count);
	for (uint32_t i = 0; i < count; i++)
		counted.values[i] = first + i;
	return pending_add(pending, ringfile, &counted.record);
}

/* Recovery finds the places by the header of the segment alone. */
static void test_places(void **state)
{
	const uint32_t strides[] = {sizeof(struct record),
				    sizeof(struct record) + sizeof(struct counters_block) +
					    6 * sizeof(double)};
	uint32_t plain, counted;

	(void)state;
	plain = add(1, 0);
	counted = add_counted(3, 1);
	assert_int_equal(pending->chunk_count, 2);
	for (int i = 0; i < 2; i++) {
		const struct segment *segment =
			(const void *)(pending->chunks[i].places - sizeof(*segment));

		assert_int_equal(segment->magic, SEGMENT_MAGIC);
		assert_int_equal(segment->kind, SEGMENT_PENDING);
		assert_int_equal(segment->stride, strides[i]);
	}
	assert_ptr_equal(pending_record(pending, plain), pending->chunks[0].places);
	assert_ptr_equal(pending_record(pending, counted), pending->chunks[1].places);
	assert_ptr_equal(pending_record(pending, add_counted(6, 1)),
			 pending->chunks[1].places + strides[1]);
}

/* The last place of one kind comes directly before the first of the other. */
static void test_places_again(void **state)
{
	uint32_t last = 0, counted;

	(void)state;
	for (uint64_t i = 0; i < PENDING_CHUNK; i++)
		last = add(i, 0);
	counted = add_counted(3, 1);
	assert_int_equal(last + 1, counted);
	pending_remove(pending, last);
	assert_int_equal(add(1, 0), last);
	pending_remove(pending, counted);
	assert_int_equal(add_counted(3, 1), counted);
	assert_int_equal(pending->used, PENDING_CHUNK + 1);
}

static void test_values(void **state)
{
	enum { MANY = 3000, COUNT = 5 };
	static uint32_t index[MANY];

	(void)state;
	for (int i = 0; i < MANY; i++)
		index[i] = add_counted(COUNT, i * 10);
	for (int i = 0; i < MANY; i++) {
		const struct record *record = pending_record(pending, index[i]);

		assert_int_equal(record_value_count(record), COUNT);
		assert_int_equal(record_counters(record)->set, 0);
		for (int value = 0; value < COUNT; value++)
			assert_true(record_values(record)[value] == i * 10 + value);
	}
	assert_null(record_counters(pending_record(pending, add(1, 0))));
}

static uint32_t add_event(enum frame_kind kind, uint64_t enter)
{
	const union event event = {.timed = {
		.frame = {.size = frames_fixed_size(kind), .kind = (uint16_t)kind, .flags = 5,
			  .correlation = enter, .thread = 6},
		.enter = enter,
	}};

	return pending_add_event(pending, ringfile, &event.frame);
}

/* Places of events have the size of the largest event, and are not those of records. */
static void test_events(void **state)
{
	enum { MANY = 2 * PENDING_CHUNK + 1 };
	static uint32_t index[MANY];
	const struct segment *segment;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		index[i] = add_event(i % 2 ? FRAME_CALL : FRAME_MARK, i + 1);
	assert_int_equal(pending->used, MANY);
	assert_int_equal(pending->in_flight, 0);
	assert_int_equal(pending->chunk_count, 4); /* one is for records */
	segment = (const void *)(pending->chunks[1].places - sizeof(*segment));
	assert_int_equal(segment->stride, sizeof(union event));
	assert_in_range(segment->size, PENDING_CHUNK * sizeof(union event), RINGFILE_SEGMENT / 2);
	for (uint32_t i = 0; i < MANY; i++) {
		const struct frame *event = &pending_record(pending, index[i])->frame;
		enum frame_kind kind = i % 2 ? FRAME_CALL : FRAME_MARK;

		assert_int_equal(event->kind, kind);
		assert_int_equal(event->size, frames_fixed_size(kind));
		assert_int_equal(event->correlation, i + 1);
		assert_int_equal(event->flags, 5);
		assert_int_equal(event->thread, 6);
		assert_int_equal(((const struct timed *)(const void *)event)->enter, i + 1);
	}
	pending_remove(pending, index[7]);
	assert_int_equal(pending_record(pending, index[7])->frame.size, 0);
	assert_int_not_equal(add(1, 0), index[7]);
	assert_int_not_equal(add_counted(3, 1), index[7]);
	assert_int_equal(add_event(FRAME_CALL, 1), index[7]);
}

static uint64_t asked[400];
static int asked_count;
static uint64_t finished;

static int poll(struct record *record)
{
	asked[asked_count++] = record->enter;
	return record->enter == finished;
}

/* Polls once. Checks that commands `first` to `last`, then `from` to `to`, are queried, except
 * `missing`. */
static void asks(uint64_t first, uint64_t last, uint64_t from, uint64_t to, uint64_t missing)
{
	int at = 0;

	asked_count = 0;
	assert_int_equal(pending_poll(pending, poll), finished != 0);
	for (uint64_t i = first; i <= to; i = i == last ? from : i + 1)
		if (i != missing)
			assert_int_equal(asked[at++], i);
	assert_int_equal(asked_count, at);
	finished = 0;
}

/* The oldest 64 are queried each time, and 64 of the others in turn. */
static void test_queried_commands(void **state)
{
	uint32_t index[301];

	(void)state;
	for (uint64_t i = 1; i <= 300; i++)
		index[i] = add(i, 1);
	asks(1, 64, 65, 128, 0);
	asks(1, 64, 129, 192, 0);
	asks(1, 64, 193, 256, 0);
	asks(1, 64, 257, 300, 0);
	asks(1, 64, 65, 128, 0);
	/* After a command has ended, more of the following ones are queried. */
	finished = 30;
	asks(1, 94, 129, 192, 0);
	/* The command at which the queries would continue has ended. */
	pending_stop_polling(pending, index[193]);
	asks(1, 65, 194, 257, 30);
	finished = 260;
	asks(1, 65, 258, 300, 30);
	assert_int_equal(pending->in_flight, 297);
	asks(1, 65, 66, 129, 30);
}

/* A run of late records continues where it was, even if that record was removed. */
static void test_late_after_late(void **state)
{
	static const uint64_t enters[] = {10, 20, 15};
	struct pending_list order = {0};

	(void)state;
	for (int i = 0; i < 3; i++)
		pending_order(pending, &order, add(enters[i], 0));
	assert_int_equal(pending_record(pending, pending_order_pop(pending, &order))->enter, 10);
	assert_int_equal(pending_record(pending, pending_order_pop(pending, &order))->enter, 15);
	pending_order(pending, &order, add(17, 0));
	assert_int_equal(pending_record(pending, pending_order_pop(pending, &order))->enter, 17);
	assert_int_equal(pending_record(pending, pending_order_pop(pending, &order))->enter, 20);
	assert_int_equal(order.first, 0);
	assert_int_equal(order.last, 0);
}

static void test_free_gives_back(void **state)
{
	static struct pending other;
	unsigned char there;
	char *links[PENDING_KINDS], *lasts[PENDING_KINDS];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	(void)state;
	assert_int_equal(pending_init(&other), 0);
	for (int kind = 0; kind < PENDING_KINDS; kind++) {
		uintptr_t last = (uintptr_t)&other.links[kind][PENDING_MAX];

		links[kind] = (char *)other.links[kind];
		lasts[kind] = (char *)(last & ~(uintptr_t)(page - 1));
		assert_int_equal(mincore(links[kind], 1, &there), 0);
		assert_int_equal(mincore(lasts[kind], 1, &there), 0);
	}
	pending_free(&other);
	for (int kind = 0; kind < PENDING_KINDS; kind++) {
		assert_int_equal(mincore(links[kind], 1, &there), -1);
		assert_int_equal(mincore(lasts[kind], 1, &there), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_places_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_queried_commands, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_after_late, set_up, tear_down),
		cmocka_unit_test(test_free_gives_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

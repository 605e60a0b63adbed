/* SPDX-License-Identifier: MIT */
/* The ranges around a moment of a thread, compared with a check of each range. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"

#include "view/totals/ranges.h"

enum { MOST = 400, OPEN = -1 };

/* The ranges in the order in which they were taken; `end` is OPEN without an end. */
static struct range_sample {
	struct range_label label;
	uint64_t start;
	int64_t end;
} samples[MOST];
static size_t sample_count;
static uint64_t last;

static struct ranges ranges;
static uint64_t taken, total, sames;

static int clear(void **state)
{
	(void)state;
	ranges_free(&ranges);
	ranges = (struct ranges){0};
	sample_count = 0;
	last = taken = total = 0;
	return 0;
}

static void mark(uint16_t flags, uint64_t moment, uint64_t id, struct range_label label)
{
	const struct mark mark = {
		.frame = {.size = sizeof(mark),
			  .kind = FRAME_MARK,
			  .flags = flags,
			  .thread = label.thread},
		.enter = moment,
		.id = id,
		.name = label.name,
		.domain = label.domain,
	};

	if (moment > last)
		last = moment;
	assert_int_equal(ranges_add(&ranges, &mark.frame), 0);
}

/* For every second range the end comes before the start. Some ends are on another thread. */
static void add(struct range_label label, uint64_t start, int64_t end)
{
	const uint64_t id = sample_count + 1;
	const struct range_label other = {.thread = label.thread + sample_count % 3};

	samples[sample_count++] = (struct range_sample){label, start, end};
	if (id % 2 && end != OPEN)
		mark(MARK_END, (uint64_t)end, id, other);
	mark(MARK_START, start, id, label);
	if (!(id % 2) && end != OPEN)
		mark(MARK_END, (uint64_t)end, id, other);
}

static int take(void *context, uint32_t label, uint64_t start, uint64_t end)
{
	(void)context;
	(void)label;
	assert_true(start <= end);
	taken++;
	total += end - start;
	return 0;
}

static void end_ranges(void)
{
	assert_int_equal(ranges_end(&ranges, take, NULL), 0);
	assert_int_equal(taken, sample_count);
}

static uint64_t end_of(const struct range_sample *sample)
{
	uint64_t end = sample->end == OPEN ? last : (uint64_t)sample->end;

	return end < sample->start ? sample->start : end;
}

static bool is_same(const struct range_label *one, const struct range_label *other)
{
	return one->thread == other->thread && one->domain == other->domain &&
	       one->name == other->name;
}

static bool expected(const struct range_label *label, uint32_t thread, uint64_t enter,
		     uint64_t leave)
{
	for (size_t i = 0; i < sample_count; i++)
		if (samples[i].label.thread == thread && is_same(&samples[i].label, label) &&
		    samples[i].start <= enter && end_of(&samples[i]) >= leave)
			return true;
	return false;
}

/* Each right label is found once, and no other label. */
static void compare(uint32_t thread, uint64_t enter, uint64_t leave)
{
	size_t label_count, count;
	const struct range_label *labels = ranges_labels(&ranges, &label_count);
	const uint32_t *found = ranges_around(&ranges, thread, enter, leave, &count);

	for (uint32_t label = 0; label < label_count; label++) {
		int times = 0;

		for (size_t i = 0; i < count; i++)
			times += found[i] == label;
		assert_int_equal(times, expected(&labels[label], thread, enter, leave));
	}
}

/* If the labels are reported to be the same as before, they are. */
static void compare_again(uint32_t thread, uint64_t enter, uint64_t leave)
{
	static uint32_t before[MOST];
	const int64_t number = ranges_thread(&ranges, thread);
	size_t count, again;
	const uint32_t *found = ranges_around(&ranges, thread, enter, leave, &count);

	if (number < 0)
		return;
	memcpy(before, found, count * sizeof(*found));
	assert_true(ranges_are_same(&ranges, (size_t)number, enter, leave));
	for (uint64_t i = 0; i < 8; i++) {
		uint64_t other = enter + i / 2, end = leave + i % 3;

		if (!ranges_are_same(&ranges, (size_t)number, other, end))
			continue;
		found = ranges_around(&ranges, thread, other, end, &again);
		assert_int_equal(again, count);
		assert_memory_equal(found, before, count * sizeof(*found));
		sames++;
	}
}

static struct range_label some_label(void)
{
	return (struct range_label){.thread = 1 + next_random() % 3,
				    .domain = next_random() % 2,
				    .name = next_random() % 5};
}

static void test_random(void **state)
{
	for (int turn = 0; turn < 200; turn++) {
		const uint32_t span = turn % 2 ? 1000 : 40, count = next_random() % MOST;

		clear(state);
		for (uint32_t i = 0; i < count; i++) {
			uint64_t start = next_random() % span;
			int64_t end = (int64_t)(start + next_random() % (span / (1 + turn % 7)));

			if (next_random() % 16 == 0)
				end = OPEN;
			else if (next_random() % 32 == 0)
				end = (int64_t)(start / 2);
			add(some_label(), start, end);
		}
		end_ranges();
		for (int i = 0; i < 100; i++) {
			uint64_t enter = next_random() % (2 * span);

			compare(next_random() % 5, enter, enter + next_random() % (span / 4));
			compare_again(next_random() % 5, enter, enter + next_random() % (span / 4));
		}
	}
	assert_true(sames > 1000);
}

static size_t found(uint32_t thread, uint64_t enter, uint64_t leave)
{
	size_t count;

	ranges_around(&ranges, thread, enter, leave, &count);
	return count;
}

static void test_edges(void **state)
{
	const struct range_label one = {.thread = 1, .name = 5}, other = {.thread = 1, .name = 6};

	(void)state;
	assert_false(ranges_any(&ranges));
	add(one, 10, 20);
	add(one, 12, 18); /* inside a range of its label */
	add(other, 20, 30);
	add(other, UINT64_MAX - 1, OPEN);
	add((struct range_label){.thread = 2, .domain = 9, .name = 5}, 0, 0);
	mark(MARK_END, 25, 99, one); /* it has no start */
	assert_true(ranges_any(&ranges));
	end_ranges();
	assert_int_equal(total, 10 + 6 + 10);
	assert_int_equal(found(1, 9, 15), 0);
	assert_int_equal(found(1, 10, 20), 1);
	assert_int_equal(found(1, 13, 14), 1);
	assert_int_equal(found(1, 20, 20), 2);
	assert_int_equal(found(1, 19, 21), 0);
	assert_int_equal(found(1, 25, 5), 1); /* ends before it begins */
	assert_int_equal(found(1, UINT64_MAX - 1, 0), 1);
	assert_int_equal(found(1, UINT64_MAX, UINT64_MAX), 0);
	assert_int_equal(found(2, 0, 0), 1);
	assert_int_equal(found(3, 0, 0), 0);
}

/* A range without an end extends to the latest time of the file. */
static void test_last_moment(void **state)
{
	const struct call call = {.frame.kind = FRAME_CALL, .enter = 40, .leave = 70};
	struct record record = {.frame.kind = FRAME_KERNEL, .enter = 60, .leave = 90};

	(void)state;
	add((struct range_label){.thread = 1, .name = 5}, 10, OPEN);
	assert_int_equal(ranges_add(&ranges, &call.frame), 0);
	assert_int_equal(ranges_add(&ranges, &record.frame), 0);
	record.frame.flags = RECORD_NO_CALL; /* `leave` is then not the time of a call */
	record.leave = 500;
	assert_int_equal(ranges_add(&ranges, &record.frame), 0);
	end_ranges();
	assert_int_equal(total, 80);
	assert_int_equal(found(1, 60, 90), 1);
	assert_int_equal(found(1, 60, 91), 0);
}

/* Starts and ends of the same id are paired in their order. */
static void test_same_ids(void **state)
{
	const struct range_label label = {.thread = 1, .name = 5};

	(void)state;
	mark(MARK_END, 40, 7, label);
	mark(MARK_START, 30, 7, label);
	mark(MARK_START, 10, 7, label);
	mark(MARK_END, 12, 7, label);
	mark(MARK_START, 50, 7, label);
	mark(MARK_END, 60, 6, label);
	sample_count = 3;
	end_ranges();
	assert_int_equal(total, 2 + 10 + 10);
	assert_int_equal(found(1, 11, 12), 1);
	assert_int_equal(found(1, 11, 13), 0);
	assert_int_equal(found(1, 31, 40), 1);
	assert_int_equal(found(1, 51, 60), 1);
}

/* One range around all others, and many nested ones: examining each range for each call would take
 * hours. */
static void test_many(void **state)
{
	enum { MANY = 300000 };
	const struct range_label outer = {.thread = 1, .name = 1}, inner = {.thread = 1, .name = 2},
				 nested = {.thread = 2, .name = 3};

	(void)state;
	mark(MARK_START, 0, 1, outer);
	for (uint64_t i = 0; i < MANY; i++) {
		mark(MARK_START, 10 * i, 4 * i + 2, inner);
		mark(MARK_END, 10 * i + 5, 4 * i + 2, inner);
		mark(MARK_START, i, 4 * i + 3, nested);
		mark(MARK_END, 2 * MANY - i, 4 * i + 3, nested);
	}
	sample_count = 2 * MANY + 1;
	end_ranges();
	for (uint64_t i = 0; i < MANY; i++) {
		assert_int_equal(found(1, 10 * i + 1, 10 * i + 2), 2);
		assert_int_equal(found(2, MANY, MANY + 1), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_random, clear, clear),
		cmocka_unit_test_setup_teardown(test_edges, clear, clear),
		cmocka_unit_test_setup_teardown(test_last_moment, clear, clear),
		cmocka_unit_test_setup_teardown(test_same_ids, clear, clear),
		cmocka_unit_test_setup_teardown(test_many, clear, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

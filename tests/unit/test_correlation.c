/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cuda/correlation.h"

enum { SLOTS = 128 };

struct slot {
	uint32_t id;
	uint32_t value;
};

#define SHAPE ((struct correlation_shape){SLOTS, sizeof(struct slot)})

static struct correlation_table table;
static uint32_t given_up; /* id of the slot that was given up last */
static int count;

static void give_up(void *slot)
{
	given_up = ((struct slot *)slot)->id;
	count++;
}

static struct slot *claim(uint32_t id)
{
	return correlation_claim(&table, SHAPE, id, give_up);
}

static int begin(void **state)
{
	(void)state;
	count = 0;
	return correlation_init(&table, SHAPE);
}

static int end(void **state)
{
	(void)state;
	memory_unmap(table.slots, SLOTS * sizeof(struct slot) + SLOTS / 8);
	return 0;
}

/* The contents of a slot are kept as long as it belongs to the same id. */
static void test_owner(void **state)
{
	struct slot *slot = claim(5);

	(void)state;
	assert_int_equal(slot->id, 5);
	slot->value = 1;
	assert_ptr_equal(claim(5), slot);
	assert_ptr_equal(correlation_slot(&table, SHAPE, 5), slot);
	assert_int_equal(slot->value, 1);
	assert_int_equal(count, 1); /* the slot was free */
	assert_int_equal(given_up, 0);
}

static void test_later_call(void **state)
{
	struct slot *slot = claim(5);

	(void)state;
	slot->value = 1;
	assert_ptr_equal(claim(5 + SLOTS), slot);
	assert_int_equal(given_up, 5);
	assert_int_equal(slot->id, 5 + SLOTS);
	assert_int_equal(slot->value, 0);
	assert_null(claim(5));
	assert_int_equal(slot->id, 5 + SLOTS);
	assert_int_equal(count, 2);
}

/* After the largest id, ids start again. */
static void test_wrapped(void **state)
{
	struct slot *slot = claim(UINT32_MAX - SLOTS + 2);

	(void)state;
	assert_ptr_equal(claim(1), slot);
	assert_int_equal(given_up, UINT32_MAX - SLOTS + 2);
	assert_null(claim(UINT32_MAX - SLOTS + 2));
}

static void test_marks(void **state)
{
	(void)state;
	correlation_mark(&table, SHAPE, 3, true);
	correlation_mark(&table, SHAPE, 2 * SLOTS + CORRELATION_WORD + 1, true);
	assert_int_equal(table.marks[0], 1 << 3);
	assert_int_equal(table.marks[1], 1 << 1);
	correlation_mark(&table, SHAPE, SLOTS + 3, false);
	assert_int_equal(table.marks[0], 0);
	assert_int_equal(table.marks[1], 1 << 1);
	/* The marks are behind the slots in memory. */
	assert_int_equal(claim(SLOTS - 1)->value, 0);
	claim(SLOTS - 1)->value = UINT32_MAX;
	assert_int_equal(table.marks[0], 0);
}

static void test_latest(void **state)
{
	struct correlation_latest latest[CORRELATION_THREADS] = {{0}};

	(void)state;
	assert_false(correlation_is_over(latest, 7, 10));
	correlation_note_latest(latest, 7, 9);
	assert_false(correlation_is_over(latest, 7, 10));
	correlation_note_latest(latest, 7, 12);
	correlation_note_latest(latest, 7, 8); /* records come in any order */
	assert_true(correlation_is_over(latest, 7, 10));
	assert_false(correlation_is_over(latest, 8, 10));
	/* Another thread replaces the entry: the first thread is unknown then. */
	correlation_note_latest(latest, 7 + CORRELATION_THREADS, 1);
	assert_false(correlation_is_over(latest, 7, 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_owner, begin, end),
		cmocka_unit_test_setup_teardown(test_later_call, begin, end),
		cmocka_unit_test_setup_teardown(test_wrapped, begin, end),
		cmocka_unit_test_setup_teardown(test_marks, begin, end),
		cmocka_unit_test_setup_teardown(test_latest, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/field.h"

#define ROW(id) (&field_rows[FIELD_##id])

static void test_every_row_is_whole(void **state)
{
	(void)state;
	for (int i = FIELD_NONE + 1; i < FIELD_COUNT; i++) {
		assert_non_null(field_rows[i].name);
		assert_non_null(field_rows[i].help);
		assert_true(field_rows[i].count == 1 || field_rows[i].count == 3);
	}
}

static void test_types_are_those_of_members(void **state)
{
	(void)state;
	assert_int_equal(ROW(RECORD_GRID)->type, FIELD_UINT64);
	assert_int_equal(ROW(RECORD_GRID)->count, 3);
	assert_int_equal(ROW(RECORD_BLOCK)->type, FIELD_UINT32);
	assert_int_equal(ROW(RECORD_BLOCK)->count, 3);
	assert_int_equal(ROW(RECORD_DIRECTION)->type, FIELD_UINT8);
	assert_int_equal(ROW(RECORD_OCCUPANCY)->type, FIELD_FLOAT);
	assert_int_equal(ROW(QUEUE_PRIORITY)->type, FIELD_INT16);
	assert_int_equal(ROW(CALL_RESULT)->offset, offsetof(struct call, result));
}

static void test_numbers(void **state)
{
	struct record record = {.frame.kind = FRAME_KERNEL, .occupancy = 0.5f};
	struct queue queue = {.priority = -3};

	(void)state;
	assert_true(field_set(ROW(RECORD_GRID), &record, 1, UINT64_C(1) << 40));
	assert_true(record.grid[1] == UINT64_C(1) << 40 && !record.grid[0] && !record.grid[2]);
	assert_true(field_get(ROW(RECORD_GRID), &record, 1) == UINT64_C(1) << 40);
	assert_true(field_set(ROW(RECORD_REGISTERS), &record, 0, UINT32_MAX));
	assert_false(field_set(ROW(RECORD_REGISTERS), &record, 0, UINT64_C(1) << 32));
	assert_true(record.registers == UINT32_MAX);
	assert_false(field_set(ROW(RECORD_DIRECTION), &record, 0, 256));
	assert_false(field_set(ROW(RECORD_OCCUPANCY), &record, 0, 1));
	assert_true(field_real(ROW(RECORD_OCCUPANCY), &record) == 0.5f);
	assert_true((int64_t)field_get(ROW(QUEUE_PRIORITY), &queue, 0) == -3);
}

static void test_known(void **state)
{
	struct record record = {.known = KNOWN_TIMES, .started = 5, .queued = 5, .submitted = 5};
	struct wait wait = {.stream = UINT32_MAX};
	struct mark mark = {.color = 1};

	(void)state;
	assert_true(field_is_known(ROW(RECORD_STARTED), &record));
	assert_false(field_is_known(ROW(RECORD_SUBMITTED), &record)); /* unknown to the driver */
	record.queued = 4;
	assert_true(field_is_known(ROW(RECORD_SUBMITTED), &record));
	assert_false(field_is_known(ROW(RECORD_GRID), &record));
	assert_false(field_is_known(ROW(WAIT_STREAM), &wait));
	wait.stream = 0;
	assert_true(field_is_known(ROW(WAIT_STREAM), &wait));
	assert_false(field_is_known(ROW(MARK_COLOR), &mark));
	mark.frame.flags = MARK_COLORED;
	assert_true(field_is_known(ROW(MARK_COLOR), &mark));
	assert_true(field_is_known(ROW(FRAME_KIND), &mark));
}

static void test_config_words(void **state)
{
	(void)state;
	assert_string_equal(field_word(ROW(RECORD_DIRECTION), DIRECTION_DEVICE), "device");
	assert_null(field_word(ROW(RECORD_DIRECTION), 3));
	assert_null(field_word(ROW(RECORD_DIRECTION), UINT64_MAX));
	assert_null(field_word(ROW(RECORD_BYTES), 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row_is_whole),
		cmocka_unit_test(test_types_are_those_of_members),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_config_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "occupancy_points.h"
#include "random.h"

/* computeprof's occupancy equals that of the CUDA toolkit's calculator: see occupancy_points.h. */

enum { POINTS = 40000, CHANGED_POINTS = 20000, LINE = 128 };

static void compare_with(const struct occupancy_device *device, const struct occupancy_point *point,
			 uint32_t capacity)
{
	uint32_t blocks = occupancy_blocks(device, &(struct occupancy_block){
		.threads = point->threads,
		.registers = point->registers,
		.shared = (uint64_t)point->static_shared + point->dynamic_shared,
		.shared_capacity = capacity,
	});
	char line[LINE];

	write_point(point, line, sizeof(line));
	if (blocks != point->blocks)
		fail_msg("%s: %u blocks of %u", line, blocks, capacity);
}

static void compare(const struct occupancy_device *device, const struct occupancy_point *point)
{
	/* The calculator's 0 means none, unlike ours: a byte has the same effect. */
	compare_with(device, point, point->capacity ? point->capacity : 1);
	if (point->capacity == point->device.shared)
		compare_with(device, point, 0);
}

/* With the table of src/model/occupancy.c, and with the driver's data. */
static void compare_both(const struct occupancy_point *point)
{
	struct occupancy_device unknown = {.compute = point->device.compute};

	compare(&unknown, point);
	compare(&point->device, point);
}

static void test_points(void **state)
{
	uint32_t seed = RANDOM_INIT + 1;
	int compared = 0;

	(void)state;
	if (!has_calculator())
		skip();
	for (int i = 0; i < POINTS; i++) {
		struct occupancy_point point;

		make_point(&point, &seed);
		if (!ask_calculator(&point))
			continue;
		compare_both(&point);
		compared++;
	}
	assert_true(compared > POINTS / 2);
}

/* The driver's data takes precedence over the table. */
static void test_changed_devices(void **state)
{
	uint32_t seed = RANDOM_INIT + 2;
	int compared = 0;

	(void)state;
	if (!has_calculator())
		skip();
	for (int i = 0; i < CHANGED_POINTS; i++) {
		struct occupancy_point point;

		make_point(&point, &seed);
		change_device(&point, &seed);
		if (!ask_calculator(&point))
			continue;
		compare(&point.device, &point);
		compared++;
	}
	assert_true(compared > CHANGED_POINTS / 2);
}

/* Reads the next line of the table that is not a comment; false at its end. */
static bool next_line(FILE *table, char *line)
{
	do {
		if (!fgets(line, LINE, table))
			return false;
		line[strcspn(line, "\n")] = '\0';
	} while (*line == '#');
	return true;
}

static FILE *open_table(void)
{
	const char *source = getenv("srcdir");
	char path[4096];
	FILE *table;

	snprintf(path, sizeof(path), "%s/tests/unit/occupancy.txt", source ? source : ".");
	table = fopen(path, "re");
	if (!table)
		fail_msg("no %s", path);
	return table;
}

static void test_table(void **state)
{
	FILE *table = open_table();
	char line[LINE];
	int count = 0;

	(void)state;
	while (next_line(table, line)) {
		struct occupancy_point point;

		if (!read_point(&point, line))
			fail_msg("not a point: %s", line);
		compare_both(&point);
		count++;
	}
	fclose(table);
	assert_int_equal(count, TABLE_POINTS);
}

/* The file is what print_occupancy prints. */
static void test_table_is_of_the_calculator(void **state)
{
	uint32_t seed = RANDOM_INIT;
	int compared = 0;
	FILE *table;

	(void)state;
	if (!has_calculator())
		skip();
	table = open_table();
	for (int i = 0; i < TABLE_POINTS; i++) {
		struct occupancy_point point;
		char line[LINE], expected[LINE];

		make_point(&point, &seed);
		assert_true(next_line(table, line));
		if (!ask_calculator(&point))
			continue;
		write_point(&point, expected, sizeof(expected));
		assert_string_equal(line, expected);
		compared++;
	}
	fclose(table);
	assert_true(compared > TABLE_POINTS / 2);
}

/* The points are varied: each device fully occupied, half occupied, and not at all. */
static void test_table_is_varied(void **state)
{
	uint32_t full = 0, none = 0, between = 0;
	FILE *table = open_table();
	char line[LINE];

	(void)state;
	while (next_line(table, line)) {
		struct occupancy_point point;

		assert_true(read_point(&point, line));
		if (!point.blocks)
			none++;
		else if (point.blocks == point.device.blocks ||
			 point.blocks * ((point.threads + 31) / 32) == point.device.threads / 32)
			full++;
		else
			between++;
	}
	fclose(table);
	assert_true(full > TABLE_POINTS / 20);
	assert_true(none > TABLE_POINTS / 20 && none < TABLE_POINTS / 2);
	assert_true(between > TABLE_POINTS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_changed_devices),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_table_is_of_the_calculator),
		cmocka_unit_test(test_table_is_varied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

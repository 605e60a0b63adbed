/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "view/stream/recent_map.h"

enum { SIZE = 8, KEYS = 12, STEPS = 20000 };

/* A model of the map: all values that were ever added. */
static struct {
	uint64_t key;
	bool is_there;
} model[STEPS];
static uint64_t added;

/* Return the number of the newest value of a key, and of the oldest of all; `added` if there is
 * none. */
static uint64_t newest(uint64_t key)
{
	for (uint64_t i = added; i; i--)
		if (model[i - 1].is_there && model[i - 1].key == key)
			return i - 1;
	return added;
}

static uint64_t oldest(void)
{
	uint64_t i = 0;

	while (i < added && !model[i].is_there)
		i++;
	return i;
}

static void check(const uint64_t *value, uint64_t number)
{
	if (number == added)
		assert_null(value);
	else
		assert_int_equal(*value, number);
}

static void add(struct recent_map *map, uint64_t key)
{
	bool is_full = added >= SIZE && model[added - SIZE].is_there;

	assert_int_equal(recent_map_is_full(map), is_full);
	*(uint64_t *)recent_map_add(map, key) = added;
	if (is_full)
		model[added - SIZE].is_there = false;
	model[added].key = key;
	model[added++].is_there = true;
}

static void test_any(void **state)
{
	struct recent_map map;
	uint64_t key, number;

	(void)state;
	assert_int_equal(recent_map_open(&map, SIZE, sizeof(uint64_t)), 0);
	for (int i = 0; i < STEPS; i++) {
		key = (uint64_t)(next_random() % KEYS) << 40;
		number = newest(key);
		check(recent_map_find(&map, key), number);
		switch (next_random() % 8) {
		case 0:
			number = oldest();
			check(recent_map_take_oldest(&map), number);
			break;
		case 1:
		case 2:
			check(recent_map_take(&map, key), number);
			break;
		default:
			add(&map, key);
			continue;
		}
		if (number < added)
			model[number].is_there = false;
	}
	recent_map_close(&map);
	recent_map_close(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_any)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <stdatomic.h>

#include <cmocka.h>

#include "base/map.h"

enum { KEYS = 100000 };

static int values[KEYS + 1];

static void test_empty(void **state)
{
	struct map map = {NULL};

	(void)state;
	assert_null(map_get(&map, 1));
	assert_null(map_get(&map, 0));
	assert_int_equal(map_set(&map, 0, values), -1);
	assert_null(map_get(&map, 0));
	map_free(&map);
	map_free(&map);
}

static void test_replace_and_forget(void **state)
{
	struct map map = {NULL};

	(void)state;
	assert_int_equal(map_set(&map, 5, &values[1]), 0);
	assert_ptr_equal(map_get(&map, 5), &values[1]);
	assert_int_equal(map_set(&map, 5, &values[2]), 0);
	assert_ptr_equal(map_get(&map, 5), &values[2]);
	assert_int_equal(map_set(&map, 5, NULL), 0);
	assert_null(map_get(&map, 5));
	assert_int_equal(map_set(&map, 5, &values[3]), 0);
	assert_ptr_equal(map_get(&map, 5), &values[3]);
	map_free(&map);
	assert_null(map_get(&map, 5));
}

/* Keys like handles (equal low bits), like pairs of ids (equal high bits), and consecutive ones. */
static void test_growth(void **state)
{
	(void)state;
	for (int shift = 0; shift <= 32; shift += 4) {
		struct map map = {NULL};

		for (uint64_t i = 1; i <= KEYS; i++)
			assert_int_equal(map_set(&map, i << shift, &values[i]), 0);
		for (uint64_t i = 1; i <= KEYS; i++)
			assert_ptr_equal(map_get(&map, i << shift), &values[i]);
		assert_null(map_get(&map, (uint64_t)(KEYS + 1) << shift));
		map_free(&map);
	}
}

static void test_forgotten_keys_stay_forgotten(void **state)
{
	struct map map = {NULL};

	(void)state;
	for (uint64_t i = 1; i <= KEYS; i++) {
		assert_int_equal(map_set(&map, i, &values[i]), 0);
		if (i > 10)
			assert_int_equal(map_set(&map, i - 10, NULL), 0);
	}
	for (uint64_t i = 1; i <= KEYS; i++)
		assert_ptr_equal(map_get(&map, i), i > KEYS - 10 ? &values[i] : NULL);
	map_free(&map);
}

struct shared {
	struct map map;
	_Atomic uint64_t added;
};

/* A value added before the look-up is found, and never that of another key. */
static void *read_along(void *argument)
{
	struct shared *shared = argument;
	uint64_t added = 0, wrong = 0;

	while (added < KEYS) {
		added = atomic_load(&shared->added);
		for (uint64_t step = 1; step <= 64; step++) {
			uint64_t key = 1 + added * step / 64;
			void *value = map_get(&shared->map, key << 6);

			if (value != &values[key] && (value || key <= added))
				wrong++;
		}
	}
	return (void *)(uintptr_t)wrong;
}

static void test_reader_beside_writer(void **state)
{
	static struct shared shared;
	pthread_t reader;
	void *wrong;

	(void)state;
	assert_int_equal(pthread_create(&reader, NULL, read_along, &shared), 0);
	for (uint64_t i = 1; i <= KEYS; i++) {
		assert_int_equal(map_set(&shared.map, i << 6, &values[i]), 0);
		atomic_store(&shared.added, i);
	}
	pthread_join(reader, &wrong);
	assert_int_equal((uintptr_t)wrong, 0);
	map_free(&shared.map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_replace_and_forget),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_forgotten_keys_stay_forgotten),
		cmocka_unit_test(test_reader_beside_writer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

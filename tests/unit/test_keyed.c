/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/stacks/keyed.h"

struct entry {
	uint32_t one, two;
	/* After the key: */
	uint64_t sum;
};

enum { ENTRIES = 20000 };

static void test_numbers(void **state)
{
	struct keyed table = {.key_size = 8, .entry_size = sizeof(struct entry)};

	(void)state;
	for (uint32_t round = 0; round < 3; round++)
		for (uint32_t i = 0; i < ENTRIES; i++) {
			const struct entry key = {.one = i % 7, .two = i, .sum = 99};
			uint32_t number = keyed_get(&table, &key);
			struct entry *entry = keyed_at(&table, number);

			assert_int_equal(number, i);
			assert_int_equal(entry->one, i % 7);
			assert_int_equal(entry->two, i);
			assert_int_equal(entry->sum, (uint64_t)round * i); /* 0 at first */
			entry->sum += i;
		}
	assert_int_equal(table.count, ENTRIES);
	keyed_free(&table);
	assert_int_equal(table.count, 0);
	assert_int_equal(keyed_get(&table, &(struct entry){.one = 5}), 0);
	keyed_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

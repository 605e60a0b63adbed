/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/slots.h"

enum { BITS = 4 };

static struct slot slots[1 << BITS];

static const uint64_t key = 0x555555554321, salt = 0xd6e8feb86659fd93;

static void test_words(void **state)
{
	struct slot *slot = slot_of(slots, BITS, key);

	(void)state;
	assert_int_equal(slot_read(slot, key, 0), 0);
	assert_int_equal(slot_read(slot, 0, 0), 0);
	slot_write(slot, key, salt, 7);
	assert_int_equal(slot_read(slot, key, salt), 7);
	assert_int_equal(slot_read(slot, key, salt + 1), 0);
	assert_int_equal(slot_read(slot, key + 1, salt), 0);
	for (uint64_t other = 0; other < 1000; other++)
		assert_in_range(slot_of(slots, BITS, other) - slots, 0, (1 << BITS) - 1);
}

/* A slot that is being written has the check of one word and the other word. No key near by may
 * match: with a check that only exclusive-ors there is one. */
static void test_half_written(void **state)
{
	struct slot *slot = slot_of(slots, BITS, key);

	(void)state;
	for (uint64_t before = 1; before < 64; before++)
		for (uint64_t after = 1; after < 64; after++) {
			slot_write(slot, key, salt, before << 10);
			atomic_store(&slot->word, after << 10);
			assert_int_equal(slot_read(slot, key ^ (before ^ after) << 10, salt),
					 before == after ? after << 10 : 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_half_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

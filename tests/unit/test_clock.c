/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"

enum { SECOND = 1000000000 };

static void test_monotonic(void **state)
{
	uint64_t last = clock_monotonic();
	struct timespec now;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint64_t next = clock_monotonic();

		assert_true(next >= last);
		last = next;
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	assert_in_range((uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec - last, 0, SECOND);
}

static void test_no_such_clock(void **state)
{
	(void)state;
	assert_int_equal(clock_read((clockid_t)12345), 0);
}

static void test_offset(void **state)
{
	int64_t there = clock_offset(CLOCK_REALTIME, CLOCK_MONOTONIC);
	int64_t back = clock_offset(CLOCK_MONOTONIC, CLOCK_REALTIME);
	uint64_t mapped = clock_monotonic() + (uint64_t)there;

	(void)state;
	assert_true(llabs(there + back) < SECOND / 100);
	assert_in_range(clock_read(CLOCK_REALTIME) + SECOND / 2 - mapped, 0, SECOND);
	assert_true(llabs(clock_offset(CLOCK_MONOTONIC, CLOCK_MONOTONIC)) < SECOND / 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_monotonic),
		cmocka_unit_test(test_no_such_clock),
		cmocka_unit_test(test_offset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

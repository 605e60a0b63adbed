/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "session/locks.h"

/* A process that was stopped as long as a driver may take has not waited for it. */
static void test_stopped(void **state)
{
	struct patience patience = patience_begin();
	int looks = 0;

	(void)state;
	assert_false(patience_is_stalled(&patience));
	nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 100000000}, NULL);
	while (!patience_is_stalled(&patience))
		looks++;
	assert_in_range(looks, 50, 200);
	/* A response starts the time again. */
	drain_call_begin();
	drain_call_end();
	assert_false(patience_is_stalled(&patience));
	assert_false(patience_is_over(&patience));
}

/* A thread that checks continuously detects it in time. */
static void test_stalled(void **state)
{
	static const struct timespec pause = {.tv_nsec = 1000000};
	struct patience patience = patience_begin();
	struct timespec begin, end;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (!patience_is_stalled(&patience))
		nanosleep(&pause, NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	assert_true(end.tv_sec - begin.tv_sec >= 1);
	assert_false(patience_is_over(&patience));
	assert_false(patience_is_stuck(&patience)); /* no driver is being called */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_stalled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Launches of other threads while a thread exits. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "session/launch_delay.h"

enum { MS = 1000000 };

/* Returns the ns for which a launch of this thread is delayed. */
static uint64_t delay(void)
{
	uint64_t begun = clock_monotonic();

	errno = ERANGE;
	launch_delay();
	assert_int_equal(errno, ERANGE);
	return clock_monotonic() - begun;
}

static void *delay_here(void *result)
{
	*(uint64_t *)result = delay();
	return NULL;
}

static uint64_t delay_elsewhere(void)
{
	pthread_t thread;
	uint64_t result;

	assert_int_equal(pthread_create(&thread, NULL, delay_here, &result), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	return result;
}

static void test_delay(void **state)
{
	uint64_t begun = clock_monotonic();

	(void)state;
	launch_delay_begin();
	delay();
	assert_true(launch_delay_until != 0); /* this thread has not waited for its end */
	delay_elsewhere();
	assert_true(clock_monotonic() - begun >= 500 * MS);
	assert_int_equal(launch_delay_until, 0);
}

/* It begins again while a thread is delayed. */
static void test_again(void **state)
{
	uint64_t begun = clock_monotonic(), again, result = 0;
	pthread_t thread;

	(void)state;
	launch_delay_begin();
	assert_int_equal(pthread_create(&thread, NULL, delay_here, &result), 0);
	while ((again = clock_monotonic()) - begun < 50 * MS)
		;
	launch_delay_begin();
	assert_int_equal(pthread_join(thread, NULL), 0);
	/* Otherwise a loaded machine may have let it go before. */
	if (again - begun < 450 * MS)
		assert_true(clock_monotonic() - again >= 500 * MS);
}

static void test_forked(void **state)
{
	(void)state;
	launch_delay_begin();
	launch_delay_forked();
	assert_int_equal(launch_delay_until, 0);
	delay_elsewhere();
	assert_int_equal(launch_delay_until, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delay),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_forked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* CUPTI's clock when the machine's clock is set or the machine sleeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cuda/cupti_clock.h"
#include "backend/cuda/functions.h"
#include "base/clock.h"
#include "session/session.h"

#define HOUR INT64_C(3600000000000)

/* Stubs of the session and the clocks for cupti_clock.c. */
static struct catalog catalog;
static int64_t difference; /* of CLOCK_REALTIME from CLOCK_MONOTONIC */
static int64_t ahead;	   /* of CUPTI's clock from CLOCK_REALTIME */

struct cupti_functions cupti;

const struct catalog *session_catalog(void)
{
	return &catalog;
}

int64_t clock_offset(clockid_t id, clockid_t other)
{
	(void)other;
	return id == CLOCK_REALTIME ? difference : -difference;
}

static int now(uint64_t *stamp)
{
	*stamp = clock_read(CLOCK_REALTIME) + (uint64_t)ahead;
	return CUPTI_DONE;
}

static int begin(void **state)
{
	(void)state;
	cupti.GetTimestamp = now;
	difference = catalog.process.monotonic_to_epoch = 1000 * HOUR + 7;
	ahead = 0;
	cupti_clock_compare();
	return 0;
}

static void test_as_they_are(void **state)
{
	(void)state;
	assert_int_equal(cupti_clock_epoch(2000 * HOUR), 2000 * HOUR);
	assert_int_equal(cupti_clock_monotonic(2000 * HOUR), 1000 * HOUR - 7);
	difference += 500; /* measured a little differently */
	cupti_clock_check();
	assert_int_equal(cupti_clock_monotonic(2000 * HOUR), 1000 * HOUR - 7);
}

static void set_by(int64_t step)
{
	difference += step;
	cupti_clock_check();
	assert_int_equal(cupti_clock_epoch((uint64_t)(2000 * HOUR + step)), 2000 * HOUR + step);
	assert_int_equal(cupti_clock_monotonic((uint64_t)(2000 * HOUR + step)), 1000 * HOUR - 7);
}

static void test_the_clock_is_set(void **state)
{
	(void)state;
	set_by(HOUR);
	begin(NULL);
	set_by(-HOUR);
}

/* A clock that is never set: device times are converted to CLOCK_REALTIME as of the start. */
static void test_another_clock(void **state)
{
	uint64_t stamp, before, after;

	(void)state;
	ahead = -500 * HOUR;
	cupti_clock_compare();
	before = clock_read(CLOCK_REALTIME);
	now(&stamp);
	after = clock_read(CLOCK_REALTIME);
	assert_in_range(cupti_clock_epoch(stamp), before - 10000000, after + 10000000);
	assert_int_equal(cupti_clock_epoch(stamp) - cupti_clock_monotonic(stamp), 1000 * HOUR + 7);
	before = cupti_clock_monotonic(stamp);
	difference += HOUR;
	cupti_clock_check();
	assert_int_equal(cupti_clock_monotonic(stamp), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_as_they_are, begin),
		cmocka_unit_test_setup(test_the_clock_is_set, begin),
		cmocka_unit_test_setup(test_another_clock, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Calls and what the device did for them, in every order in which they may come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cuda/match.h"
#include "backend/cuda/stamps.h"
#include "base/clock.h"
#include "session/session.h"

/* The session and CUPTI's clock: what is handed on, and times as they are. */
enum { MOST = 16, SLOTS = 1 << 17 };
static struct record taken[MOST];
static int count;
static uint32_t newest; /* correlation */

void session_take(struct record *record)
{
	assert_true(count < MOST);
	taken[count++] = *record;
}

uint64_t stamps_epoch(uint64_t stamp)
{
	return stamp;
}

uint64_t stamps_monotonic(uint64_t stamp)
{
	return stamp;
}

static int begin(void **state)
{
	(void)state;
	match_hand_on(true);
	match_settle(0);
	newest += 1000;
	count = 0;
	return 0;
}

enum { DRIVER, RUNTIME };

/* A launch of the thread that lasts from `enter` to `leave`, in ns from an hour ago. */
static void call(uint32_t thread, int runtime, uint32_t correlation, uint64_t enter, uint64_t leave)
{
	match_add_call(&(struct match_call){
		.correlation = newest + correlation,
		.thread = newest + thread,
		.kind = CALL_LAUNCH,
		.runtime = runtime,
		.enter = enter,
		.leave = leave,
	});
}

static void work(uint32_t correlation, uint64_t started)
{
	struct record record = {
		.frame.kind = FRAME_KERNEL,
		.started = started,
		.ended = started + 5,
		.known = KNOWN_TIMES,
	};

	match_add_work(&record, correlation ? newest + correlation : 0);
}

static void assert_row(int row, uint64_t enter, uint64_t leave, uint64_t started)
{
	assert_true(row < count);
	assert_int_equal(taken[row].enter, enter);
	assert_int_equal(taken[row].leave, leave);
	assert_int_equal(taken[row].started, started);
	assert_int_equal(taken[row].ended, started + 5);
	assert_false(taken[row].frame.flags & RECORD_CALLLESS);
}

static void assert_callless(int row, uint64_t enter, uint64_t started)
{
	assert_true(row < count);
	assert_int_equal(taken[row].enter, enter);
	assert_int_equal(taken[row].started, started);
	assert_true(taken[row].frame.flags & RECORD_CALLLESS);
}

static void test_either_order(void **state)
{
	(void)state;
	call(7, RUNTIME, 1, 100, 110);
	work(1, 200);
	work(2, 300);
	assert_int_equal(match_hand_on(false), 1);
	assert_row(0, 100, 110, 200);
	assert_int_equal(taken[0].frame.thread, newest + 7);
	call(7, RUNTIME, 2, 120, 133);
	assert_int_equal(match_hand_on(false), 1);
	assert_row(1, 120, 133, 300);
	assert_int_equal(match_hand_on(true), 0);
}

static void test_nested(void **state)
{
	(void)state;
	call(7, DRIVER, 1, 102, 108);
	work(1, 200);
	assert_int_equal(match_hand_on(false), 0);
	call(7, RUNTIME, 1, 100, 110);
	assert_int_equal(match_hand_on(false), 1);
	assert_row(0, 100, 110, 200);
	/* And the other way round. */
	call(7, RUNTIME, 2, 120, 130);
	call(7, DRIVER, 2, 122, 128);
	work(2, 300);
	assert_int_equal(match_hand_on(false), 1);
	assert_row(1, 120, 130, 300);
}

static void test_driver_alone(void **state)
{
	(void)state;
	call(7, DRIVER, 1, 102, 108);
	work(1, 200);
	call(8, DRIVER, 2, 150, 160); /* proves nothing about thread 7 */
	assert_int_equal(match_hand_on(false), 0);
	call(7, DRIVER, 3, 170, 180);
	assert_int_equal(match_hand_on(false), 1);
	assert_row(0, 102, 108, 200);
	work(3, 400);
	assert_int_equal(match_hand_on(false), 0);
	assert_int_equal(match_hand_on(true), 1);
	assert_row(1, 170, 180, 400);
}

static void test_graph(void **state)
{
	(void)state;
	work(1, 300);
	work(1, 200);
	work(1, 250);
	call(7, RUNTIME, 1, 100, 110);
	assert_int_equal(match_hand_on(false), 3);
	assert_row(0, 100, 110, 200);
	assert_callless(1, 100, 250);
	assert_callless(2, 100, 300);
	work(1, 400); /* in a buffer that came later */
	assert_int_equal(match_hand_on(false), 1);
	assert_callless(3, 100, 400);
}

static void test_nobodys(void **state)
{
	(void)state;
	work(0, 300);
	assert_callless(0, 300, 300);
	work(1, 400);
	assert_int_equal(match_hand_on(false), 0);
	assert_int_equal(match_hand_on(true), 1);
	assert_callless(1, 400, 400);
}

static void test_horizon(void **state)
{
	uint64_t now = clock_monotonic(), late = now - 500000000;

	(void)state;
	assert_in_range(match_horizon(), now - 1000000000, now - 900000000);
	call(7, RUNTIME, 1, now - 3000000000u, now - 3000000000u + 9);
	call(7, RUNTIME, 2, late, late + 9);
	assert_int_equal(match_horizon(), now - 3000000000u);
	assert_true(match_is_waiting(now));
	assert_false(match_is_waiting(now - 4000000000u));
	work(1, now - 2000000000);
	match_hand_on(false);
	assert_in_range(match_horizon(), now - 1000000000, now - 900000000);
	assert_true(match_is_waiting(now));
	/* All has come but for the second's kernel: that is lost, and nothing waits for it. */
	assert_int_equal(match_settle(now), 1);
	assert_int_equal(match_horizon(), now);
	assert_false(match_is_waiting(now));
	match_settle(0);
}

static void test_a_copy_may_never_come(void **state)
{
	uint64_t now = clock_monotonic();
	struct match_call copy = {
		.correlation = newest + 1,
		.kind = CALL_COPY,
		.runtime = true,
		.enter = now - 1500000000,
		.leave = now - 1400000000,
	};

	(void)state;
	match_add_call(&copy);
	assert_int_equal(match_horizon(), copy.enter);
	assert_false(match_is_waiting(now));
	copy.correlation++;
	copy.enter -= 1000000000;
	match_add_call(&copy);
	assert_int_equal(match_horizon(), now - 1500000000);
	assert_int_equal(match_settle(now), 0);
	match_settle(0);
}

/* CUPTI of CUDA 8 has no name for graphs. */
static void test_a_call_without_a_name(void **state)
{
	uint64_t now = clock_monotonic(), early = now - 3000000000u;
	const struct match_call launch = {
		.correlation = newest + 1,
		.kind = CALL_OTHER,
		.runtime = true,
		.enter = early,
		.leave = early + 9,
	};

	(void)state;
	match_add_call(&launch);
	assert_in_range(match_horizon(), now - 1000000000, now - 900000000);
	work(1, early + 20);
	assert_int_equal(match_hand_on(false), 1);
	assert_row(0, early, early + 9, early + 20);
}

static void test_unwanted(void **state)
{
	uint64_t now = clock_monotonic(), early = now - 3000000000u;

	(void)state;
	call(7, RUNTIME, 1, early, early + 9);
	match_add_nothing(newest + 1);
	match_add_nothing(newest + 2);
	call(7, RUNTIME, 2, early, early + 9);
	assert_in_range(match_horizon(), now - 1000000000, now - 900000000);
	/* A graph may have other kernels, and the first of those has the call's time. */
	work(1, early + 20);
	match_hand_on(false);
	assert_row(0, early, early + 9, early + 20);
}

/* Whoever needs a slot gets it: what its former owner waits for has had more than enough time. */
static void test_reused_slot(void **state)
{
	(void)state;
	call(7, DRIVER, 1, 102, 108);
	work(1, 200);
	call(7, RUNTIME, 1 + SLOTS, 1000, 1010);
	assert_int_equal(count, 1);
	assert_row(0, 102, 108, 200);
	work(1, 210); /* too late */
	assert_int_equal(count, 2);
	assert_callless(1, 210, 210);
	work(1 + SLOTS, 1100);
	match_hand_on(false);
	assert_row(2, 1000, 1010, 1100);
	newest += SLOTS;
}

/* Correlation ids are 32 bits. */
static void test_wrapped(void **state)
{
	uint32_t before = newest;

	(void)state;
	newest = UINT32_MAX - 2;
	call(7, RUNTIME, 1, 100, 110);
	call(7, RUNTIME, 4, 120, 130); /* 1 */
	work(4, 300);
	work(1, 200);
	assert_int_equal(match_hand_on(false), 2);
	newest = before;
}

static void test_no_stamps(void **state)
{
	struct record record = {.frame = {.kind = FRAME_KERNEL, .flags = RECORD_BAD_TIMES}};
	uint64_t now = clock_monotonic();

	(void)state;
	call(7, RUNTIME, 1, 100, 110);
	match_add_work(&record, newest + 1);
	match_add_work(&record, 0);
	match_hand_on(false);
	assert_int_equal(count, 2);
	assert_in_range(taken[0].enter, now, now + 1000000000);
	assert_int_equal(taken[1].enter, 100);
	assert_int_equal(taken[1].leave, 110);
	assert_int_equal(taken[1].known, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_either_order, begin),
		cmocka_unit_test_setup(test_nested, begin),
		cmocka_unit_test_setup(test_driver_alone, begin),
		cmocka_unit_test_setup(test_graph, begin),
		cmocka_unit_test_setup(test_nobodys, begin),
		cmocka_unit_test_setup(test_horizon, begin),
		cmocka_unit_test_setup(test_a_copy_may_never_come, begin),
		cmocka_unit_test_setup(test_a_call_without_a_name, begin),
		cmocka_unit_test_setup(test_unwanted, begin),
		cmocka_unit_test_setup(test_reused_slot, begin),
		cmocka_unit_test_setup(test_no_stamps, begin),
		cmocka_unit_test_setup(test_wrapped, begin),
	};

	return match_init() || cmocka_run_group_tests(tests, NULL, NULL);
}

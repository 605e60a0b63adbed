/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backend/cuda/pending_uses.h"
#include "session/session.h"

enum { CALLS = 1 << 17, USES = 1 << 18, RECORD = 1000 };

/* Stubs of the session. */
static struct use last;
static uint64_t taken, sum, lost;

void session_take_event(struct frame *event)
{
	last = *(const struct use *)(const void *)event;
	assert_int_equal(last.frame.kind, FRAME_USE);
	taken++;
	sum += last.offset;
}

uint64_t session_last_correlation(void)
{
	return RECORD;
}

void session_lost_events(uint64_t count)
{
	lost += count;
}

static int begin(void **state)
{
	(void)state;
	taken = sum = lost = 0;
	return 0;
}

static void add(uint32_t correlation, uint64_t count)
{
	for (uint64_t i = 1; i <= count; i++)
		pending_uses_add(correlation, &(struct use){.frame.flags = USE_PARTIAL,
							    .address = correlation,
							    .offset = i,
							    .bytes = 4,
							    .access = USE_WRITE,
							    .argument = 7});
}

static void deliver(uint32_t correlation, enum frame_kind kind)
{
	pending_uses_deliver(correlation, &(struct record){.frame = {.kind = (uint16_t)kind,
								     .thread = 3,
								     .stack = 5},
							   .enter = 9});
}

static void test_once(void **state)
{
	(void)state;
	add(10, 3);
	deliver(11, FRAME_KERNEL);
	assert_int_equal(taken, 0);
	deliver(10, FRAME_KERNEL);
	assert_int_equal(taken, 3);
	assert_int_equal(last.frame.thread, 3);
	assert_int_equal(last.frame.stack, 0);
	assert_int_equal(last.frame.flags, USE_PARTIAL);
	assert_int_equal(last.enter, 9);
	assert_int_equal(last.address, 10);
	assert_int_equal(last.offset, 3);
	assert_int_equal(last.bytes, 4);
	assert_int_equal(last.access, USE_WRITE);
	assert_int_equal(last.argument, 7);
	assert_int_equal(last.api, API_CUDA);
	assert_int_equal(last.record, RECORD);
	deliver(10, FRAME_KERNEL); /* another record of the call */
	assert_int_equal(taken, 3);
	add(12, 1);
	deliver(12, FRAME_NONE); /* not recorded */
	assert_int_equal(last.record, 0);
	assert_int_equal(last.frame.stack, 5);
	assert_int_equal(lost, 0);
}

static void test_failed(void **state)
{
	(void)state;
	add(20, 2);
	pending_uses_drop(20);
	pending_uses_drop(21);
	deliver(20, FRAME_COPY);
	assert_int_equal(taken, 0);
	assert_int_equal(lost, 0);
}

/* Several threads note their uses at the same time; a call may have many. */
static void test_mixed(void **state)
{
	(void)state;
	for (int i = 0; i < 300; i++) {
		add(30, 1);
		add(31, 2);
	}
	deliver(31, FRAME_KERNEL);
	assert_int_equal(taken, 600);
	assert_int_equal(last.address, 31);
	assert_int_equal(sum, 900);
	deliver(30, FRAME_KERNEL);
	assert_int_equal(taken, 900);
	assert_int_equal(lost, 0);
}

/* Uses that are overwritten, or whose place another call has taken, are counted as lost. */
static void test_too_many(void **state)
{
	(void)state;
	add(40, 100);
	add(41, USES - 50);
	deliver(40, FRAME_KERNEL);
	assert_int_equal(taken, 50);
	assert_int_equal(lost, 50);
	deliver(40, FRAME_KERNEL);
	assert_int_equal(lost, 50);
	deliver(41, FRAME_KERNEL);
	assert_int_equal(taken, USES);
	assert_int_equal(lost, 50);
	add(42, 1);
	add(42 + CALLS, 1);
	deliver(42, FRAME_KERNEL);
	assert_int_equal(taken, USES);
	assert_int_equal(lost, 51);
	deliver(42 + CALLS, FRAME_KERNEL);
	assert_int_equal(taken, USES + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_once, begin),
		cmocka_unit_test_setup(test_failed, begin),
		cmocka_unit_test_setup(test_mixed, begin),
		cmocka_unit_test_setup(test_too_many, begin),
	};

	if (pending_uses_start())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

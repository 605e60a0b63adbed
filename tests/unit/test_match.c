/* SPDX-License-Identifier: MIT */
/* Calls and their device work, in every possible order of delivery. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "match_stubs.h"

static void test_either_order(void **state)
{
	(void)state;
	call(7, RUNTIME, 1, 100, 110);
	work(1, 200);
	work(2, 300);
	assert_int_equal(match_deliver(false), 1);
	assert_row(0, 100, 110, 200);
	assert_int_equal(taken[0].frame.thread, newest + 7);
	assert_int_equal(made_count, 1);
	assert_int_equal(made_by[0], 1);
	call(7, RUNTIME, 2, 120, 133);
	assert_int_equal(match_deliver(false), 1);
	assert_row(1, 120, 133, 300);
	assert_int_equal(made_count, 2);
	assert_int_equal(made_by[1], 2);
	assert_int_equal(match_deliver(true), 0);
}

static void test_nested(void **state)
{
	(void)state;
	call(7, DRIVER, 1, 102, 108);
	work(1, 200);
	assert_int_equal(match_deliver(false), 0);
	call(7, RUNTIME, 1, 100, 110);
	assert_int_equal(match_deliver(false), 1);
	assert_row(0, 100, 110, 200);
	/* The reverse order. */
	call(7, RUNTIME, 2, 120, 130);
	call(7, DRIVER, 2, 122, 128);
	work(2, 300);
	assert_int_equal(match_deliver(false), 1);
	assert_row(1, 120, 130, 300);
}

static void test_driver_alone(void **state)
{
	(void)state;
	call(7, DRIVER, 1, 102, 108);
	work(1, 200);
	call(8, DRIVER, 2, 150, 160); /* does not affect thread 7 */
	assert_int_equal(match_deliver(false), 0);
	call(7, DRIVER, 3, 170, 180);
	assert_int_equal(match_deliver(false), 1);
	assert_row(0, 102, 108, 200);
	work(3, 400);
	assert_int_equal(match_deliver(false), 0);
	assert_int_equal(match_deliver(true), 1);
	assert_row(1, 170, 180, 400);
}

static void test_graph(void **state)
{
	(void)state;
	work(1, 300);
	work(1, 200);
	work(1, 250);
	call(7, RUNTIME, 1, 100, 110);
	assert_int_equal(match_deliver(false), 3);
	assert_row(0, 100, 110, 200);
	assert_no_call(1, 100, 250);
	assert_no_call(2, 100, 300);
	work(1, 400); /* in a later buffer */
	assert_int_equal(match_deliver(false), 1);
	assert_no_call(3, 100, 400);
}

static void test_without_call(void **state)
{
	(void)state;
	work(0, 300);
	assert_no_call(0, 300, 300);
	work(1, 400);
	assert_int_equal(match_deliver(false), 0);
	assert_int_equal(match_deliver(true), 1);
	assert_no_call(1, 400, 400);
}

/* A later call gets the slot. The work of the earlier call is delivered first: it has waited long
 * enough. */
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
	assert_no_call(1, 210, 210);
	work(1 + SLOTS, 1100);
	match_deliver(false);
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
	call(7, RUNTIME, 4, 120, 130); /* its id is 1 */
	work(4, 300);
	work(1, 200);
	assert_int_equal(match_deliver(false), 2);
	newest = before;
}

/* Work is delivered in launch order, whatever the order of its arrival. */
static void test_launch_order(void **state)
{
	static const uint32_t ids[] = {70, 3, 200, 1};

	(void)state;
	newest |= SLOTS - 100; /* some ids are beyond the last slot */
	for (int i = 0; i < 4; i++)
		work(ids[i], 1000 + ids[i]);
	for (int i = 0; i < 4; i++)
		call(7, RUNTIME, ids[i], 100 + ids[i], 200 + ids[i]);
	assert_int_equal(match_deliver(false), 4);
	assert_row(0, 101, 201, 1001);
	assert_row(1, 103, 203, 1003);
	assert_row(2, 170, 270, 1070);
	assert_row(3, 300, 400, 1200);
}

static void test_no_stamps(void **state)
{
	struct record record = {.frame = {.kind = FRAME_KERNEL, .flags = RECORD_BAD_TIMES}};
	uint64_t now = clock_monotonic();

	(void)state;
	call(7, RUNTIME, 1, 100, 110);
	match_add_work(&record, newest + 1);
	match_add_work(&record, 0);
	match_deliver(false);
	assert_int_equal(count, 2);
	assert_int_equal(made_count, 1); /* the second piece belongs to no call */
	assert_in_range(taken[0].enter, now, now + 1000000000);
	assert_int_equal(taken[1].enter, 100);
	assert_int_equal(taken[1].leave, 110);
	assert_int_equal(taken[1].known, 0);
	assert_int_equal(taken[0].frame.stack, 0);
	assert_int_equal(taken[1].frame.stack, newest + 2); /* of its call */
}

/* A command of a graph also has the stack of its node; the number of the node is not written. */
static void test_graph_node(void **state)
{
	struct record record = {
		.frame = {.kind = FRAME_KERNEL}, .started = 1, .ended = 2, .handle = 70};

	(void)state;
	call(7, RUNTIME, 1, 100, 110);
	match_add_work(&record, newest + 1);
	record.handle = 0;
	match_add_work(&record, newest + 1);
	record.frame.kind = FRAME_COPY;
	record.handle = 70;
	match_add_work(&record, newest + 1);
	match_deliver(false);
	assert_int_equal(count, 3);
	assert_int_equal(taken[0].frame.stack, newest + 2 + 70);
	assert_int_equal(taken[1].frame.stack, newest + 2);
	assert_int_equal(taken[2].frame.stack, newest + 2 + 70);
	for (int i = 0; i < 3; i++)
		assert_int_equal(taken[i].handle, 0);
}

/* Uses of memory are delivered after their record, also of a kernel that is not logged. */
static void test_uses(void **state)
{
	const struct record record = {.frame.kind = FRAME_KERNEL, .started = 1, .ended = 2};

	(void)state;
	pending_uses_on = true;
	call(7, RUNTIME, 1, 100, 110);
	work(1, 200);
	assert_int_equal(match_deliver(false), 1);
	assert_int_equal(used_count, 1);
	assert_int_equal(used_by[0], 1);
	call(7, RUNTIME, 3, 120, 130);
	match_add_filtered(&record, newest + 3);
	match_deliver(false);
	assert_int_equal(used_count, 2);
	assert_int_equal(used_by[1], 3);
	assert_int_equal(count, 1);
	match_add_work(&record, 0); /* of no call */
	match_deliver(true);
	assert_int_equal(used_count, 2);
	pending_uses_on = false;
}

/* The call of unwanted work does not wait for it, and api_event.c is notified. */
static void test_unwanted(void **state)
{
	const struct record record = {.frame.kind = FRAME_KERNEL, .started = 1, .ended = 2};

	(void)state;
	call(7, RUNTIME, 3, 100, 110);
	match_add_filtered(&record, newest + 3);
	assert_int_equal(nothing_of, 3);
	assert_int_equal(match_deliver(true), 0);
	assert_int_equal(made_count, 0);
}

/* Only work that still waits is a backlog. */
static void test_backlog(void **state)
{
	enum { HALF = 1 << 15 };

	(void)state;
	ignores_records = true;
	for (uint32_t i = 0; i <= HALF; i++) {
		work(1, 200);
		match_deliver(true);
	}
	assert_false(match_has_backlog());
	for (uint32_t i = 0; i <= HALF; i++) {
		assert_false(match_has_backlog());
		call(7, RUNTIME, 2, 100, 110);
		work(2, 200);
	}
	assert_true(match_has_backlog());
	assert_int_equal(match_deliver_certain(), HALF + 1);
	assert_false(match_has_backlog());
	ignores_records = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_either_order, begin),
		cmocka_unit_test_setup(test_nested, begin),
		cmocka_unit_test_setup(test_driver_alone, begin),
		cmocka_unit_test_setup(test_graph, begin),
		cmocka_unit_test_setup(test_without_call, begin),
		cmocka_unit_test_setup(test_uses, begin),
		cmocka_unit_test_setup(test_unwanted, begin),
		cmocka_unit_test_setup(test_reused_slot, begin),
		cmocka_unit_test_setup(test_launch_order, begin),
		cmocka_unit_test_setup(test_no_stamps, begin),
		cmocka_unit_test_setup(test_graph_node, begin),
		cmocka_unit_test_setup(test_backlog, begin),
		cmocka_unit_test_setup(test_wrapped, begin),
	};

	return match_init() || cmocka_run_group_tests(tests, NULL, NULL);
}

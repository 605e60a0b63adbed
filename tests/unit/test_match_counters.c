/* SPDX-License-Identifier: MIT */
/* Kernels and their counter values, which are delivered separately. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/cuda/counters/counter_values.h"
#include "match_stubs.h"

static void graph(uint32_t thread, uint32_t correlation, uint64_t enter, uint64_t leave)
{
	match_add_call(&(struct match_call){
		.correlation = newest + correlation,
		.thread = newest + thread,
		.kind = CALL_GRAPH,
		.runtime = true,
		.enter = enter,
		.leave = leave,
	});
}

static void node(uint32_t correlation, uint64_t started, uint64_t number)
{
	struct record record = {
		.frame.kind = FRAME_KERNEL,
		.started = started,
		.ended = started + 5,
		.known = KNOWN_TIMES,
		.handle = number,
	};

	match_add_work(&record, newest + correlation);
}

static void copy(uint32_t correlation, uint64_t started)
{
	struct record record = {
		.frame.kind = FRAME_COPY, .started = started, .ended = started + 5,
		.known = KNOWN_TIMES};

	match_add_work(&record, newest + correlation);
}

static void value(uint32_t correlation, double first)
{
	const double values[] = {first, 1};

	counter_values_add(newest + correlation, values, 2);
}

static void assert_value(int row, uint64_t started, double first)
{
	assert_true(row < count);
	assert_int_equal(taken[row].started, started);
	assert_int_equal(value_count[row], first != 0 ? 2 : 0);
	assert_true(first_value[row] == first);
}

static void test_waits(void **state)
{
	(void)state;
	counter_values_expect(newest + 1);
	call(7, RUNTIME, 1, 100, 110);
	call(7, RUNTIME, 2, 120, 130);
	work(1, 200);
	work(2, 300);
	assert_int_equal(match_deliver(false), 1);
	assert_value(0, 300, 0); /* it is not measured */
	value(1, 42);
	assert_int_equal(match_deliver(false), 0);
	counter_values_complete(newest + 1);
	assert_int_equal(match_deliver(false), 1);
	assert_value(1, 200, 42);
	assert_false(taken[1].frame.flags & RECORD_NO_CALL);
}

/* At exit everything is delivered without waiting. */
static void test_waits_no_longer(void **state)
{
	(void)state;
	counter_values_expect(newest + 1);
	counter_values_expect(newest + 2);
	call(7, RUNTIME, 1, 100, 110);
	call(7, RUNTIME, 2, 120, 130);
	work(1, 200);
	work(2, 300);
	value(2, 5);
	assert_int_equal(match_deliver(false), 0);
	assert_int_equal(match_deliver(true), 2);
	assert_value(0, 200, 0);
	assert_value(1, 300, 5);
	counter_values_complete(newest + 1);
	counter_values_complete(newest + 2);
}

static void test_graph(void **state)
{
	(void)state;
	counter_values_expect(newest + 1);
	graph(7, 1, 100, 110);
	node(1, 250, 12);
	copy(1, 150);
	node(1, 200, 11);
	node(1, 300, 12); /* the node of the loop again */
	value(1, 1001);
	value(1, 1002);
	value(1, 1003);
	counter_values_complete(newest + 1);
	assert_int_equal(match_deliver(false), 4);
	assert_value(0, 150, 0);
	assert_value(1, 200, 1001);
	assert_value(2, 250, 1002);
	assert_value(3, 300, 1003);
}

/* CUPTI may record each pass of a measured kernel. */
static void test_passes(void **state)
{
	(void)state;
	counter_values_expect(newest + 1);
	call(7, RUNTIME, 1, 100, 110);
	work(1, 210);
	work(1, 200);
	value(1, 42);
	counter_values_complete(newest + 1);
	match_deliver(false);
	assert_int_equal(count, 1);
	assert_value(0, 200, 42);
	work(1, 220); /* in a later buffer */
	match_deliver(false);
	assert_int_equal(count, 1);
	/* Without measurement every recorded kernel has a row. */
	call(7, RUNTIME, 2, 120, 130);
	work(2, 300);
	work(2, 310);
	match_deliver(false);
	assert_int_equal(count, 3);
}

static void test_passes_of_graph(void **state)
{
	(void)state;
	counter_values_expect(newest + 1);
	graph(7, 1, 100, 110);
	for (uint64_t i = 0; i < 3; i++) {
		node(1, 200 + i, 11);
		node(1, 300 + i, 12);
	}
	value(1, 1001);
	value(1, 1002);
	counter_values_complete(newest + 1);
	match_deliver(false);
	assert_int_equal(count, 2);
	assert_value(0, 200, 1001);
	assert_value(1, 300, 1002);
	node(1, 303, 12);
	match_deliver(false);
	assert_int_equal(count, 2);
	node(1, 400, 13); /* it has no values */
	match_deliver(false);
	assert_value(2, 400, 0);
}

/* A kernel that is not logged has values, too. */
static void test_unwanted(void **state)
{
	struct record record = {
		.frame.kind = FRAME_KERNEL, .started = 200, .ended = 205, .known = KNOWN_TIMES};

	(void)state;
	counter_values_expect(newest + 1);
	counter_values_expect(newest + 2);
	graph(7, 1, 100, 110);
	call(7, RUNTIME, 2, 120, 130);
	match_add_filtered(&record, newest + 1);
	match_add_filtered(&record, newest + 2);
	match_add_filtered(&record, newest + 3); /* it is not measured */
	node(1, 300, 12);
	value(1, 1001);
	value(1, 1002);
	value(2, 1003);
	counter_values_complete(newest + 1);
	counter_values_complete(newest + 2);
	assert_int_equal(match_deliver(false), 3);
	assert_int_equal(count, 1);
	assert_value(0, 300, 1002);
	assert_false(taken[0].frame.flags & RECORD_NO_CALL); /* it has the call's time */
	assert_int_equal(counter_values_left(newest + 2), 0); /* they were dropped */
}

/* The kernels of a graph may be in several buffers, in any order. If one is missing, the values
 * cannot be assigned. */
static void test_graph_in_pieces(void **state)
{
	(void)state;
	counter_values_expect(newest + 1);
	counter_values_expect(newest + 2);
	graph(7, 1, 100, 110);
	graph(7, 2, 120, 130);
	node(1, 300, 12);
	node(2, 400, 12);
	for (uint32_t i = 1; i <= 2; i++) {
		value(i, 1001);
		value(i, 1002);
		counter_values_complete(newest + i);
	}
	assert_int_equal(match_deliver(false), 0);
	node(1, 200, 11);
	assert_int_equal(match_deliver(false), 2);
	assert_value(0, 200, 1001);
	assert_value(1, 300, 1002);
	usleep(520000);
	assert_int_equal(match_deliver(false), 1);
	assert_value(2, 400, 0);
	node(2, 500, 13);
	match_deliver(false);
	assert_value(3, 500, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_waits, begin),
		cmocka_unit_test_setup(test_waits_no_longer, begin),
		cmocka_unit_test_setup(test_graph, begin),
		cmocka_unit_test_setup(test_passes, begin),
		cmocka_unit_test_setup(test_passes_of_graph, begin),
		cmocka_unit_test_setup(test_unwanted, begin),
		cmocka_unit_test_setup(test_graph_in_pieces, begin),
	};

	return match_init() || counter_values_init() || cmocka_run_group_tests(tests, NULL, NULL);
}

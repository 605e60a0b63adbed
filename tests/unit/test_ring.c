/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sched.h>

#include <cmocka.h>

#include "frames.h"

static void test_empty(void **state)
{
	struct ring *ring = new_ring(WHOLE);
	uint64_t at = 0;

	(void)state;
	assert_null(ring_peek(ring));
	assert_int_equal(ring_used(ring), 0);
	assert_null(ring_walk(ring, WHOLE, &at));
	/* A frame is visible after its commit and not before. */
	assert_non_null(ring_reserve(ring, 24));
	assert_null(ring_peek(ring));
	assert_null(ring_walk(ring, WHOLE, &at));
	free(ring);
}

static void test_odd_size(void **state)
{
	struct ring *ring = new_ring(WHOLE + 5);

	(void)state;
	assert_int_equal(ring->capacity, DATA);
	free(ring);
}

static void test_full_to_the_last_byte(void **state)
{
	struct ring *ring = new_ring(WHOLE);

	(void)state;
	for (uint64_t i = 0; i < DATA / 64; i++)
		assert_true(put(ring, 64, i));
	assert_int_equal(ring_used(ring), DATA);
	assert_false(put(ring, 16, 99));
	expect(ring, 64, 0);
	assert_true(put(ring, 64, 100));
	assert_false(put(ring, 16, 99));
	for (uint64_t i = 1; i < DATA / 64; i++)
		expect(ring, 64, i);
	expect(ring, 64, 100);
	assert_null(ring_peek(ring));
	free(ring);
}

static void test_greater_than_the_ring(void **state)
{
	struct ring *ring = new_ring(WHOLE);

	(void)state;
	assert_null(ring_reserve(ring, DATA + 8));
	assert_true(put(ring, DATA, 3));
	expect(ring, DATA, 3);
	assert_true(put(ring, DATA, 4));
	expect(ring, DATA, 4);
	free(ring);
}

/* Every possible rest at the end of the data, from 8 bytes on, is padded and skipped. */
static void test_pad(void **state)
{
	(void)state;
	for (uint32_t rest = 8; rest < 168; rest += 8) {
		struct ring *ring = new_ring(WHOLE);
		uint64_t at;

		assert_true(put(ring, DATA - rest, 1));
		expect(ring, DATA - rest, 1);
		assert_true(put(ring, 168, 2));
		assert_int_equal(ring_used(ring), rest + 168);
		at = ring->tail;
		assert_ptr_equal(ring_walk(ring, WHOLE, &at), ring->data);
		assert_null(ring_walk(ring, WHOLE, &at));
		expect(ring, 168, 2);
		assert_int_equal(ring_used(ring), 0);
		free(ring);
	}
}

/* A pad that fits without its frame must not be written twice when the producer tries again. */
static void test_pad_needs_room_for_the_frame_too(void **state)
{
	struct ring *ring = new_ring(WHOLE);

	(void)state;
	assert_true(put(ring, 512, 1));
	assert_true(put(ring, 400, 2));
	for (int i = 0; i < 3; i++)
		assert_false(put(ring, 520, 3));
	expect(ring, 512, 1);
	for (int i = 0; i < 3; i++)
		assert_false(put(ring, 520, 3));
	expect(ring, 400, 2);
	assert_true(put(ring, 520, 3));
	expect(ring, 520, 3);
	free(ring);
}

static void test_many_rounds(void **state)
{
	struct ring *ring = new_ring(WHOLE);
	uint64_t in = 0, out = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		while (put(ring, 16 + 8 * (uint32_t)(in * 7 % 13), in))
			in++;
		for (int i = 0; i < 1 + round % 5 && out < in; i++, out++)
			expect(ring, 16 + 8 * (uint32_t)(out * 7 % 13), out);
	}
	while (out < in) {
		expect(ring, 16 + 8 * (uint32_t)(out * 7 % 13), out);
		out++;
	}
	assert_null(ring_peek(ring));
	assert_in_range(in, 20000, UINT64_MAX);
	free(ring);
}

enum { PASSED = 200000 };

static void *produce(void *argument)
{
	for (uint64_t i = 0; i < PASSED; i++)
		while (!put(argument, 16 + 8 * (uint32_t)(i % 11), i))
			sched_yield();
	return NULL;
}

static void test_two_threads(void **state)
{
	struct ring *ring = new_ring(WHOLE);
	pthread_t producer;

	(void)state;
	assert_int_equal(pthread_create(&producer, NULL, produce, ring), 0);
	for (uint64_t i = 0; i < PASSED; i++) {
		const struct frame_head *frame;

		while (!(frame = ring_peek(ring)))
			sched_yield();
		if (frame->value != i || frame->size != 16 + 8 * (uint32_t)(i % 11))
			fail_msg("frame %llu has value %llu", (unsigned long long)i,
				 (unsigned long long)frame->value);
		ring_consume(ring);
	}
	pthread_join(producer, NULL);
	assert_null(ring_peek(ring));
	free(ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_odd_size),
		cmocka_unit_test(test_full_to_the_last_byte),
		cmocka_unit_test(test_greater_than_the_ring),
		cmocka_unit_test(test_pad),
		cmocka_unit_test(test_pad_needs_room_for_the_frame_too),
		cmocka_unit_test(test_many_rounds),
		cmocka_unit_test(test_two_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

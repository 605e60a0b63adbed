/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frames.h"

/* Reading the ring of a killed process. */

static void test_walk_does_not_write(void **state)
{
	struct ring *ring = new_ring(WHOLE);
	struct ring *before = malloc(WHOLE);
	uint64_t at;

	(void)state;
	for (uint64_t i = 0; i < 20; i++) {
		assert_true(put(ring, 168, i));
		if (i >= 3)
			expect(ring, 168, i - 3);
	}
	memcpy(before, ring, WHOLE);
	at = ring->tail;
	for (uint64_t i = 17; i < 20; i++) {
		const struct frame_head *frame = ring_walk(ring, WHOLE, &at);

		assert_non_null(frame);
		assert_int_equal(frame->value, i);
	}
	assert_null(ring_walk(ring, WHOLE, &at));
	assert_memory_equal(before, ring, WHOLE);
	free(before);
	free(ring);
}

/* A full ring whose data starts in the middle. */
static void test_walk_full(void **state)
{
	struct ring *ring = new_ring(WHOLE);
	uint64_t at;

	(void)state;
	for (uint64_t i = 0; i < 3; i++) {
		assert_true(put(ring, 128, i));
		expect(ring, 128, i);
	}
	for (uint64_t i = 0; i < DATA / 128; i++)
		assert_true(put(ring, 128, i));
	at = ring->tail;
	for (uint64_t i = 0; i < DATA / 128; i++) {
		const struct frame_head *frame = ring_walk(ring, WHOLE, &at);

		assert_non_null(frame);
		assert_int_equal(frame->value, i);
	}
	assert_null(ring_walk(ring, WHOLE, &at));
	assert_int_equal(at, ring->head);
	/* A frame that exceeds the committed bytes is invalid, even if the data has room for it. */
	((struct frame_head *)(void *)(ring->data + 256))->size = 256;
	at = ring->head - 128;
	assert_null(ring_walk(ring, WHOLE, &at));
	free(ring);
}

/* Killed between reserving (the pad is already written) and committing. */
static void test_walk_after_torn_commit(void **state)
{
	struct ring *ring = new_ring(WHOLE);
	uint64_t at = 0;
	struct frame_head *torn;

	(void)state;
	for (uint64_t i = 0; i < 6; i++)
		assert_true(put(ring, 160, i));
	expect(ring, 160, 0);
	expect(ring, 160, 1);
	torn = ring_reserve(ring, 160);
	assert_ptr_equal(torn, ring->data);
	torn->size = 12345;
	at = ring->tail;
	for (uint64_t i = 2; i < 6; i++) {
		const struct frame_head *frame = ring_walk(ring, WHOLE, &at);

		assert_non_null(frame);
		assert_int_equal(frame->value, i);
	}
	assert_null(ring_walk(ring, WHOLE, &at));
	free(ring);
}

/* Walks a ring with any contents of `size` bytes. The walk must end. */
static unsigned int walk_all(const struct ring *ring, size_t size, uint64_t at)
{
	const struct frame_head *frame;
	unsigned int count = 0;

	while ((frame = ring_walk(ring, size, &at))) {
		const char *from = (const char *)frame;

		assert_true(from >= (const char *)ring->data);
		assert_true(from + frame->size <= (const char *)ring + size);
		assert_in_range(++count, 0, DATA / 8);
	}
	return count;
}

static void test_walk_over_damage(void **state)
{
	static const uint32_t sizes[] = {0, 4, 7, 9, 12, DATA + 8, UINT32_MAX, UINT32_MAX - 7};
	static const uint64_t capacities[] = {0, 4, DATA + 8, UINT64_MAX, UINT64_MAX - 7};
	struct ring *ring = new_ring(WHOLE);

	(void)state;
	for (uint64_t i = 0; i < 4; i++)
		assert_true(put(ring, 168, i));
	assert_int_equal(walk_all(ring, WHOLE, 0), 4);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		*(uint32_t *)(void *)(ring->data + 168) = sizes[i];
		assert_int_equal(walk_all(ring, WHOLE, 0), 1);
	}
	*(uint32_t *)(void *)(ring->data + 168) = 168;
	assert_int_equal(walk_all(ring, WHOLE, 4), 0);
	assert_int_equal(walk_all(ring, WHOLE, UINT64_MAX), 0);
	assert_int_equal(walk_all(ring, WHOLE, ring->head + 8), 0);
	ring->head = DATA * 5;
	assert_int_equal(walk_all(ring, WHOLE, 0), 0);
	ring->head = 4 * 168;
	for (size_t i = 0; i < sizeof(capacities) / sizeof(*capacities); i++) {
		ring->capacity = capacities[i];
		assert_int_equal(walk_all(ring, WHOLE, 0), 0);
	}
	free(ring);
}

static void test_walk_over_noise(void **state)
{
	struct ring *ring = new_ring(WHOLE);

	(void)state;
	srandom(1);
	for (int round = 0; round < 20000; round++) {
		for (int i = 0; i < DATA; i += 8)
			*(uint64_t *)(void *)(ring->data + i) =
				(uint64_t)random() % 5 * 8 + ((uint64_t)random() % 3 << 32);
		ring->head = (uint64_t)random() % (3 * DATA) / 8 * 8;
		walk_all(ring, WHOLE, (uint64_t)random() % (3 * DATA) / 8 * 8);
	}
	free(ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_walk_does_not_write),
		cmocka_unit_test(test_walk_full),
		cmocka_unit_test(test_walk_after_torn_commit),
		cmocka_unit_test(test_walk_over_damage),
		cmocka_unit_test(test_walk_over_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

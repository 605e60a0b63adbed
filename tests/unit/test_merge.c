/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "random.h"
#include "session/merge.h"
#include "session/state.h"

enum { EACH = 20, SIZE = sizeof(struct thread_ring) + EACH * sizeof(struct record) };

static struct session *session;

static int set_up(void **state)
{
	(void)state;
	session = calloc(1, sizeof(*session));
	return session ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < session->ring_count; i++)
		free(session->rings[i]);
	free(session);
	return 0;
}

static void add_rings(uint32_t count)
{
	while (session->ring_count < count) {
		struct thread_ring *ring = calloc(1, SIZE);

		assert_non_null(ring);
		ring_init(&ring->ring, SIZE - offsetof(struct thread_ring, ring));
		session->rings[session->ring_count++] = ring;
	}
}

static void launch(uint32_t ring, uint64_t enter)
{
	static uint64_t correlation;
	struct record *record = ring_reserve(&session->rings[ring]->ring, sizeof(*record));

	assert_non_null(record);
	*record = (struct record){
		.frame = {.size = sizeof(*record),
			  .kind = FRAME_COPY,
			  .correlation = ++correlation},
		.enter = enter,
	};
	ring_commit(&session->rings[ring]->ring, sizeof(*record));
}

static void expect(uint64_t enter)
{
	assert_non_null(merge_first(session));
	assert_int_equal(merge_first(session)->enter, enter);
	merge_consume(session);
}

/* Returns the number of records. Each was launched later than the one before. */
static uint64_t take_all(void)
{
	struct record last = {0};
	uint64_t count = 0;

	merge_begin(session);
	for (const struct record *record; (record = merge_first(session)); count++) {
		assert_true(launched_before(&last, record));
		last = *record;
		merge_consume(session);
	}
	return count;
}

static void test_none(void **state)
{
	(void)state;
	merge_begin(session);
	assert_null(merge_first(session));
	add_rings(3);
	assert_int_equal(take_all(), 0);
}

/* Threads that use one clock: each ring is in order, and many records have the same time. */
static void test_order(void **state)
{
	(void)state;
	for (uint32_t rings = 1; rings < 70; rings++) {
		uint64_t count = 0;

		add_rings(rings);
		for (uint32_t ring = 0; ring < rings; ring++) {
			uint32_t records = next_random() % (EACH + 1);
			uint64_t enter = next_random() % 10 + 1;

			for (uint32_t i = 0; i < records; i++, count++)
				launch(ring, enter += next_random() % 4);
		}
		assert_int_equal(take_all(), count);
	}
}

/* Records that are added meanwhile are merged, too, except those of a ring that was empty. */
static void test_meanwhile(void **state)
{
	(void)state;
	add_rings(3);
	launch(0, 10);
	launch(0, 30);
	launch(1, 20);
	merge_begin(session);
	expect(10);
	launch(0, 40);
	launch(1, 35);
	launch(2, 5);
	expect(20);
	expect(30);
	expect(35);
	launch(1, 50);
	expect(40);
	assert_null(merge_first(session));
	merge_begin(session);
	expect(5);
	expect(50);
	assert_null(merge_first(session));
}

static void launch_nested(uint32_t ring, uint64_t enter, bool event)
{
	struct ring *of = &session->rings[ring]->ring;
	struct record *record = (void *)(of->data + atomic_load(&of->head) % of->capacity);

	launch(ring, enter);
	record->frame.flags = event ? 0 : RECORD_NESTED;
	record->frame.kind = event ? FRAME_CALL : FRAME_COPY;
}

/* A call is recorded after the calls made inside it. */
static void test_left(void **state)
{
	(void)state;
	assert_int_equal(merge_left(session), UINT64_MAX);
	add_rings(3);
	merge_begin(session);
	assert_int_equal(merge_left(session), UINT64_MAX);
	launch(0, 40);
	launch_nested(1, 50, false);
	launch_nested(1, 60, true);
	launch_nested(1, 45, false);
	launch(1, 30);
	launch(1, 70);
	launch(2, 80);
	launch(2, 10); /* impossible in a program: not examined */
	merge_begin(session);
	assert_int_equal(merge_left(session), 30);
	expect(40);
	assert_int_equal(merge_left(session), 30);
	expect(50);
	expect(60);
	expect(45);
	expect(30);
	assert_int_equal(merge_left(session), 70);
	expect(70);
	assert_int_equal(merge_left(session), 80);
	launch(0, 5); /* its ring was empty: left to the next merge_begin */
	assert_int_equal(merge_left(session), 80);
}

/* Returns the CPU time per record in ns, the least of several tries. */
static double cost(void)
{
	double least = 0;

	for (int try = 0; try < 5; try++) {
		uint64_t enter = 1;
		clock_t began;
		double cost;

		for (int i = 0; i < EACH; i++)
			for (uint32_t ring = 0; ring < session->ring_count; ring++)
				launch(ring, enter++);
		merge_begin(session);
		began = clock();
		while (merge_first(session))
			merge_consume(session);
		cost = (double)(clock() - began + 1) / (double)enter;
		least = try && least < cost ? least : cost;
	}
	return least;
}

/* Examining each ring for each record would take at least 128 times as long. */
static void test_many(void **state)
{
	double few;

	(void)state;
	add_rings(MAX_RINGS / 128);
	few = cost();
	add_rings(MAX_RINGS);
	assert_true(cost() < few * 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_meanwhile, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_left, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

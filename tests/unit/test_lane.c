/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "view/timeline/lane.h"
#include "view/timeline/track.h"

enum { EVENTS = 4000 };

static struct span taken[EVENTS];

/* The rule itself, applied to all events of the line in the order in which they came. */
static bool may_be_there(const struct span *all, unsigned count, uint64_t start, uint64_t end)
{
	for (unsigned i = 0; i < count; i++) {
		const struct span *other = &all[i];

		if (start == end) {
			if (other->start < start && start < other->end)
				return false;
		} else if (other->start != other->end && start < other->end &&
			   other->start <= end) {
			return false;
		}
	}
	return true;
}

static void test_in_order(void **state)
{
	struct lane lane = {0};

	(void)state;
	for (uint64_t i = 0; i < 100000; i++)
		assert_true(lane_take(&lane, i * 10, i * 10 + 5 + i % 6));
	assert_true(lane.count <= LANE_SPANS);
	assert_false(lane_take(&lane, 999990, 999991));
	assert_true(lane_take(&lane, 1000000, 1000000));
}

static void test_backwards(void **state)
{
	struct lane lane = {0};

	(void)state;
	for (uint64_t i = 100000; i > 0; i--)
		assert_true(lane_take(&lane, i * 10, i * 10 + 5));
	assert_false(lane_take(&lane, 10, 11));
}

static void test_edges(void **state)
{
	struct lane lane = {0};

	(void)state;
	assert_true(lane_take(&lane, 100, 200));
	assert_true(lane_take(&lane, 200, 300));
	assert_false(lane_take(&lane, 50, 100)); /* an earlier event begins at its end */
	assert_true(lane_take(&lane, 50, 99));
	assert_false(lane_take(&lane, 150, 150));
	assert_true(lane_take(&lane, 100, 100));
	assert_true(lane_take(&lane, 300, 300));
	assert_true(lane_take(&lane, 300, UINT64_MAX));
	assert_false(lane_take(&lane, UINT64_MAX - 1, UINT64_MAX));
	assert_true(lane_take(&lane, 0, 49));
}

/* Inner events come before the outer one. */
static void test_nest(void **state)
{
	struct lane lane = {0};

	(void)state;
	assert_true(lane_nest(&lane, 110, 120, false));
	assert_true(lane_nest(&lane, 130, 140, false));
	assert_true(lane_nest(&lane, 100, 200, false));
	assert_int_equal(lane.count, 1);
	assert_true(lane_nest(&lane, 200, 300, false));
	assert_false(lane_nest(&lane, 100, 400, false)); /* the other one would be the outer one */
	assert_true(lane_nest(&lane, 100, 100, false));
	assert_false(lane_nest(&lane, 150, 900, true));
	assert_true(lane_nest(&lane, 99, 900, true));
	assert_true(lane_nest(&lane, 400, 900, true)); /* inside the last one */
	assert_true(lane_nest(&lane, 50, 350, false));
	assert_int_equal(lane.count, 1);
	for (uint64_t i = 100; i < 1000; i++)
		assert_true(lane_nest(&lane, i * 10, i * 10 + 5, false));
	assert_true(lane.count <= LANE_SPANS);
	assert_true(lane_nest(&lane, 40, 20000, false));
	assert_int_equal(lane.count, 1);
	assert_int_equal(lane.spans[0].start, 40);
	assert_int_equal(lane.spans[0].end, 20000);
}

/* An event that does not nest is on a further line of the same owner. */
static void test_nested_tracks(void **state)
{
	const struct track wanted = {.role = TRACK_RANGES, .thread = 7};
	struct tracks *tracks = tracks_new();
	struct track track;

	(void)state;
	assert_non_null(tracks);
	track = tracks_nested(tracks, &wanted, 100, 150, false);
	assert_true(track.is_new);
	assert_int_equal(track.lane, 1);
	track = tracks_nested(tracks, &wanted, 100, 200, false);
	assert_true(track.is_new);
	assert_int_equal(track.lane, 2);
	track = tracks_nested(tracks, &wanted, 90, 210, false);
	assert_false(track.is_new);
	assert_int_equal(track.lane, 1);
	track = tracks_nested(tracks, &wanted, 120, 999, true);
	assert_int_equal(track.lane, 3);
	track = tracks_nested(tracks, &wanted, 125, 125, false);
	assert_int_equal(track.lane, 1);
	tracks_free(tracks);
}

/* Accepted events never overlap, and most of the possible ones are accepted. */
static void test_any(void **state)
{
	unsigned refused = 0, count = 0;
	struct lane lane = {0};

	(void)state;
	for (uint64_t i = 0; i < EVENTS; i++) {
		uint64_t start = i * 20 + next_random() % 200;
		uint64_t end = start + (next_random() % 4 ? next_random() % 30 : 0);
		bool may = may_be_there(taken, count, start, end);

		if (!lane_take(&lane, start, end)) {
			refused += may;
			continue;
		}
		assert_true(may);
		taken[count++] = (struct span){.start = start, .end = end};
	}
	assert_true(count > EVENTS / 4);
	assert_true(refused < EVENTS / 100);
}

/* Any number of overlapping events have a line each. Unremembered lines are used once. */
static void test_many(void **state)
{
	struct record record = {.known = KNOWN_STREAM, .stream = 3};
	struct tracks *tracks = tracks_new();

	(void)state;
	assert_non_null(tracks);
	for (uint32_t i = 1; i <= 3 * TRACK_DEPTH; i++) {
		struct track track = tracks_of_queue(tracks, &record, 1000, 2000 + i);

		assert_int_equal(track.number, i);
		assert_int_equal(track.lane, i);
		assert_true(track.is_new);
	}
	for (uint32_t i = 0; i < 1000; i++) {
		struct track track = tracks_of_queue(tracks, &record, 10000 + i, 10001 + i);

		assert_int_equal(track.number, 1);
		assert_false(track.is_new);
	}
	tracks_free(tracks);
}

/* More queues than are remembered: no two share a line. */
static void test_too_many_queues(void **state)
{
	struct record record = {.known = KNOWN_STREAM};
	struct tracks *tracks = tracks_new();
	struct track track;

	(void)state;
	assert_non_null(tracks);
	for (record.stream = 0; record.stream < TRACK_OWNERS + 10; record.stream++) {
		track = tracks_of_queue(tracks, &record, 1, 2);
		assert_int_equal(track.number, record.stream + 1);
		assert_int_equal(track.owner, record.stream);
	}
	record.stream = 5;
	track = tracks_of_queue(tracks, &record, 2, 3);
	assert_int_equal(track.number, 6);
	record.stream = TRACK_OWNERS + 1;
	track = tracks_of_queue(tracks, &record, 2, 3);
	assert_int_equal(track.number, TRACK_OWNERS + 11);
	tracks_free(tracks);
}

static void test_names(void **state)
{
	static const struct {
		struct track track;
		const char *name;
	} all[] = {
		{{.is_queue = true, .has_stream = true, .stream = 3, .lane = 1},
		 "context 8 queue 3"},
		{{.is_queue = true, .has_stream = true, .context = 1, .lane = 2},
		 "context 2 stream 0 (2)"},
		{{.is_queue = true, .stream = 3, .lane = 1}, "context 8"},
		{{.is_queue = true, .context = 2, .lane = 1}, "unknown context"},
		{{.thread = 77, .lane = 10}, "thread 77 (10)"},
		{{.lane = 1}, "unknown thread"},
	};
	struct catalog catalog;

	(void)state;
	assert_int_equal(catalog_init(&catalog), 0);
	catalog_add_device(&catalog, &(struct device){.name = "A"});
	catalog_add_context(&catalog, &(struct context){.index = 7});
	catalog_add_context(&catalog, &(struct context){.index = 1, .api = API_CUDA});
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct strbuf name = STRBUF_INIT;

		track_name(&all[i].track, &catalog, &name);
		assert_string_equal(strbuf_text(&name), all[i].name);
		strbuf_free(&name);
	}
	catalog_free(&catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_nest),
		cmocka_unit_test(test_nested_tracks),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_too_many_queues),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The sides of each pair are joined at any distance, and pairs come in the order of time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"

#include "view/stream/external_sort.h"
#include "view/stream/ordered.h"

enum { NONE = 0, MOST = 1 << 19 };

/* The pairs in the order in which they were given. A side has a number that is not NONE. */
static struct given {
	uint64_t first, second;
	uint64_t ordinal;
	bool again;
} given[MOST];
static size_t given_count;
static struct strbuf error;
static int refuse; /* number of the pair that is refused, from 1; 0: none */

static int take(void *context, const struct ordered_pair *pair, struct strbuf *text)
{
	const uint64_t *first = pair->first, *second = pair->second;

	assert_ptr_equal(context, &given_count);
	assert_true(given_count < MOST);
	assert_true(first || second);
	if (second) /* a second side has two numbers, to have another size */
		assert_int_equal(second[1], ~second[0]);
	given[given_count++] = (struct given){
		first ? *first : NONE, second ? *second : NONE, pair->ordinal, pair->again};
	if ((size_t)refuse != given_count)
		return 0;
	strbuf_string(text, "refused");
	return -1;
}

static struct ordered *begin(bool by_time, bool firsts_only)
{
	const struct ordered_options options = {
		.by_time = by_time,
		.firsts_only = firsts_only,
		.first_size = sizeof(uint64_t),
		.second_size = 2 * sizeof(uint64_t),
		.take = take,
		.context = &given_count,
	};
	struct ordered *ordered = ordered_new(&options);

	given_count = 0;
	error.length = 0;
	refuse = 0;
	assert_non_null(ordered);
	return ordered;
}

static int try_first(struct ordered *ordered, uint64_t number, uint64_t key, uint32_t seconds,
		     uint64_t time)
{
	const struct ordered_side side = {
		.key = key, .time = time, .bytes = &number, .size = sizeof(number)};

	return ordered_add_first(ordered, &side, seconds, &error);
}

static int try_second(struct ordered *ordered, uint64_t number, uint64_t key, uint64_t time)
{
	const uint64_t bytes[] = {number, ~number};
	const struct ordered_side side = {
		.key = key, .time = time, .bytes = bytes, .size = sizeof(bytes)};

	return ordered_add_second(ordered, &side, &error);
}

static void first(struct ordered *ordered, uint64_t number, uint64_t key, uint32_t seconds,
		  uint64_t time)
{
	assert_int_equal(try_first(ordered, number, key, seconds, time), 0);
}

static void second(struct ordered *ordered, uint64_t number, uint64_t key, uint64_t time)
{
	assert_int_equal(try_second(ordered, number, key, time), 0);
}

static void end(struct ordered *ordered)
{
	assert_int_equal(ordered_end(ordered, &error), 0);
	ordered_free(ordered);
}

static void assert_given(size_t at, uint64_t one, uint64_t other)
{
	assert_true(at < given_count);
	assert_int_equal(given[at].first, one);
	assert_int_equal(given[at].second, other);
}

static void test_empty(void **state)
{
	(void)state;
	end(begin(false, false));
	end(begin(true, true));
	assert_int_equal(given_count, 0);
	ordered_free(NULL);
}

/* A pair is given when both sides are there, in either order; single sides at the end. */
static void test_at_once(void **state)
{
	struct ordered *ordered = begin(false, false);

	(void)state;
	first(ordered, 1, 101, 1, 10);
	second(ordered, 2, 102, 20);
	assert_int_equal(given_count, 0);
	second(ordered, 3, 101, 30);
	assert_given(0, 1, 3);
	first(ordered, 4, 102, 1, 10);
	assert_given(1, 4, 2);
	first(ordered, 5, 0, 0, 10); /* it has no seconds */
	assert_given(2, 5, NONE);
	first(ordered, 6, 106, 1, 10);
	second(ordered, 7, 107, 10);
	assert_int_equal(given_count, 3);
	end(ordered);
	assert_int_equal(given_count, 5);
	assert_given(3, NONE, 7);
	assert_given(4, 6, NONE);
}

/* A pair has the time of its first. Equal times are in the order of adding, or of `then`. */
static void test_by_time(void **state)
{
	struct ordered *ordered = begin(true, false);
	const uint64_t number = 9;
	const struct ordered_side side = {
		.time = 10, .then = 1, .bytes = &number, .size = sizeof(number)};

	(void)state;
	assert_int_equal(ordered_add_first(ordered, &side, 0, &error), 0);
	second(ordered, 1, 101, 1);
	second(ordered, 2, 102, 25);
	first(ordered, 3, 101, 1, 30);
	first(ordered, 4, 0, 0, 20);
	first(ordered, 5, 0, 0, 10);
	first(ordered, 6, 106, 1, 10);
	first(ordered, 7, 0, 0, 10);
	second(ordered, 8, 106, 5);
	assert_int_equal(given_count, 0);
	end(ordered);
	assert_int_equal(given_count, 7);
	assert_given(0, 5, NONE);
	assert_given(1, 6, 8);
	assert_given(2, 7, NONE);
	assert_given(3, 9, NONE);
	assert_given(4, 4, NONE);
	assert_given(5, NONE, 2);
	assert_given(6, 3, 1);
}

/* Several records of one call are in the order of their correlations; the first may be missing. */
static void test_several(void **state)
{
	struct ordered *ordered = begin(false, false);

	(void)state;
	second(ordered, 1, 202, 0);
	first(ordered, 2, 200, 4, 0);
	second(ordered, 3, 203, 0);
	second(ordered, 4, 201, 0);
	second(ordered, 5, 204, 0); /* not of this call */
	first(ordered, 6, 300, 5, 0);
	first(ordered, 7, UINT64_MAX, 3, 0);
	end(ordered);
	assert_int_equal(given_count, 6);
	assert_given(0, 2, 4);
	assert_given(1, 2, 1);
	assert_given(2, 2, 3);
	assert_given(3, NONE, 5);
	assert_given(4, 6, NONE);
	assert_given(5, 7, NONE);
	assert_false(given[0].again);
	assert_true(given[1].again && given[2].again);
	assert_int_equal(given[0].ordinal, 1);
	assert_int_equal(given[1].ordinal, 2);
	assert_int_equal(given[2].ordinal, 3);
}

static void test_firsts_only(void **state)
{
	struct ordered *ordered = begin(true, true);

	(void)state;
	second(ordered, 1, 100, 0);
	first(ordered, 2, 200, 2, 8);
	second(ordered, 3, 200, 0);
	second(ordered, 4, 201, 0);
	first(ordered, 5, 300, 1, 7);
	end(ordered);
	assert_int_equal(given_count, 2);
	assert_given(0, 5, NONE);
	assert_given(1, 2, 3);
}

/* If a file has several sides with one key, each is given once, and the earliest are joined. */
static void test_same_keys(void **state)
{
	struct ordered *ordered = begin(false, false);

	(void)state;
	for (uint64_t i = 1; i <= 4; i++)
		first(ordered, i, 100, 1, 0);
	for (uint64_t i = 5; i <= 6; i++)
		second(ordered, i, 100, 0);
	assert_given(3, 1, 5);
	for (uint64_t i = 7; i <= 8; i++)
		second(ordered, i, 101, 0);
	first(ordered, 9, 101, 1, 0);
	assert_given(4, 9, 7);
	end(ordered);
	assert_int_equal(given_count, 7);
	assert_given(5, NONE, 6);
	assert_given(6, NONE, 8);
}

/* The same before any first was added. */
static void test_same_keys_early(void **state)
{
	struct ordered *ordered = begin(false, false);

	(void)state;
	for (uint64_t i = 1; i <= 3; i++)
		second(ordered, i, 100, 0);
	first(ordered, 4, 100, 1, 0);
	end(ordered);
	assert_int_equal(given_count, 3);
	assert_given(0, 4, 1);
	assert_given(1, NONE, 2);
	assert_given(2, NONE, 3);
}

/* Each second that any of several firsts claims has one of them; each first is given. */
static void check_claims(const uint64_t (*claims)[2], uint64_t count, uint64_t seconds)
{
	struct ordered *ordered = begin(false, false);
	uint64_t joined[16] = {0}, firsts = 0;

	for (uint64_t i = 0; i < count; i++)
		first(ordered, i + 1, claims[i][0], (uint32_t)claims[i][1], 0);
	for (uint64_t key = 10; key < 10 + seconds; key++)
		second(ordered, key, key, 0);
	end(ordered);
	for (size_t i = 0; i < given_count; i++) {
		const uint64_t *claim = claims[given[i].first - 1];

		assert_int_not_equal(given[i].first, NONE);
		firsts += !given[i].again;
		if (given[i].second == NONE)
			continue;
		joined[given[i].second - 10]++;
		assert_in_range(given[i].second, claim[0], claim[0] + claim[1] - 1);
	}
	assert_int_equal(firsts, count);
	for (uint64_t i = 0; i < seconds; i++)
		assert_int_equal(joined[i], 1);
}

static void test_common_seconds(void **state)
{
	static const uint64_t inside[][2] = {{10, 5}, {12, 1}, {11, 2}};
	static const uint64_t equal[][2] = {{10, 1}, {10, 5}, {10, 3}};
	static const uint64_t behind[][2] = {{12, 3}, {10, 4}, {14, 2}, {10, 3}};

	(void)state;
	check_claims(inside, 3, 5);
	check_claims(equal, 3, 5);
	check_claims(behind, 4, 6);
}

/* Far more between the sides of each pair than are near, and than the budget has room for. */
static void pair_far(bool by_time, bool seconds_first)
{
	enum { COUNT = 2 * ORDERED_NEAR + 1000 };
	struct ordered *ordered = begin(by_time, false);

	for (int side = 0; side < 2; side++)
		for (uint64_t i = 1; i <= COUNT; i++) {
			if ((side == 0) == seconds_first)
				second(ordered, i, i, 1000000 - i);
			else
				first(ordered, i, i, 1, COUNT - i);
		}
	end(ordered);
	assert_int_equal(given_count, COUNT);
	for (uint64_t i = 1; i <= COUNT; i++)
		assert_int_equal(given[i - 1].first, given[i - 1].second);
	for (uint64_t i = 1; by_time && i <= COUNT; i++)
		assert_int_equal(given[i - 1].first, COUNT + 1 - i);
}

static void test_far(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++)
		pair_far(i & 1, i & 2);
}

/* Several records per call, in any order; some are missing. */
static void test_random(void **state)
{
	enum { COUNT = 20000 };
	static uint64_t expected[COUNT];
	struct ordered *ordered = begin(true, false);
	uint64_t key = 1, seconds = 0, met = 0;

	(void)state;
	for (uint64_t i = 1; i < COUNT; i++) {
		uint32_t records = next_random() % 4;

		first(ordered, i, key, records, next_random() % 100000);
		expected[i] = 0;
		for (uint32_t of = 0; of < records; of++, key++) {
			if (next_random() % 5 == 0)
				continue;
			second(ordered, i, key, 0);
			expected[i]++;
			seconds++;
		}
	}
	end(ordered);
	for (size_t i = 0; i < given_count; i++) {
		if (given[i].second == NONE) {
			assert_int_equal(expected[given[i].first], 0);
			continue;
		}
		assert_int_equal(given[i].first, given[i].second);
		met++;
	}
	assert_int_equal(met, seconds);
}

/* Without calls, records are given in the order of adding; a late call still gets its records. */
static void test_no_firsts(void **state)
{
	enum { COUNT = 100000 };
	struct ordered *ordered = begin(false, false);

	(void)state;
	for (uint64_t i = COUNT; i; i--)
		second(ordered, i, i, 0);
	end(ordered);
	assert_int_equal(given_count, COUNT);
	for (uint64_t i = 1; i <= COUNT; i++)
		assert_given(i - 1, NONE, COUNT + 1 - i);
	ordered = begin(false, false);
	for (uint64_t i = COUNT; i; i--)
		second(ordered, i, i, 0);
	first(ordered, 7, COUNT - 5, 1, 0);
	end(ordered);
	assert_int_equal(given_count, COUNT);
	for (uint64_t i = 1; i <= COUNT; i++)
		assert_given(i - 1, i == COUNT - 5 ? 7 : NONE, i);
}

static void test_failing_calls(void **state)
{
	(void)state;
	for (int by_time = 0; by_time < 2; by_time++) {
		struct ordered *ordered = begin(by_time, false);
		int result = 0;

		refuse = 2;
		first(ordered, 1, 1, 1, 0);
		second(ordered, 1, 1, 0);
		first(ordered, 2, 2, 1, 0);
		result = try_second(ordered, 2, 2, 0);
		if (by_time)
			result = ordered_end(ordered, &error);
		assert_int_equal(result, -1);
		assert_string_equal(strbuf_text(&error), "refused");
		assert_int_equal(given_count, 2);
		ordered_free(ordered);
	}
}

/* If the sort fails there is an error, at the latest at the end: nothing is left out silently. */
static void test_no_folder(void **state)
{
	struct ordered *ordered;
	int result = 0;

	(void)state;
	setenv("TMPDIR", "/nonexistent", 1);
	ordered = begin(true, false);
	for (uint64_t i = 1; i < 10000 && !result; i++)
		result = try_first(ordered, i, i, 1, 0) || try_second(ordered, i, i, 0);
	result = result ? result : ordered_end(ordered, &error);
	assert_true(result);
	assert_non_null(strstr(strbuf_text(&error), "/nonexistent"));
	assert_int_equal(given_count, 0);
	ordered_free(ordered);
	setenv("TMPDIR", "/tmp", 1);
}

/* Either side may have ORDERED_BYTES_MOST bytes, and not one more. */
static void test_sizes(void **state)
{
	enum { LARGEST = ORDERED_BYTES_MOST };
	static const struct {
		size_t first, second;
		bool is_valid;
	} cases[] = {{LARGEST, LARGEST, true}, {LARGEST + 1, 8, false}, {8, LARGEST + 1, false}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct ordered_options options = {
			.first_size = cases[i].first, .second_size = cases[i].second, .take = take};
		struct ordered *ordered = ordered_new(&options);

		assert_int_equal(ordered != NULL, cases[i].is_valid);
		ordered_free(ordered);
	}
}

static int in_memory(void **state)
{
	(void)state;
	return unsetenv("COMPUTEPROF_TEST_SORT_BUDGET");
}

static int in_file(void **state)
{
	(void)state;
	return setenv("COMPUTEPROF_TEST_SORT_BUDGET", "65536", 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, in_memory)
#define TEST_SPILLED(name) cmocka_unit_test_setup(name, in_file)
	const struct CMUnitTest tests[] = {
		TEST(test_empty),
		TEST(test_at_once),
		TEST(test_by_time),
		TEST(test_several),
		TEST(test_firsts_only),
		TEST(test_same_keys),
		TEST(test_same_keys_early),
		TEST(test_common_seconds),
		TEST(test_far),
		TEST(test_random),
		TEST(test_no_firsts),
		TEST(test_failing_calls),
		TEST(test_sizes),
		TEST_SPILLED(test_far),
		TEST_SPILLED(test_random),
		TEST_SPILLED(test_no_firsts),
		TEST_SPILLED(test_no_folder),
	};
#undef TEST
#undef TEST_SPILLED
	int result = cmocka_run_group_tests(tests, NULL, NULL);

	strbuf_free(&error);
	return result;
}

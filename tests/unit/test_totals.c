/* SPDX-License-Identifier: MIT */
/* The parts of summaries: percentiles, busy time, printed names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/format/demangle.h"
#include "view/format/label.h"
#include "view/tables/tables.h"
#include "base/busy.h"
#include "view/totals/activity_index.h"
#include "view/totals/histogram.h"

#include "random.h"

enum { VALUES = 20000, INTERVALS = 5000 };

static int compare(const void *left, const void *right)
{
	uint64_t one = *(const uint64_t *)left, other = *(const uint64_t *)right;

	return one < other ? -1 : one > other;
}

/* At most 1/128 from the exact value, for values of all sizes. */
static void test_percentiles(void **state)
{
	static uint64_t values[VALUES];
	struct histogram histogram = {0};

	(void)state;
	assert_int_equal(histogram_percentile(&histogram, 50), 0);
	for (int i = 0; i < VALUES; i++) {
		values[i] = (uint64_t)next_random() << next_random() % 33 >> next_random() % 40;
		assert_int_equal(histogram_add(&histogram, values[i]), 0);
	}
	assert_int_equal(histogram_add(&histogram, UINT64_MAX), 0);
	qsort(values, VALUES, sizeof(values[0]), compare);
	for (unsigned percent = 1; percent < 100; percent++) {
		uint64_t rank = (percent * (uint64_t)(VALUES + 1) + 99) / 100;
		uint64_t wanted = values[rank - 1];
		uint64_t got = histogram_percentile(&histogram, percent);
		uint64_t away = got > wanted ? got - wanted : wanted - got;

		assert_true(away <= wanted / 128);
	}
	assert_true(histogram_percentile(&histogram, 100) > UINT64_MAX / 128 * 127);
	histogram_free(&histogram);
}

/* The error of a value in a bucket of running totals. */
static void check_bucket(uint64_t value)
{
	unsigned bucket = totals_bucket(value);
	uint64_t got = totals_bucket_value(bucket);
	uint64_t away = got > value ? got - value : value - got;

	assert_true(bucket < TOTALS_BUCKETS);
	assert_int_equal(totals_bucket(got), bucket);
	assert_true(away <= value / 34);
}

/* At the edges of all buckets, and of parts of them, the value for it is at most 1/34 away. */
static void test_buckets(void **state)
{
	(void)state;
	for (uint64_t value = 0; value < 4096; value++)
		check_bucket(value);
	for (unsigned power = 12; power < 59; power++)
		for (uint64_t part = 256; part < 512; part++) {
			uint64_t start = part << (power - 8);

			check_bucket(start);
			check_bucket(start - 1);
		}
	assert_int_equal(totals_bucket(UINT64_MAX), TOTALS_BUCKETS - 1);
}

/* Times of which only the bucket is known have no other percentile in a sum of histograms. */
static void test_sum_has_buckets(void **state)
{
	const uint64_t time = 5024, bucket = totals_bucket_value(totals_bucket(time));
	struct histogram rows = {.coarse = true}, sum = {0};

	(void)state;
	assert_int_equal(histogram_add(&rows, time), 0);
	assert_int_equal(histogram_percentile(&rows, 50), bucket);
	assert_int_equal(histogram_add_all(&sum, &rows), 0);
	assert_int_equal(histogram_percentile(&sum, 50), bucket);
	rows.coarse = sum.coarse = false;
	assert_int_not_equal(histogram_percentile(&sum, 50), bucket);
	histogram_free(&rows);
	histogram_free(&sum);
}

/* Buckets and single values may be in one histogram: each part of it is in one bucket. */
static void test_parts_are_in_buckets(void **state)
{
	(void)state;
	for (unsigned row = 0; row < 54; row++)
		for (uint64_t part = HISTOGRAM_PARTS; part < 2 * HISTOGRAM_PARTS; part++)
			assert_int_equal(totals_bucket(part << row),
					 totals_bucket(((part + 1) << row) - 1));
}

static void test_small_values_are_exact(void **state)
{
	struct histogram histogram = {0};

	(void)state;
	for (uint64_t i = 1; i <= 100; i++)
		histogram_add(&histogram, i);
	for (unsigned percent = 1; percent <= 100; percent++)
		assert_int_equal(histogram_percentile(&histogram, percent), percent);
	histogram_free(&histogram);
}

static void test_busy(void **state)
{
	static const struct span overlapping[] = {
		{100, 200}, {150, 250}, {400, 500}, {120, 130}, {240, 300}, {500, 510},
	};
	static struct busy busy;

	(void)state;
	for (int i = 0; i < 6; i++)
		busy_add(&busy, overlapping[i].start, overlapping[i].end);
	assert_int_equal(busy_span(&busy), 410);
	assert_int_equal(busy_idle(&busy), 100);
	busy_add(&busy, 50, 600);
	assert_int_equal(busy_idle(&busy), 0);
	assert_int_equal(busy_span(&busy), 550);
}

/* More intervals than are kept: exact in order; out of order the idle time is never too long. */
static void test_busy_from_zero(void **state)
{
	static struct busy busy;

	(void)state;
	assert_true(busy_is_empty(&busy));
	busy_add(&busy, 0, 0);
	assert_false(busy_is_empty(&busy));
	busy_add(&busy, 100, 150);
	assert_int_equal(busy_span(&busy), 150);
}

static void test_busy_many(void **state)
{
	static struct busy busy;

	(void)state;
	for (uint64_t i = 1; i <= INTERVALS; i++)
		busy_add(&busy, 100 * i, 100 * i + 40);
	assert_int_equal(busy_span(&busy), 100 * (INTERVALS - 1) + 40);
	assert_int_equal(busy_idle(&busy), 60 * (INTERVALS - 1));
	busy_add(&busy, 100, 100 * INTERVALS);
	assert_int_equal(busy_idle(&busy), 0);
}

static struct names *names;

static void expect_shown(const char *name, bool demangled, size_t room, const char *expected)
{
	struct label shown = {.names = names, .demangled = demangled};
	struct record record = {.frame.kind = FRAME_KERNEL};
	struct strbuf text = STRBUF_INIT;

	record.name = names_intern(names, name, strlen(name));
	label_short(&text, API_CUDA, &record, &shown, room);
	assert_string_equal(strbuf_text(&text), expected);
	/* from the cache */
	text.length = 0;
	label_short(&text, API_CUDA, &record, &shown, room);
	assert_string_equal(strbuf_text(&text), expected);
	label_free(&shown);
	strbuf_free(&text);
}

static void test_short_names(void **state)
{
	(void)state;
	names = names_new();
	assert_non_null(names);
	expect_shown("abcdefghijklmnopqrstuvwxyz", false, 26, "abcdefghijklmnopqrstuvwxyz");
	expect_shown("abcdefghijklmnopqrstuvwxyz", false, 20, "abcdefghi...stuvwxyz");
	expect_shown("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", false, 5,
		     "\xc3\xa9...\xc3\xa9");
	expect_shown("abcdef", false, 2, "ab");
	expect_shown("a\033b", true, 0, "a\\x1bb");
	expect_shown("", true, 0, "unknown_kernel");
	if (demangle_built()) {
		expect_shown("_Z3addILi5EEvPKfS1_", true, 0,
			     "void add<5>(float const*, float const*)");
		expect_shown("_Z3addILi5EEvPKfS1_", true, 20, "add<5>");
		expect_shown("_Z3addILi5EEvPKfS1_", false, 0, "_Z3addILi5EEvPKfS1_");
	}
	names_free(names);
}

/* A short name that stands for 2^n bytes, a nested one, and random ones. */
static void test_demangler_is_bounded(void **state)
{
	struct strbuf name = STRBUF_INIT, plain = STRBUF_INIT;
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	(void)state;
	/* f(A<int>, B<A<int>, A<int>>, B<the last twice>, ...) */
	strbuf_string(&name, "_Z1f1AIiE1BIS0_S0_E");
	for (int i = 2; i < 30; i++)
		strbuf_printf(&name, "S1_IS%c_S%c_E", digits[i], digits[i]);
	assert_false(demangle(&plain, strbuf_text(&name), name.length, true));
	assert_int_equal(plain.length, 0);
	name.length = 0;
	strbuf_string(&name, "_Z1f1AIiE1BIS0_S0_ES1_IS2_S2_E");
	assert_true(demangle(&plain, strbuf_text(&name), name.length, true) == demangle_built());
	name.length = plain.length = 0;
	strbuf_string(&name, "_Z1f");
	while (name.length < DEMANGLE_LIMIT - 1)
		strbuf_char(&name, 'P');
	strbuf_char(&name, 'i');
	demangle(&plain, strbuf_text(&name), name.length, true);
	plain.length = 0;
	strbuf_string(&name, "ii");
	assert_false(demangle(&plain, strbuf_text(&name), name.length, true));
	assert_int_equal(plain.length, 0);
	for (int i = 0; i < 20000; i++) {
		static const char bytes[] = "_ZNK1fI3addS0_T_EEvPiRKDpJLbXclsrStb2XY9";

		name.length = plain.length = 0;
		strbuf_string(&name, "_Z");
		for (unsigned j = next_random() % 40; j; j--)
			strbuf_char(&name, bytes[next_random() % (sizeof(bytes) - 1)]);
		demangle(&plain, strbuf_text(&name), name.length, i & 1);
	}
	strbuf_free(&name);
	strbuf_free(&plain);
}

/* The row for all others has no name, also if it is read from JSON. */
static void test_other(void **state)
{
	static const char text[] =
		"{\"api\": \"CUDA\", \"kind\": \"kernel\", \"name\": \"(other)\"}";
	struct strbuf error = STRBUF_INIT, name = STRBUF_INIT;
	struct json_value *row = json_read(text, strlen(text), &error);
	struct activity_key what;

	(void)state;
	assert_non_null(row);
	assert_int_equal(activity_index_read(&what, &name, row), 0);
	assert_int_equal(what.like.frame.flags, LABEL_OTHER);
	assert_int_equal(name.length, 0);
	strbuf_free(&name);
	json_free(row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_small_values_are_exact),
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_parts_are_in_buckets),
		cmocka_unit_test(test_sum_has_buckets),
		cmocka_unit_test(test_busy),
		cmocka_unit_test(test_busy_from_zero),
		cmocka_unit_test(test_busy_many),
		cmocka_unit_test(test_other),
		cmocka_unit_test(test_short_names),
		cmocka_unit_test(test_demangler_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

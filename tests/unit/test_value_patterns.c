/* SPDX-License-Identifier: MIT */
/* The patterns of values, compared with a slow search that does not use the same code. */
#include "plain_patterns.h"

#include "model/element.h"
#include "random.h"

static unsigned kinds_seen, rounded_seen;

/* Compares what is found in a part of `contents` with the slow search. */
static struct value_patterns check(uint64_t offset, uint64_t bytes, unsigned type, unsigned width,
				   unsigned level)
{
	const struct value_part part = {contents, known, offset, bytes};
	const struct value_layout layout = {(uint8_t)type, (uint8_t)width, (uint8_t)level, false};
	struct value_patterns found;
	bool is_line;

	value_patterns_find(&found, &part, &layout);
	gather(offset, bytes, type, width);
	assert_int_equal(found.elements, plain_count);
	if (!plain_count) {
		assert_int_equal(found.exact.kinds | found.exact.distinct, 0);
		return found;
	}
	kinds_seen |= found.exact.kinds;
	rounded_seen |= found.rounded.kinds & ~(unsigned)found.exact.kinds;
	is_line = is_float(type) ? is_line_of_floats(type) : is_line_of_integers(type);
	assert_set(&found.exact, type, is_line ? PATTERN_LINEAR : 0);
	if (is_line)
		assert_line(&found);
	if (!level || !is_float(type)) {
		assert_int_equal(found.rounded.distinct, 0);
		return found;
	}
	round_plain(type, level);
	if (!found.rounded.has_more)
		assert_set(&found.rounded, type, 0);
	return found;
}

static uint64_t random_bits(void)
{
	return (uint64_t)next_random() << 32 | next_random();
}

static void put(uint64_t at, uint64_t bits, unsigned size)
{
	memcpy(contents + at, &bits, size);
}

/* The bits of a number as an element. */
static uint64_t bits_of(unsigned type, double number)
{
	float single = (float)number;
	uint64_t bits = 0;

	if (type == ELEMENT_FLOAT64)
		memcpy(&bits, &number, sizeof(number));
	else if (type == ELEMENT_FLOAT32)
		memcpy(&bits, &single, sizeof(single));
	else if (type == ELEMENT_FLOAT16)
		while (bits < 0x7bff && half((uint16_t)(bits + 1)) <= (long double)fabs(number))
			bits++;
	else
		bits = (uint64_t)(int64_t)number;
	return type == ELEMENT_FLOAT16 && number < 0 ? bits | 0x8000 : bits;
}

/* Values of one of several shapes. */
static uint64_t shaped(unsigned type, unsigned shape, uint64_t i, uint64_t seed)
{
	static const double odd[] = {0, -0.0, 1, -1, 0.5, 1e-7, 1e-15, 65504, 65520, 3e9, 1e300};

	switch (shape) {
	case 0:
		return random_bits();
	case 1:
		return 0;
	case 2:
		return seed;
	case 3:
		return seed >> (next_random() % 4) * 7;
	case 4:
		return bits_of(type, (double)(int64_t)i * (double)(int)(seed % 7 - 3) + 11);
	case 5:
		return bits_of(type, (double)(int64_t)i * 0.1 + (double)(seed % 100));
	case 6:
		return bits_of(type, odd[next_random() % 11]);
	case 7:
		return random_bits() % 400 - (seed % 2 ? 200 : 0);
	case 8:
		return (random_bits() % 100) << 8 * sizes[type] / 2;
	case 9:
		return bits_of(type, 1 + (double)(i % 50) / 10000);
	default:
		return is_float(type) && i % 3 == 0 ? UINT64_MAX >> 1
						    : bits_of(type, (double)(i % 5));
	}
}

enum { SHAPES = 11 };

static void test_random(void **state)
{
	static const unsigned widths[] = {1, 2, 3, 4};

	(void)state;
	for (unsigned type = ELEMENT_INT8; type < ELEMENT_TYPES; type++) {
		for (unsigned i = 0; i < 5 * SHAPES; i++) {
			uint64_t seed = random_bits(), bytes = next_random() % 1500;
			uint64_t offset = next_random() % 64 * 4 + (type % 2 ? 0 : i % 2);

			memset(known, i % 3 ? 0xff : 0, sizeof(known));
			for (size_t word = 0; i % 3 == 0 && word < 8; word++)
				known[word] = random_bits() | random_bits();
			for (uint64_t at = offset, n = 0; at < offset + bytes; n++) {
				put(at, shaped(type, i % SHAPES, n, seed), sizes[type]);
				at += sizes[type];
			}
			check(offset, bytes, type, widths[next_random() % 4], i % 6);
		}
	}
	assert_int_equal(kinds_seen, 2 * PATTERN_LINEAR - 1); /* all */
	assert_int_equal(rounded_seen & (PATTERN_FREQUENT | PATTERN_NARROW | PATTERN_INTEGERS),
			 PATTERN_FREQUENT | PATTERN_NARROW | PATTERN_INTEGERS);
}

/* More different values than are counted; one value is in half of the elements, but not among the
 * first ones. */
static void test_many(void **state)
{
	struct value_patterns found;

	(void)state;
	memset(known, 0xff, sizeof(known));
	for (uint64_t i = 0; i < MOST / 2; i++)
		put(4 * i, i < MOST / 4 ? 1000 + i : 7, 4);
	found = check(0, MOST / 2 * 4, ELEMENT_UINT32, 1, 0);
	assert_true(found.exact.has_more);
	assert_int_equal(found.exact.kinds, PATTERN_FREQUENT | PATTERN_NARROW);
	assert_int_equal(found.exact.top[0].value, 7);
	assert_int_equal(found.exact.top[0].count, MOST / 4);
	for (uint64_t i = 0; i < MOST / 2; i++)
		put(4 * i, bits_of(ELEMENT_FLOAT32, 1 + (double)i / 1e6), 4);
	found = check(0, MOST / 2 * 4, ELEMENT_FLOAT32, 1, 5);
	assert_true(found.exact.has_more);
	assert_int_equal(found.rounded.distinct, 1);
	assert_int_equal(found.rounded.kinds, PATTERN_SINGLE | PATTERN_NARROW | PATTERN_INTEGERS);
	for (uint64_t i = 0; i < MOST / 2; i++)
		put(4 * i, next_random(), 4);
	check(0, MOST / 2 * 4, ELEMENT_INT32, 1, 0);
	found = check(0, MOST / 2 * 4, ELEMENT_FLOAT32, 1, 1);
	assert_true(found.rounded.has_more);
	assert_int_equal(found.rounded.narrow_signed, 32);
}

/* The ends of the ranges of types, and lines that only seem to be some modulo 2^64. */
static void test_limits(void **state)
{
	static const int16_t shorts[] = {-128, 127, -129, 128}, shortest = INT16_MIN;
	static const float halves[] = {65504, 1, 65536, 65505, 0x1p-24f, 0x1p-25f};
	static const int64_t line[] = {INT64_MIN, INT64_MAX, INT64_MAX - 1};
	static const uint64_t up[] = {0, UINT64_C(1) << 63, 0};
	static const double steep[] = {-1e308, 0, 1e308}, small[] = {1e-310, 2e-310, 3e-310};
	struct value_patterns found;

	(void)state;
	memset(known, 0xff, sizeof(known));
	memcpy(contents, line, sizeof(line));
	check(0, sizeof(line), ELEMENT_INT64, 1, 0);
	memcpy(contents, up, sizeof(up));
	check(0, sizeof(up), ELEMENT_UINT64, 1, 0);
	memcpy(contents, small, sizeof(small));
	check(0, sizeof(small), ELEMENT_FLOAT64, 1, 3);
	memcpy(contents, steep, sizeof(steep)); /* the rise is no double */
	value_patterns_find(&found, &(struct value_part){contents, known, 0, sizeof(steep)},
			    &(struct value_layout){ELEMENT_FLOAT64, 1, 0, false});
	assert_int_equal(found.exact.kinds & PATTERN_LINEAR, 0);
	check(0, 7, ELEMENT_FLOAT64, 1, 3);
	memcpy(contents, shorts, sizeof(shorts));
	for (unsigned i = 0; i < 3; i++)
		check(2 * i, 4, ELEMENT_INT16, 1, 0);
	memcpy(contents, &shortest, sizeof(shortest));
	check(0, 2, ELEMENT_INT16, 1, 0);
	memcpy(contents, halves, sizeof(halves));
	for (unsigned i = 0; i < 6; i++)
		check(4 * i, 4, ELEMENT_FLOAT32, 1, i);
	value_patterns_find(&found, &(struct value_part){contents, known, 0, 8},
			    &(struct value_layout){ELEMENT_UNKNOWN, 1, 0, false});
	assert_int_equal(found.elements, 0);
}

/* The names of all types, and the numbers of all halves. */
static void test_elements(void **state)
{
	(void)state;
	assert_string_equal(element_name(ELEMENT_FLOAT16), "half");
	assert_string_equal(element_name(200), "unknown");
	assert_int_equal(element_size(200), 0);
	assert_int_equal(element_integer(ELEMENT_UNKNOWN, 5), 5);
	assert_int_equal(element_integer(ELEMENT_INT8, 0xff), -1);
	for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
		double number = element_number(ELEMENT_FLOAT16, bits);
		long double wanted = half((uint16_t)bits);

		assert_true(isnan(wanted) ? isnan(number) : (long double)number == wanted);
	}
}

#ifdef __x86_64__
/* A program with traps and other modes sees neither a trap nor a flag, and gets the same. */
static void test_modes(void **state)
{
	enum {
		MODE = 0x8040 |
		       0x6000 /* denormals are 0, rounding towards 0, no exception masked */
	};
	static const double odd[] = {1e300, 0x1p-1074, 1.1, -1e-320, 3};
	struct value_patterns plainly, found;
	const struct value_part part = {contents, known, 0, sizeof(odd)};
	const struct value_layout layout = {ELEMENT_FLOAT64, 1, 2, false};
	unsigned before = __builtin_ia32_stmxcsr(), after;

	(void)state;
	memset(known, 0xff, sizeof(known));
	memcpy(contents, odd, sizeof(odd));
	memset(&plainly, 0, sizeof(plainly));
	memset(&found, 0, sizeof(found));
	value_patterns_find(&plainly, &part, &layout);
	__builtin_ia32_ldmxcsr(MODE);
	value_patterns_find(&found, &part, &layout);
	after = __builtin_ia32_stmxcsr();
	__builtin_ia32_ldmxcsr(before);
	assert_int_equal(after, MODE);
	assert_memory_equal(&found, &plainly, offsetof(struct value_patterns, exact.top));
	check(0, sizeof(odd), ELEMENT_FLOAT64, 1, 2);
}
#endif

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random), cmocka_unit_test(test_many),
		cmocka_unit_test(test_limits), cmocka_unit_test(test_elements),
#ifdef __x86_64__
		cmocka_unit_test(test_modes),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

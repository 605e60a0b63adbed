/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PLAIN_PATTERNS_H
#define TESTS_PLAIN_PATTERNS_H

/* The patterns of values, searched in the plainest way: for one test program. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "session/value_patterns.h"

__extension__ typedef __int128 wide;

enum { ROOM = 1 << 18, MOST = 1 << 15 };

static unsigned char contents[ROOM];
static uint64_t known[ROOM / 256];

/* An element: its index, its bits (those of +0 and of one NaN for all of these), its number. */
struct plain {
	uint64_t index;
	uint64_t bits;
	long double number; /* exact */
};

static struct plain plain[MOST], sorted[MOST];
static size_t plain_count;

static const unsigned sizes[ELEMENT_TYPES] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
static const unsigned singles[] = {23, 20, 15, 11, 7, 3}, doubles[] = {52, 46, 36, 28, 20, 12};

static inline bool is_float(unsigned type)
{
	return type >= ELEMENT_FLOAT16;
}

static inline long double half(uint16_t bits)
{
	int exponent = bits >> 10 & 31, mantissa = bits & 1023;
	long double number =
		exponent ? ldexpl(1024 + mantissa, exponent - 25) : ldexpl(mantissa, -24);

	if (exponent == 31)
		number = mantissa ? (long double)NAN : (long double)INFINITY;
	return bits >> 15 ? -number : number;
}

static inline long double number_of(unsigned type, uint64_t bits)
{
	union {
		uint64_t bits;
		int8_t int8;
		int16_t int16;
		int32_t int32;
		int64_t int64;
		float single;
		double twice;
	} as = {.bits = bits};

	switch (type) {
	case ELEMENT_INT8:
		return as.int8;
	case ELEMENT_INT16:
		return as.int16;
	case ELEMENT_INT32:
		return as.int32;
	case ELEMENT_INT64:
		return as.int64;
	case ELEMENT_FLOAT16:
		return half((uint16_t)bits);
	case ELEMENT_FLOAT32:
		return (long double)as.single;
	case ELEMENT_FLOAT64:
		return (long double)as.twice;
	default:
		return bits;
	}
}

static inline uint64_t plain_bits(unsigned type, uint64_t bits)
{
	static const uint64_t nan[] = {[ELEMENT_FLOAT16] = 0x7e00,
				       [ELEMENT_FLOAT32] = 0x7fc00000,
				       [ELEMENT_FLOAT64] = UINT64_C(0x7ff8000000000000)};
	long double number = number_of(type, bits);

	if (is_float(type) && isnan(number))
		return nan[type];
	return is_float(type) && number == 0 ? 0 : bits;
}

static inline bool byte_is_known(uint64_t at)
{
	return known[at / 256] >> at / 4 % 64 & 1;
}

static inline void gather(uint64_t offset, uint64_t bytes, unsigned type, unsigned width)
{
	unsigned size = sizes[type];

	plain_count = 0;
	for (uint64_t i = 0; (i + 1) * size <= bytes; i++) {
		uint64_t at = offset + i * size, bits = 0;
		bool is_there = width != 3 || i % 4 != 3;

		for (unsigned byte = 0; byte < size; byte++) {
			is_there = is_there && byte_is_known(at + byte);
			bits |= (uint64_t)contents[at + byte] << 8 * byte;
		}
		if (!is_there)
			continue;
		bits = plain_bits(type, bits);
		plain[plain_count++] = (struct plain){i, bits, number_of(type, bits)};
	}
}

static inline int compare_bits(const void *left, const void *right)
{
	uint64_t one = ((const struct plain *)left)->bits,
		 other = ((const struct plain *)right)->bits;

	return one < other ? -1 : one > other;
}

static inline size_t count_of(uint64_t bits)
{
	size_t count = 0;

	for (size_t i = 0; i < plain_count; i++)
		count += plain[i].bits == bits;
	return count;
}

/* Returns true if all numbers are those of a type: integers from `least` to `most`. */
static inline bool all_between(long double least, long double most)
{
	for (size_t i = 0; i < plain_count; i++)
		if (!(plain[i].number >= least && plain[i].number <= most))
			return false;
	return true;
}

/* The narrowest integers that have all numbers, after a division by a power of two. */
static inline unsigned narrow_integers(unsigned own, bool has_sign)
{
	for (unsigned bits = 8; bits < own; bits *= 2)
		if (has_sign ? all_between(-ldexpl(1, (int)bits - 1), ldexpl(1, (int)bits - 1) - 1)
			     : all_between(0, ldexpl(1, (int)bits) - 1))
			return bits;
	return own;
}

static inline unsigned narrow_tail(unsigned own)
{
	unsigned zeros = own;

	for (size_t i = 0; i < plain_count; i++)
		while (zeros && zeros < 64 && plain[i].bits & ((UINT64_C(1) << zeros) - 1))
			zeros--;
	if (own == 64)
		for (size_t i = 0; i < plain_count; i++)
			while (zeros == 64 && plain[i].bits)
				zeros = (unsigned)__builtin_ctzll(plain[i].bits);
	for (size_t i = 0; i < plain_count; i++)
		while (zeros && zeros < 64 && plain[i].bits & ((UINT64_C(1) << zeros) - 1))
			zeros--;
	return own - zeros <= 8 ? 8 : own - zeros <= 16 ? 16 : own - zeros <= 32 ? 32 : own;
}

static inline bool is_half(long double number)
{
	int exponent;
	long double mantissa = ldexpl(frexpl(number, &exponent), 11);

	if (!isfinite(number) || number == 0)
		return true;
	return fabsl(number) <= 65504 && truncl(mantissa) == mantissa &&
	       truncl(ldexpl(number, 24)) == ldexpl(number, 24);
}

static inline unsigned narrow_floats(unsigned own)
{
	bool halves = own > 16, floats = own > 32;

	for (size_t i = 0; i < plain_count; i++) {
		long double number = plain[i].number;

		floats = floats && (isnan(number) || (long double)(float)number == number);
		if (halves && (i == 0 || plain[i].bits != plain[i - 1].bits))
			halves = is_half(number);
	}
	return halves ? 16 : floats ? 32 : own;
}

static inline bool are_whole(unsigned type)
{
	long double limit = ldexpl(1, (int)(8 * sizes[type]) - 1);
	long double off = type == ELEMENT_FLOAT64 ? 1e-14L : type == ELEMENT_FLOAT32 ? 1e-6L : 0;

	for (size_t i = 0; i < plain_count; i++)
		if (!(plain[i].number >= -limit && plain[i].number < limit &&
		      fabsl(plain[i].number - roundl(plain[i].number)) <= off))
			return false;
	return true;
}

static inline wide integer(const struct plain *element, unsigned type)
{
	return type <= ELEMENT_INT64 ? (wide)(int64_t)element->number : (wide)element->bits;
}

static inline bool is_line_of_integers(unsigned type)
{
	const struct plain *first = &plain[0], *last = &plain[plain_count - 1];
	wide rise = integer(last, type) - integer(first, type);
	wide run = (wide)(last->index - first->index);

	if (plain_count < 3 || !rise || rise % run)
		return false;
	for (size_t i = 0; i < plain_count; i++)
		if ((integer(&plain[i], type) - integer(first, type)) * run !=
		    rise * (wide)(plain[i].index - first->index))
			return false;
	return true;
}

static inline bool is_line_of_floats(unsigned type)
{
	const struct plain *first = &plain[0], *last = &plain[plain_count - 1];
	int bits = type == ELEMENT_FLOAT64 ? 52 : type == ELEMENT_FLOAT32 ? 23 : 10;
	long double unit, slope;

	if (plain_count < 3 || !isfinite(first->number) || !isfinite(last->number))
		return false;
	unit = ldexpl(fmaxl(fabsl(first->number), fabsl(last->number)), -bits);
	slope = (last->number - first->number) / (last->index - first->index);
	if (first->number == last->number || fabsl(last->number - first->number) < 64 * unit)
		return false;
	for (size_t i = 0; i < plain_count; i++)
		if (!(fabsl(plain[i].number - first->number -
			    slope * (plain[i].index - first->index)) <= 4 * unit))
			return false;
	return true;
}

/* The least squares, in the plain way. */
static inline void assert_line(const struct value_patterns *found)
{
	long double x = 0, y = 0, xx = 0, xy = 0, scale = 0, slope, start;

	for (size_t i = 0; i < plain_count; i++) {
		x += plain[i].index;
		y += plain[i].number;
		scale = fmaxl(scale, fabsl(plain[i].number));
	}
	x /= plain_count;
	y /= plain_count;
	for (size_t i = 0; i < plain_count; i++) {
		xx += (plain[i].index - x) * (plain[i].index - x);
		xy += (plain[i].index - x) * (plain[i].number - y);
	}
	slope = xy / xx;
	start = y - slope * x;
	assert_true(fabsl(slope - (long double)found->slope) <= 1e-9L * fabsl(slope));
	assert_true(fabsl(start - (long double)found->start) <= 1e-9L * scale);
}

static inline unsigned plain_kinds(unsigned type, size_t distinct, size_t most)
{
	long double off = type == ELEMENT_FLOAT64 ? 1e-14L : type == ELEMENT_FLOAT32 ? 1e-6L : 0;
	long double number = sorted[0].number;
	unsigned kinds = 0;

	if (distinct == 1)
		kinds |= number == 0 || (is_float(type) && fabsl(number) < off) ? PATTERN_ZEROS
										: PATTERN_SINGLE;
	else if ((distinct <= VALUE_DISTINCT && 10 * distinct <= plain_count) ||
		 (most > 1 && 2 * most >= plain_count))
		kinds |= PATTERN_FREQUENT;
	if (is_float(type) && are_whole(type))
		kinds |= PATTERN_INTEGERS;
	return kinds;
}

static inline void assert_narrow(const struct value_set *set, unsigned type, unsigned *kinds)
{
	unsigned own = 8 * sizes[type];
	unsigned with_sign = is_float(type) ? narrow_floats(own) : narrow_integers(own, true);
	unsigned without = is_float(type) ? own : narrow_integers(own, false);
	unsigned tail = is_float(type) ? own : narrow_tail(own);

	assert_int_equal(set->narrow_signed, with_sign);
	assert_int_equal(set->narrow_unsigned, without);
	assert_int_equal(set->narrow_tail, tail);
	if (with_sign < own || without < own || tail < own)
		*kinds |= PATTERN_NARROW;
}

static inline void assert_set(const struct value_set *set, unsigned type, unsigned kinds)
{
	size_t distinct = 0, most = 0, repeated = 0;

	memcpy(sorted, plain, plain_count * sizeof(*plain));
	qsort(sorted, plain_count, sizeof(*sorted), compare_bits);
	for (size_t i = 0, count = 0; i < plain_count; i++) {
		count = i && sorted[i].bits == sorted[i - 1].bits ? count + 1 : 1;
		distinct += count == 1;
		repeated += count == 2;
		most = count > most ? count : most;
	}
	assert_int_equal(set->has_more, distinct > VALUE_DISTINCT);
	assert_int_equal(set->distinct, distinct > VALUE_DISTINCT ? VALUE_DISTINCT : distinct);
	kinds |= plain_kinds(type, distinct, most);
	assert_narrow(set, type, &kinds);
	assert_int_equal(set->kinds, kinds);
	if (!set->has_more)
		assert_int_equal(set->top_count, repeated < VALUE_TOP ? repeated : VALUE_TOP);
	if (!set->has_more && most > 1)
		assert_int_equal(set->top[0].count, most);
	for (uint32_t i = 0; i < set->top_count; i++) {
		assert_int_equal(set->top[i].count, count_of(set->top[i].value));
		assert_true(!i || set->top[i].count <= set->top[i - 1].count);
	}
}

static inline void round_plain(unsigned type, unsigned level)
{
	unsigned dropped = type == ELEMENT_FLOAT64   ? 52 - doubles[level]
			   : type == ELEMENT_FLOAT32 ? 23 - singles[level]
			   : singles[level] < 10     ? 10 - singles[level]
						     : 0;

	for (size_t i = 0; i < plain_count; i++) {
		plain[i].bits = plain_bits(type, plain[i].bits >> dropped << dropped);
		plain[i].number = number_of(type, plain[i].bits);
	}
}

#endif

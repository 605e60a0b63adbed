/* SPDX-License-Identifier: MIT */
#include "base/number.h"

#include <endian.h>
#include <string.h>

static const char pairs[201] = "00010203040506070809101112131415161718192021222324"
			       "25262728293031323334353637383940414243444546474849"
			       "50515253545556575859606162636465666768697071727374"
			       "75767778798081828384858687888990919293949596979899";

/* powers[0] is 0, not 1, so that 0 has one digit. */
static const uint64_t powers[20] = {
	0ULL,
	10ULL,
	100ULL,
	1000ULL,
	10000ULL,
	100000ULL,
	1000000ULL,
	10000000ULL,
	100000000ULL,
	1000000000ULL,
	10000000000ULL,
	100000000000ULL,
	1000000000000ULL,
	10000000000000ULL,
	100000000000000ULL,
	1000000000000000ULL,
	10000000000000000ULL,
	100000000000000000ULL,
	1000000000000000000ULL,
	10000000000000000000ULL,
};

static unsigned int bit_length(uint64_t value)
{
	return 64 - (unsigned int)__builtin_clzll(value | 1);
}

/* 1233 / 4096 is slightly more than log10(2). */
static unsigned int digit_count(uint64_t value)
{
	unsigned int guess = bit_length(value) * 1233 >> 12;

	return guess + (value >= powers[guess]);
}

/* Writes the lowest `digits` digits of `value`, with leading zeros. */
static char *write_digits(char *to, uint64_t value, unsigned int digits)
{
	char *end = to + digits;
	char *at = end;

	while (at - to >= 2) {
		at -= 2;
		memcpy(at, pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (at > to)
		*to = (char)('0' + value % 10);
	return end;
}

static inline char *write_pair(char *to, uint32_t value)
{
	memcpy(to, pairs + value * 2, 2);
	return to + 2;
}

/* For values below 10000. */
static inline char *write_small(char *to, uint32_t value)
{
	uint32_t hundreds = value / 100;

	if (value < 10) {
		*to = (char)('0' + value);
		return to + 1;
	}
	if (hundreds >= 10)
		to = write_pair(to, hundreds);
	else if (hundreds)
		*to++ = (char)('0' + hundreds);
	return write_pair(to, value - hundreds * 100);
}

/* Most numbers have few digits and are written without a loop. */
char *number_decimal(char *to, uint64_t value)
{
	uint32_t upper, lower;

	if (value < 10000)
		return write_small(to, (uint32_t)value);
	if (value >= 100000000)
		return write_digits(to, value, digit_count(value));
	upper = (uint32_t)value / 10000;
	lower = (uint32_t)value % 10000;
	to = write_small(to, upper);
	to = write_pair(to, lower / 100);
	return write_pair(to, lower % 100);
}

uint64_t number_read(const char *text, const char **end)
{
	uint64_t value = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			value = UINT64_MAX;
	if (end)
		*end = text;
	return value;
}

/* Spreads the eight hex digits of `value` to one byte each, highest first in memory. */
static void write_nibbles(char *to, uint32_t value)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t digits = __builtin_bswap32(value), letters;

	digits = (digits | digits << 16) & 0x0000ffff0000ffff;
	digits = (digits | digits << 8) & 0x00ff00ff00ff00ff;
	digits = (digits >> 4 | digits << 8) & 0x0f0f0f0f0f0f0f0f;
	letters = (digits + 6 * ones) >> 4 & ones;
	digits += '0' * ones + letters * ('a' - '0' - 10);
	digits = htole64(digits);
	memcpy(to, &digits, sizeof(digits));
}

char *number_hex(char *to, uint64_t value)
{
	unsigned int length = (bit_length(value) + 3) / 4;
	char digits[32];

	write_nibbles(digits, (uint32_t)(value >> 32));
	write_nibbles(digits + 8, (uint32_t)value);
	memcpy(to, digits + 16 - length, 16);
	return to + length;
}

/* Writes ".007" for 7. */
static inline char *write_rest(char *to, uint32_t thousandths)
{
	uint32_t tenths = thousandths / 100;

	to[0] = '.';
	to[1] = (char)('0' + tenths);
	return write_pair(to + 2, thousandths - tenths * 100);
}

static char *write_thousandths(char *to, uint64_t thousandths)
{
	uint32_t small = (uint32_t)thousandths, whole = small / 1000;

	if (thousandths >= 10000000)
		return write_rest(number_decimal(to, thousandths / 1000),
				  (uint32_t)(thousandths % 1000));
	return write_rest(write_small(to, whole), small - whole * 1000);
}

char *number_thousandths(char *to, uint64_t thousandths)
{
	return write_thousandths(to, thousandths);
}

/* Rounds a value that is not negative. */
static uint64_t nearest(double value)
{
	int64_t whole;
	double rest;

	if (value >= 0x1p63)
		return UINT64_C(1) << 63;
	whole = (int64_t)value;
	rest = value - (double)whole;
	return (uint64_t)whole + (rest > 0.5 || (rest == 0.5 && (whole & 1)));
}

/* Multiplies limbs (base 10^9, lowest first) by 2^shift, shift < 32; `count` limbs hold the
 * result. */
static void multiply(uint32_t *limbs, unsigned int count, unsigned int shift)
{
	uint64_t carry = 0;

	for (unsigned int i = 0; i < count; i++) {
		carry += (uint64_t)limbs[i] << shift;
		limbs[i] = (uint32_t)(carry % 1000000000);
		carry /= 1000000000;
	}
}

/* Writes mantissa * 2^shift, an integer of up to 128 bits. */
static char *write_integer(char *to, uint32_t mantissa, unsigned int shift)
{
	uint32_t limbs[5] = {mantissa};
	unsigned int top = 4;

	if (shift <= 40)
		return number_decimal(to, (uint64_t)mantissa << shift);
	for (; shift > 31; shift -= 31)
		multiply(limbs, 5, 31);
	multiply(limbs, 5, shift);
	while (!limbs[top])
		top--;
	to = number_decimal(to, limbs[top]);
	while (top--)
		to = write_digits(to, limbs[top], 9);
	return to;
}

/* A float is mantissa * 2^(exponent - 150), the mantissa an integer below 2^24. */
char *number_float(char *to, float value)
{
	uint32_t bits, exponent, mantissa;

	memcpy(&bits, &value, sizeof(bits));
	exponent = bits >> 23 & 0xff;
	mantissa = bits & 0x7fffff;
	if (bits >> 31)
		*to++ = '-';
	if (exponent < 150) /* value * 1000 is exact in a double */
		return write_thousandths(to, nearest(__builtin_fabs((double)value) * 1000));
	if (exponent == 0xff) {
		memcpy(to, mantissa ? "nan" : "inf", 3);
		return to + 3;
	}
	mantissa |= 0x800000;
	to = write_integer(to, mantissa, exponent - 150);
	memcpy(to, ".000", 4);
	return to + 4;
}

/* Rounds to a multiple of 2^bits, and divides by that; a half becomes even. */
static uint64_t shift_nearest(uint64_t value, unsigned int bits)
{
	uint64_t whole = value >> bits, twice = (value - (whole << bits)) * 2;

	return whole + (twice > UINT64_C(1) << bits ||
			(twice == UINT64_C(1) << bits && (whole & 1)));
}

/* The same value without floating point, for microseconds from 1 to 2^24 - 1: as an integer of 24
 * bits, divided by 2^bits. */
static uint64_t float_thousandths(uint64_t nanoseconds)
{
	unsigned int bits = 24 - bit_length(nanoseconds / 1000);
	uint64_t shifted = nanoseconds << bits, whole = shifted / 1000;
	uint32_t rest = (uint32_t)(shifted - whole * 1000);

	whole += rest > 500 || (rest == 500 && (whole & 1));
	return shift_nearest(whole * 1000, bits);
}

/* The number is that of a float. Below 2^23 ns the float is within half a nanosecond, so its
 * decimals are the nanoseconds. */
char *number_microseconds(char *to, uint64_t nanoseconds)
{
	if (nanoseconds < 1 << 23)
		return write_thousandths(to, nanoseconds);
	if (nanoseconds < UINT64_C(1000) << 24)
		return write_thousandths(to, float_thousandths(nanoseconds));
	return number_float(to, (float)((double)nanoseconds / 1000.0));
}

static char *write_sign(char *to, double value)
{
	if (value < 0)
		*to++ = '-';
	return to;
}

char *number_whole(char *to, double value)
{
	uint64_t size = nearest(__builtin_fabs(value));

	return number_decimal(write_sign(to, size ? value : 0), size);
}

char *number_real(char *to, double value)
{
	double size = __builtin_fabs(value);

	/* From 2^43 on, thousandths exceed the exact integers of a double (2^53). */
	if (size < 0x1p43) {
		uint64_t thousandths = nearest(size * 1000);

		return write_thousandths(write_sign(to, thousandths ? value : 0), thousandths);
	}
	to = number_decimal(write_sign(to, value), nearest(size));
	memcpy(to, ".000", 4);
	return to + 4;
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/number.h"

enum { RANDOM_VALUES = 2000000 };

static uint64_t random_state = 0x9e3779b97f4a7c15;

static uint64_t random_number(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void check(const char *expected, const char *text, const char *end)
{
	size_t length = strlen(expected);

	if ((size_t)(end - text) != length || memcmp(text, expected, length) != 0)
		fail_msg("%.*s instead of %s", (int)(end - text), text, expected);
	assert_true(length <= NUMBER_SIZE);
}

static void check_float(float value)
{
	char expected[64], text[NUMBER_SIZE];

	snprintf(expected, sizeof(expected), "%.3f", (double)value);
	memset(text, '?', sizeof(text));
	check(expected, text, number_float(text, value));
	if (strlen(expected) < sizeof(text))
		assert_int_equal(text[strlen(expected)], '?');
}

static void check_decimal(uint64_t value)
{
	char expected[64], text[NUMBER_SIZE];

	snprintf(expected, sizeof(expected), "%llu", (unsigned long long)value);
	check(expected, text, number_decimal(text, value));
}

static void check_hex(uint64_t value)
{
	char expected[64], text[NUMBER_SIZE];

	snprintf(expected, sizeof(expected), "%llx", (unsigned long long)value);
	check(expected, text, number_hex(text, value));
}

static void check_microseconds(uint64_t nanoseconds)
{
	char expected[64], text[NUMBER_SIZE];

	snprintf(expected, sizeof(expected), "%.3f", (double)(float)((double)nanoseconds / 1000.0));
	check(expected, text, number_microseconds(text, nanoseconds));
}

static void test_integers_around_powers(void **state)
{
	(void)state;
	for (unsigned int shift = 0; shift < 64; shift++) {
		for (uint64_t i = 0; i < 5; i++) {
			check_decimal((1ULL << shift) + i - 2);
			check_hex((1ULL << shift) + i - 2);
		}
	}
	for (uint64_t power = 1; power <= UINT64_MAX / 10; power *= 10) {
		for (uint64_t i = 0; i < 3; i++)
			check_decimal(power * 10 + i - 1);
	}
}

static void test_random_integers(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < RANDOM_VALUES / 4; i++) {
		uint64_t value = random_number() >> (random_number() & 63);

		check_decimal(value);
		check_hex(value);
	}
}

static void test_every_exponent(void **state)
{
	static const uint32_t mantissas[] = {0,	       1,	 2,	   0x3fffff,
					     0x400000, 0x400001, 0x7ffffe, 0x7fffff};

	(void)state;
	for (uint32_t high = 0; high < 512; high++) {
		for (unsigned int i = 0; i < sizeof(mantissas) / sizeof(mantissas[0]); i++) {
			/* printf's text for a NaN with a sign depends on the C library. */
			if ((high & 255) != 255 || !mantissas[i])
				check_float(float_of(high << 23 | mantissas[i]));
		}
		for (unsigned int i = 0; (high & 255) != 255 && i < 1000; i++)
			check_float(float_of(high << 23 | (uint32_t)(random_number() & 0x7fffff)));
	}
}

static void test_random_floats(void **state)
{
	(void)state;
	/* From 2^-14 to 2^50, the range of the logs' values. */
	for (unsigned int i = 0; i < RANDOM_VALUES; i++) {
		uint32_t exponent = 113 + (uint32_t)(random_number() & 63);

		check_float(float_of(exponent << 23 | (uint32_t)(random_number() & 0x7fffff)));
	}
}

static void test_ties_go_to_even(void **state)
{
	char text[NUMBER_SIZE];

	(void)state;
	check("0.062", text, number_float(text, 0.0625f));
	check("0.188", text, number_float(text, 0.1875f));
	check("2.500", text, number_float(text, 2.5f));
	/* Odd multiples of 1/16 have four decimals, the last one a 5. */
	for (uint32_t i = 1; i < 1 << 20; i += 2) {
		check_float((float)i / 16);
		check_float((float)i / 16 * -1);
	}
}

static void test_special_floats(void **state)
{
	char text[NUMBER_SIZE];

	(void)state;
	check("inf", text, number_float(text, float_of(0x7f800000)));
	check("-inf", text, number_float(text, float_of(0xff800000)));
	check("nan", text, number_float(text, float_of(0x7fc00000)));
	check("-nan", text, number_float(text, float_of(0xffc00000)));
	check("-0.000", text, number_float(text, -0.0f));
	check("340282346638528859811704183484516925440.000", text,
	      number_float(text, float_of(0x7f7fffff)));
}

static void test_microseconds(void **state)
{
	char text[NUMBER_SIZE];

	(void)state;
	check("23802.943", text, number_microseconds(text, 23802944));
	check("0.000", text, number_microseconds(text, 0));
	check("0.001", text, number_microseconds(text, 1));
	check("0.000", text, number_thousandths(text, 0));
	check("8657118000.017", text, number_thousandths(text, 8657118000017));
	check("18446744073709551.615", text, number_thousandths(text, UINT64_MAX));
	check("9999.999", text, number_microseconds(text, 9999999));
	check("10000.000", text, number_microseconds(text, 10000000));
	check("10000.001", text, number_microseconds(text, 10000001));
	check("8657118.000", text, number_microseconds(text, 8657118000));
	check_microseconds(UINT64_MAX);
	/* Up to the limit where the decimals of the float are the nanoseconds, and beyond. */
	for (uint64_t i = 0; i < 9000000; i += i < 8380000 ? 97 : 1)
		check_microseconds(i);
	for (unsigned int i = 0; i < RANDOM_VALUES / 2; i++)
		check_microseconds(random_number() >> (random_number() & 63));
}

static void check_read(const char *text, uint64_t expected, size_t length)
{
	const char *end;

	assert_int_equal(number_read(text, &end), expected);
	assert_int_equal(end - text, length);
	assert_int_equal(number_read(text, NULL), expected);
}

static void test_read(void **state)
{
	char text[NUMBER_SIZE];

	(void)state;
	check_read("", 0, 0);
	check_read("-1", 0, 0);
	check_read(" 1", 0, 0);
	check_read("x1", 0, 0);
	check_read("0x10", 0, 1);
	check_read("007 bond", 7, 3);
	check_read("18446744073709551614", UINT64_MAX - 1, 20);
	check_read("18446744073709551615", UINT64_MAX, 20);
	check_read("18446744073709551616", UINT64_MAX, 20);
	check_read("184467440737095516150000 ", UINT64_MAX, 24);
	for (unsigned int i = 0; i < RANDOM_VALUES / 20; i++) {
		uint64_t value = random_number() >> (random_number() & 63);
		char *end = number_decimal(text, value);

		*end = '\0';
		check_read(text, value, (size_t)(end - text));
	}
}

static void check_double(const char *whole, const char *real, double value)
{
	char text[NUMBER_SIZE];

	check(whole, text, number_whole(text, value));
	memset(text, '?', sizeof(text));
	check(real, text, number_real(text, value));
	if (strlen(real) < sizeof(text))
		assert_int_equal(text[strlen(real)], '?');
}

/* Values of counters. */
static void test_doubles(void **state)
{
	(void)state;
	check_double("0", "0.000", 0);
	check_double("0", "0.000", -0.0);
	check_double("0", "0.000", -0.0001);
	check_double("0", "0.500", 0.5);
	check_double("2", "1.500", 1.5);
	check_double("2", "2.500", 2.5);
	check_double("-3", "-2.750", -2.75);
	check_double("1", "0.999", 0.9994);
	check_double("1", "1.000", 0.9996);
	check_double("4294967296", "4294967296.000", 4294967296.0);
	check_double("8796093022208", "8796093022207.999", 8796093022207.999);
	check_double("9007199254740994", "9007199254740994.000", 9007199254740994.0);
	check_double("9223372036854775808", "9223372036854775808.000", 1e300);
	check_double("-9223372036854775808", "-9223372036854775808.000", -__builtin_inf());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers_around_powers),
		cmocka_unit_test(test_random_integers),
		cmocka_unit_test(test_every_exponent),
		cmocka_unit_test(test_random_floats),
		cmocka_unit_test(test_ties_go_to_even),
		cmocka_unit_test(test_special_floats),
		cmocka_unit_test(test_microseconds),
		cmocka_unit_test(test_doubles),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

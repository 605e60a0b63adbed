/* SPDX-License-Identifier: MIT */
/* Numbers as in nvprof's output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "view/format/quantity.h"

struct sample {
	double value;
	const char *text;
};

static void expect_all(const struct quantity *quantity, int unit, const struct sample *sample)
{
	struct strbuf text = STRBUF_INIT;

	for (; sample->text; sample++) {
		text.length = 0;
		quantity_put(&text, quantity, unit, sample->value);
		assert_string_equal(strbuf_text(&text), sample->text);
	}
	strbuf_free(&text);
}

static void test_times(void **state)
{
	static const struct sample samples[] = {
		{0, "0ns"},
		{896, "896ns"},
		{999, "999ns"},
		{1000, "1.0000us"},
		{1313, "1.3130us"},
		{23808, "23.808us"},
		{787514, "787.51us"},
		{3801000, "3.8010ms"},
		{36418500, "36.419ms"},
		{570250000, "570.25ms"},
		{1425290000, "1.42529s"},
		{24748500000, "24.7485s"},
		{279125000000, "279.125s"},
		{1234567000000, "1234.57s"},
		/* values that are rounded to one more digit */
		{9999960, "10.000ms"},
		{99999600, "100.00ms"},
		{999996, "1000.0us"},
		{0, NULL},
	};

	(void)state;
	expect_all(&quantity_time, QUANTITY_AUTO, samples);
}

static void test_one_unit(void **state)
{
	static const struct sample milliseconds[] = {
		{0, "0.0000ms"},
		{1500, "0.001500ms"},
		{250000, "0.25000ms"},
		{1500000, "1.5000ms"},
		{123456789, "123.46ms"},
		{1e12, "1000000ms"},
		{0, NULL},
	};
	static const struct sample seconds[] = {{1, "0.000000001s"}, {2e9, "2.00000s"}, {0, NULL}};
	static const struct sample nanoseconds[] = {{1425290123, "1425290123ns"}, {0, NULL}};

	(void)state;
	expect_all(&quantity_time, 2, milliseconds);
	expect_all(&quantity_time, 3, seconds);
	expect_all(&quantity_time, 0, nanoseconds);
}

static void test_sizes(void **state)
{
	static const struct sample sizes[] = {
		{0, "0B"},
		{8, "8B"},
		{1023, "1023B"},
		{1024, "1.0000KB"},
		{1142, "1.1152KB"},
		{200000, "195.31KB"},
		{4194304, "4.0000MB"},
		{134217728, "128.00MB"},
		{2147483648, "2.0000GB"},
		{0, NULL},
	};
	static const struct sample rates[] = {
		{8 / 1344e-9, "5.6766MB/s"},
		{262144 / 26016e-9, "9.3842GB/s"},
		{262144 / 22016e-9, "11.089GB/s"},
		{0, NULL},
	};

	(void)state;
	expect_all(&quantity_size, QUANTITY_AUTO, sizes);
	expect_all(&quantity_rate, QUANTITY_AUTO, rates);
}

static void test_csv(void **state)
{
	struct strbuf text = STRBUF_INIT;

	(void)state;
	assert_int_equal(quantity_unit(&quantity_size, 1028), 1);
	quantity_put_csv(&text, &quantity_size, 1, 1028);
	assert_string_equal(strbuf_text(&text), "1.003906");
	strbuf_free(&text);
}

static double any_value(int i)
{
	double value = (double)next_random() * (double)(1u << (next_random() % 31));

	switch (i % 4) {
	case 0:
		return value;
	case 1: /* halves of the last digit, as for times in a larger unit */
		return (double)(next_random() % 2000000) * 5;
	case 2: /* and as for sizes, which are exact halves */
		return (double)(next_random() % 4096) * 8;
	default:
		return value / next_random();
	}
}

/* Each digit equals printf's, for any value. */
static void test_as_printf(void **state)
{
	static const struct quantity *const kinds[] = {&quantity_time, &quantity_size,
						       &quantity_rate};
	struct strbuf text = STRBUF_INIT;
	char expected[512];

	(void)state;
	for (int i = 0; i < 400000; i++) {
		const struct quantity *quantity = kinds[i % 3];
		int unit = (int)(next_random() % QUANTITY_UNITS), decimals = 0;
		double value = any_value(i), size = quantity->units[unit].size;
		const char *point;

		text.length = 0;
		quantity_put_csv(&text, quantity, unit, value);
		snprintf(expected, sizeof(expected), "%.6f", value / size);
		assert_string_equal(strbuf_text(&text), expected);
		text.length = 0;
		quantity_put(&text, quantity, unit, value);
		point = strchr(strbuf_text(&text), '.');
		if (point)
			decimals = (int)strspn(point + 1, "0123456789");
		snprintf(expected, sizeof(expected), "%.*f%s", decimals, value / size,
			 quantity->units[unit].name);
		assert_string_equal(strbuf_text(&text), expected);
	}
	strbuf_free(&text);
}

static void test_not_finite(void **state)
{
	struct strbuf text = STRBUF_INIT;

	(void)state;
	quantity_put_csv(&text, &quantity_rate, 0, __builtin_inf());
	strbuf_char(&text, ' ');
	quantity_put_csv(&text, &quantity_time, 0, 0x1p64);
	strbuf_char(&text, ' ');
	strbuf_decimal(&text, UINT64_MAX);
	assert_string_equal(strbuf_text(&text),
			    "inf 18446744073709551616.000000 18446744073709551615");
	strbuf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),	  cmocka_unit_test(test_one_unit),
		cmocka_unit_test(test_sizes),	  cmocka_unit_test(test_csv),
		cmocka_unit_test(test_as_printf), cmocka_unit_test(test_not_finite),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

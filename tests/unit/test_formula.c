/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "model/formula.h"

static void test_values(void **state)
{
	static const struct {
		const char *text;
		double value; /* where the first name is 12, the second 4, the third 2 */
	} cases[] = {
		{"a", 12},
		{" a.sum.pct_1 ", 12},
		{"a+b", 16},
		{"a - b - c", 6},
		{"a / b / c", 1.5},
		{"a - b * c", 4},
		{"(a - b) * c", 16},
		{"a - (b - c)", 10},
		{"a * 2.5", 30},
		{"2 * a", 24},
		{"a / a * 100", 100},
		{"a + b + a", 28},
		{"((((a))))", 12},
		{"(a + b) / (a - b)\t* 0.125", 0.25},
	};
	const double values[] = {12, 4, 2};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct formula formula;
		const char *text = cases[i].text;

		assert_null(formula_parse(&formula, text, strlen(text)));
		if (formula_value(&formula, values) != cases[i].value)
			fail_msg("%s: %g", text, formula_value(&formula, values));
	}
}

static void test_names(void **state)
{
	static const char text[] = "one.sum + two * one.sum and what follows";
	struct formula formula;

	(void)state;
	assert_null(formula_parse(&formula, text, strlen("one.sum + two * one.sum")));
	assert_int_equal(formula.name_count, 2);
	assert_int_equal(formula.names[0].length, 7);
	assert_memory_equal(formula.names[0].text, "one.sum", 7);
	assert_int_equal(formula.names[1].length, 3);
	assert_memory_equal(formula.names[1].text, "two", 3);
}

/* Numbers in all formats. */
static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		double value; /* where a is 12 */
	} cases[] = {
		{"a*1.", 12},
		{"1.+a", 13},
		{"1.25*a", 15},
		{"10.05+a", 22.05},
		{"9.99+a", 21.99},
		{"(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)+(a)", 120},
		{"((((((((a))))))))", 12},
	};
	const double twelve = 12;
	struct formula formula;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *wrong = formula_parse(&formula, cases[i].text, strlen(cases[i].text));

		if (wrong || fabs(formula_value(&formula, &twelve) - cases[i].value) > 1e-12)
			fail_msg("%s: %s", cases[i].text, wrong ? wrong : "another value");
	}
	assert_true(isnan(formula_value(&(struct formula){0}, &twelve)));
	/* Bytes after the text are ignored. */
	assert_null(formula_parse(&formula, "a+1 1", 4));
	assert_null(formula_parse(&formula, "a+12", 3));
	assert_true(formula_value(&formula, &twelve) == 13);
	assert_null(formula_parse(&formula, "a+1.25", 5));
	assert_true(formula_value(&formula, &twelve) == 13.2);
	assert_null(formula_parse(&formula, "a+1.5", 3));
	assert_true(formula_value(&formula, &twelve) == 13);
	assert_null(formula_parse(&formula, "a+1b", 3));
	assert_null(formula_parse(&formula, "abcz_Z9+1", 7));
	assert_int_equal(formula.names[0].length, 7);
	assert_null(formula_parse(&formula, "abcd", 3));
	assert_int_equal(formula.names[0].length, 3);
}

static void test_zero(void **state)
{
	const double values[] = {1, 0};
	struct formula formula;

	(void)state;
	assert_null(formula_parse(&formula, "a / b + 1", 9));
	assert_true(isnan(formula_value(&formula, values)));
}

static void check_wrong(const char *text, const char *wrong)
{
	struct formula formula;
	const char *said = formula_parse(&formula, text, strlen(text));

	if (!said || strcmp(said, wrong))
		fail_msg("'%s': %s", text, said ? said : "taken");
}

static void test_wrong(void **state)
{
	char many[200] = "a";

	(void)state;
	check_wrong("", "a name or a number is missing");
	check_wrong("a +", "a name or a number is missing");
	check_wrong("* a", "a name or a number is missing");
	check_wrong("a + -b", "a name or a number is missing");
	check_wrong("a + ;", "a name or a number is missing");
	check_wrong("(a", "a bracket is not closed");
	check_wrong("(a b)", "a bracket is not closed");
	check_wrong("a)", "a bracket is closed that was not opened");
	check_wrong("a b", "between two names there must be one of + - * /");
	check_wrong("a, b", "between two names there must be one of + - * /");
	check_wrong("2 * 3", "it has no name in it");
	check_wrong("2a", "no name begins with a digit");
	check_wrong("2a + ; b", "no name begins with a digit");
	check_wrong("(((((((((a)))))))))", "it has too many brackets");
	for (int i = 0; i < 16; i++)
		strcat(many, "+b0");
	check_wrong("a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q", "it has too many parts");
	for (int i = 0; i < 16; i++)
		strcat(many, "+b1");
	check_wrong(many, "it has too many parts");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_zero),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Conditions of directives, against C99 6.10.1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/condition.h"

static const struct {
	const char *text;
	int result; /* -1: no constant expression */
} cases[] = {
	{"1", 1},
	{"0", 0},
	{"unknown", 0},
	{"2 + 3 * 4 == 14", 1},
	{"(2 + 3) * 4 == 20", 1},
	{"10 - 4 - 3 == 3", 1},
	{"1 << 2 + 1 == 8", 1},
	{"1 << 2 | 1 && 0 || 1", 1},
	{"0 ? 0 : 1 ? 2 : 0", 1},
	{"!0 && !!5 && ~0 == -1", 1},
	{"-1 > 0u", 1},
	{"-1 > 0", 0},
	{"-7 / 2 == -3 && -7 % 2 == -1", 1},
	{"0x10UL == 16 && 010 == 8", 1},
	{"-9223372036854775807 - 1 < 0", 1},
	{"(-9223372036854775807 - 1) / -1 < 0", 1},
	{"1 / 0", 0},
	{"0 && 1 / 0", 0},
	{"-16 >> 2 == -4", 1},
	{"3 >= 3 && 3 <= 3 && !(3 > 3) && !(3 < 3) && 3 != 4", 1},
	{"6 & 3 ^ 1", 1},
	{"'a' == 97", 1},
	{"defined ONE", 1},
	{"defined(ONE) && !defined(NONE)", 1},
	{"ONE + ONE == 2", 1},
	{"ADD(ONE, 2) == 3", 1},
	{"VERSION >= 120", 1},
	{"defined VERSION", 1},
	{"", -1},
	{"1 +", -1},
	{"(1", -1},
	{"1)", -1},
	{"1 2", -1},
	{"1 ? 2", -1},
	{"1.5", -1},
	{"\"text\"", -1},
	{"defined", -1},
	{"defined(ONE", -1},
	{"ADD(1)", -1},
	{"12345678901234567890123456789012345", -1},
};

static struct token *tokens(struct arena *arena, const char *text)
{
	return token_read(arena, "", text, strlen(text));
}

static int evaluate(const char *text)
{
	struct arena arena = {0};
	struct macros macros = {.arena = &arena};
	bool result = false;
	int status;

	assert_false(macro_define(&macros, tokens(&arena, "ONE 1"), false));
	assert_false(macro_define(&macros, tokens(&arena, "ADD(a, b) (a + b)"), false));
	assert_false(macro_define(&macros, tokens(&arena, "VERSION 120"), true));
	status = condition_evaluate(&macros, tokens(&arena, text), &result);
	arena_free(&arena);
	return status ? -1 : result;
}

static void evaluates(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (evaluate(cases[i].text) != cases[i].result)
			fail_msg("#if %s is %d", cases[i].text, evaluate(cases[i].text));
}

/* Deep nesting is refused, not followed. */
static void ends(void **state)
{
	static char text[100001];

	(void)state;
	memset(text, '(', sizeof(text) - 1);
	assert_int_equal(evaluate(text), -1);
	memset(text, '!', sizeof(text) - 1);
	assert_int_equal(evaluate(text), -1);
	memset(text, '?', sizeof(text) - 1);
	for (size_t i = 0; i < sizeof(text) - 1; i += 2)
		text[i] = '1';
	assert_int_equal(evaluate(text), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evaluates),
		cmocka_unit_test(ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

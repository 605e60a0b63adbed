/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "settings/options.h"
#include "settings/pattern.h"

static void test_cheap(void **state)
{
	static const char *const patterns[] = {
		"",
		"^_Z9(matrix|vector)[A-Z][a-z]{2,3}.*$",
		"a{1000}",
		"(a{30}){32}", /* the group counts, too */
		"a{1,1000}",
		"a{999,}",
		"a{0}{1000}",
		"^[a-z]{1,250}_[0-9]{1,250}_{0,400}$",
		"a{2}{2}{2}{2}{2}{2}{2}{2}{2}",
		"a+++++++++",
		"a???????????????????????????????????????????",
		"a?b{0,2}c*|",
		"(a?b)+(ab?){2,}(a|b*c)*(a{1,}){2}",
		"(a?b?){0,20}((a|)(b{0,2}|c))?",
		"((a|)b)*(()b)+(^b)*(b$)+(b\\>)*",
		"(.+){1,3}[a-z]*(.{1,})?",
		"\\<a*\\.+\\(+",
		"[+++++++++++++++++++++++{999}{999}]",
		"[]+++++++++++++++++++++{999}{999}]",
		"[^]+++++++++++++++++++++{999}{999}]",
		"[[:alpha:]++++++++++++++[=a=][.].]+++{999}{999}]",
		"[\\1]",
		"a\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+",
		"a\\{999\\}\\{999\\}",
		"(a|b)|(c|d)",
		"a)b)",
		"\\\\1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (!pattern_is_cheap(patterns[i]))
			fail_msg("%s is cheap", patterns[i]);
}

static void test_expensive(void **state)
{
	static const char *const patterns[] = {
		"a{1001}",
		"a{32767}{32767}",
		"a{99999999999999999999}",
		"(a{30}){33}",
		"a{1,1001}",
		"a{1000,}",
		"a{,1001}",
		"a{1000}b",
		"(a|b){500}",
		"a++++++++++",
		"a**",
		"a?+",
		"a??????????????????????????????????????????????????????????????????+++",
		"(a?)*",
		"(a*b?c{0,3})+",
		"(a|b?|c)*",
		"(a|b|)+",
		"(|a)*",
		"()+",
		"(a{0}b*)+",
		"(((a?))(b?))+",
		"(a*){2,}",
		"(a*){0,}",
		"(a*){,}",
		"a{0,2}{1,}",
		"a{,2}+",
		"(^)*",
		"($|a?)+",
		"(\\<)*",
		"(\\>a?)*",
		"(\\b|b)*",
		"(\\B)+",
		"(\\`)+",
		"(\\')+",
		"(x(a?b?){2})*|(a?)*",
		"((((((((((a+)+)+)+)+)+)+)+)+)+",
		"(((a{11})*b{11})?|c{11}){40}",
		"[\\]+++++++++++]", /* a backslash has no meaning in it, the first ] does not end
				     * it */
		"[]a]{1001}",
		"[^]a]{1001}",
		"[[:alpha:]]{1001}",
		"[[.].]]{1001}",
		"[[=]=]]{1001}",
		"[)](a[(]b){500}",
		"(aaaa[)]){200}",
		"((((((((((a{10}){10}){10}",
		"\\(a{1001}",
		"a){1001}",
		"(a)\\1",
		"[\\](a)]\\1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (pattern_is_cheap(patterns[i]))
			fail_msg("%s is not cheap", patterns[i]);
}

/* More groups than supported. */
static void test_deep(void **state)
{
	char pattern[2001];

	(void)state;
	memset(pattern, '(', 2000);
	pattern[2000] = '\0';
	assert_false(pattern_is_cheap(pattern));
	pattern[100] = '\0';
	assert_true(pattern_is_cheap(pattern));
}

static void test_option(void **state)
{
	static const char wrong[] =
		"must have no back references, no + or * after an expression that can match the "
		"empty string, and at most 1000 characters with repetitions written out";
	const struct option_row *row = option_find("filter", "kernel");
	struct settings settings = {0};

	(void)state;
	assert_non_null(row);
	assert_null(option_set(row, &settings, "^a{3}$"));
	assert_string_equal(option_set(row, &settings, "a{32767}{32767}"), wrong);
	assert_string_equal(option_set(row, &settings, "(.*)(.*)(.*)(.*)\\4\\3\\2\\1c"), wrong);
	/* The earlier one stays in force. */
	assert_true(settings_logs_kernel(&settings, "aaa"));
	assert_false(settings_logs_kernel(&settings, "aa"));
	assert_string_equal(settings.kernel_filter, "^a{3}$");
	settings_free(&settings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cheap),
		cmocka_unit_test(test_expensive),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

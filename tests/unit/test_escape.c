/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "output/escape.h"

static void check(const char *name, enum escape escape, const char *expected)
{
	char text[256];
	char *end = escape_name(text, name, strlen(name), escape);

	assert_true((size_t)(end - text) <= ESCAPE_SIZE(strlen(name)));
	*end = '\0';
	assert_string_equal(text, expected);
}

static void check_name(const char *name, const char *word, const char *field)
{
	check(name, ESCAPE_WORD, word);
	check(name, ESCAPE_FIELD, field);
}

static void test_forging_names(void **state)
{
	(void)state;
	check_name("", "", "");
	check_name("a\nb\r\t\x01\x7f", "a\\x0ab\\x0d\\x09\\x01\\x7f",
		   "a\\x0ab\\x0d\\x09\\x01\\x7f");
	check_name("x ] gputime=[ 1 ]", "x\\x20\\x5d\\x20gputime=[\\x201\\x20\\x5d",
		   "x\\x20\\x5d\\x20gputime=[\\x201\\x20\\x5d");
	check_name("a] b", "a\\x5d\\x20b", "a\\x5d\\x20b");
	check_name("a[1]+b[2]", "a[1]+b[2\\x5d", "a[1]+b[2\\x5d");
	check_name("f<int, 2>", "f<int,\\x202>", "f<int\\x2c\\x202>");
	check_name("\"quoted\"", "\"quoted\"", "\\x22quoted\"");
	check_name("# CUDA_CONTEXT", "#\\x20CUDA_CONTEXT", "\\x23\\x20CUDA_CONTEXT");
	check_name("NV_Warning:a", "NV_Warning:a", "\\x4eV_Warning:a");
	check_name("=cmd()", "=cmd()", "\\x3dcmd()");
	check_name("+1", "+1", "\\x2b1");
	check_name("-1", "-1", "\\x2d1");
	check_name("@a=-+@", "@a=-+@", "\\x40a=-+@");
	check_name("back\\slash\\x41\\", "back\\slash\\x5cx41\\", "back\\slash\\x5cx41\\");
}

static void test_utf8_names(void **state)
{
	(void)state;
	check_name("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		   "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	check_name("\xff\x80", "\\xff\\x80", "\\xff\\x80");
	check_name("\xc0\xaf\xe0\x9f\xbf", "\\xc0\\xaf\\xe0\\x9f\\xbf",
		   "\\xc0\\xaf\\xe0\\x9f\\xbf");
	check_name("\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80");
	check_name("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80");
	check_name("\xe2\x82", "\\xe2\\x82", "\\xe2\\x82");
	check_name("\xc2\x85\xe2\x80\xa8", "\\xc2\\x85\\xe2\\x80\\xa8",
		   "\\xc2\\x85\\xe2\\x80\\xa8");
	check_name("\xe2\x80\x99\xc2\xa0", "\xe2\x80\x99\xc2\xa0", "\xe2\x80\x99\xc2\xa0");
}

static void test_header_text(void **state)
{
	(void)state;
	check("Radeon (TM) Pro, rev. [2] ", ESCAPE_TEXT, "Radeon (TM) Pro, rev. [2] ");
	check("a\nb\\x41\xff", ESCAPE_TEXT, "a\\x0ab\\x5cx41\\xff");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forging_names),
		cmocka_unit_test(test_utf8_names),
		cmocka_unit_test(test_header_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

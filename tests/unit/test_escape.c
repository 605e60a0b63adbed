/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

/* Compares with escape_name, which checks every byte. */
static void check_word(const char *name)
{
	for (int escape = ESCAPE_TEXT; escape <= ESCAPE_FIELD; escape++) {
		char expected[256] = "", text[256] = "";

		char *end = escape_word(text, name, strlen(name), (enum escape)escape);

		assert_int_equal(escape_name(expected, name, strlen(name), (enum escape)escape) -
					 expected,
				 end - text);
		assert_string_equal(text, expected);
	}
}

static void test_config_words(void **state)
{
	(void)state;
	check_word("");
	check_word("_Z3addPfS_.a$0Z9");
	check_word("Name");
	check_word("NV_Warning");
	check_word("NV_Errors");
	check_word("NV_Other");
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

/* Returns the length of a UTF-8 sequence that is kept, by its definition; 0 if it is invalid. */
static size_t own_length(const uint8_t *at, size_t left)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = *at < 0xc0 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf8 ? 4 : 0;
	uint32_t code = *at & (0x7fu >> length);

	if (length > left)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if (at[i] < 0x80 || at[i] > 0xbf)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (!length || code < least[length] || code > 0x10ffff || code >> 11 == 0xd800 >> 11)
		return 0;
	return code < 0xa0 || code == 0x2028 || code == 0x2029 ? 0 : length;
}

static void check_bytes(const uint8_t *bytes, size_t size)
{
	char expected[64] = "", text[64], *end;

	for (size_t at = 0; at < size;) {
		size_t length = bytes[at] < 0x7f ? 1 : own_length(bytes + at, size - at);

		if (length)
			strncat(expected, (const char *)bytes + at, length);
		else
			snprintf(expected + strlen(expected), 5, "\\x%02x", bytes[at]);
		at += length ? length : 1;
	}
	end = escape_name(text, (const char *)bytes, size, ESCAPE_WORD);
	*end = '\0';
	assert_string_equal(text, expected);
}

/* Each first byte, with the limits of the following bytes. */
static void test_every_sequence(void **state)
{
	static const uint8_t second[] = {'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0};
	static const uint8_t third[] = {'a', 0x7f, 0x80, 0xa7, 0xa8, 0xa9, 0xaa, 0xbf, 0xc0};
	static const uint8_t fourth[] = {'a', 0x7f, 0x80, 0xbf, 0xc0};

	(void)state;
	for (unsigned int first = 0x80; first <= 0xff; first++)
		for (size_t i = 0; i < sizeof(second) * sizeof(third) * sizeof(fourth); i++) {
			const uint8_t bytes[] = {(uint8_t)first, second[i % 9], third[i / 9 % 9],
						 fourth[i / 81]};

			for (size_t size = 1; size <= sizeof(bytes); size++)
				check_bytes(bytes, size);
		}
}

static void check_part(const char *name, size_t length, enum escape escape, const char *expected)
{
	char text[256];
	char *end = escape_name(text, name, length, escape);

	*end = '\0';
	assert_string_equal(text, expected);
}

/* Bytes after a name have no effect. */
static void test_ends(void **state)
{
	(void)state;
	check_part("\\x", 1, ESCAPE_WORD, "\\");
	check_part("\\x", 2, ESCAPE_WORD, "\\x5cx");
	check_part("]a", 1, ESCAPE_WORD, "\\x5d");
	check_part("]a", 2, ESCAPE_WORD, "]a");
	check_part("] ", 2, ESCAPE_WORD, "\\x5d\\x20");
	check_part("a,b]", 4, ESCAPE_TEXT, "a,b]");
	check_part("NV_Warning", 10, ESCAPE_FIELD, "\\x4eV_Warning");
	check_part("NV_Warning", 9, ESCAPE_FIELD, "NV_Warnin");
	check_part("NV_Error", 8, ESCAPE_FIELD, "\\x4eV_Error");
	check_part("NV_Error", 7, ESCAPE_FIELD, "NV_Erro");
	check_part("\"", 1, ESCAPE_FIELD, "\\x22");
	check_part("#", 1, ESCAPE_FIELD, "\\x23");
	check_part("#", 0, ESCAPE_FIELD, "");
}

/* In tables, hidden and direction-changing characters are escaped, too; logs have a frozen format
 * and keep them. */
static void test_hidden(void **state)
{
	(void)state;
	check("a\xe2\x80\xae" "b", ESCAPE_SHOWN, "a\\xe2\\x80\\xaeb");
	check("a\xe2\x80\x8b" "b\xef\xbb\xbf", ESCAPE_SHOWN, "a\\xe2\\x80\\x8bb\\xef\\xbb\\xbf");
	check("\xc2\xad\xf3\xa0\x81\x81", ESCAPE_SHOWN, "\\xc2\\xad\\xf3\\xa0\\x81\\x81");
	check("\xe2\x80\x90\xc3\xa4, ]\xe2\x81\x9f", ESCAPE_SHOWN,
	      "\xe2\x80\x90\xc3\xa4, ]\xe2\x81\x9f");
	check("a\xe2\x80\xae" "b", ESCAPE_TEXT, "a\xe2\x80\xae" "b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forging_names),
		cmocka_unit_test(test_config_words),
		cmocka_unit_test(test_utf8_names),
		cmocka_unit_test(test_header_text),
		cmocka_unit_test(test_every_sequence),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

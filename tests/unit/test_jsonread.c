/* SPDX-License-Identifier: MIT */
/* Reading JSON from outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/format/jsonread.h"

static struct json_value *read_text(const char *text)
{
	struct strbuf error = STRBUF_INIT;
	struct json_value *value = json_read(text, strlen(text), &error);

	assert_int_equal(error.length != 0, !value);
	strbuf_free(&error);
	return value;
}

static void test_values(void **state)
{
	struct json_value *root = read_text(" {\"a\": [1, -2, 3.5, 1e3, 18446744073709551615],\n"
					    "\t\"b\": {\"c\": null}, \"d\": true, \"e\": false,"
					    " \"f\": \"\", \"n\": 99999999999999999999999999}\r\n");
	const struct json_value *at;

	(void)state;
	assert_non_null(root);
	at = json_find(root, "a")->first;
	assert_int_equal(at->number, 1);
	assert_int_equal(at->next->number, 0);
	assert_int_equal(at->next->next->number, 0);
	assert_true(at->next->next->next->next->number == UINT64_MAX);
	assert_null(at->next->next->next->next->next);
	assert_int_equal(json_find(json_find(root, "b"), "c")->type, JSON_NULL);
	assert_int_equal(json_find(root, "d")->type, JSON_TRUE);
	assert_int_equal(json_find(root, "e")->type, JSON_FALSE);
	assert_true(json_find_number(root, "n") == UINT64_MAX);
	assert_string_equal(json_find_text(root, "f"), "");
	assert_string_equal(json_find_text(root, "d"), "");
	assert_int_equal(json_find_number(root, "none"), 0);
	assert_null(json_find(NULL, "a"));
	assert_null(json_find(json_find(root, "a"), "a"));
	json_free(root);
}

static void test_strings(void **state)
{
	struct json_value *root =
		read_text("[\"a\\\"b\\\\c\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e4\\u20AC\","
			  " \"\\ud83d\\ude00\", \"\\ud800\\udc00\", \"\\uffff\", \"\\ud83dx\", "
			  "\"\\ude00\", \"{[,]}\"]");
	const struct json_value *at;

	(void)state;
	assert_non_null(root);
	at = root->first;
	assert_string_equal(at->text, "a\"b\\c/\b\f\n\r\t");
	at = at->next;
	assert_string_equal(at->text, "A\xc3\xa4\xe2\x82\xac");
	assert_int_equal(at->length, 6);
	at = at->next;
	assert_string_equal(at->text, "\xf0\x9f\x98\x80");
	at = at->next;
	assert_string_equal(at->text, "\xf0\x90\x80\x80");
	at = at->next;
	assert_string_equal(at->text, "\xef\xbf\xbf");
	at = at->next;
	assert_string_equal(at->text, "\xef\xbf\xbdx");
	at = at->next;
	assert_string_equal(at->text, "\xef\xbf\xbd");
	at = at->next;
	assert_string_equal(at->text, "{[,]}");
	json_free(root);
}

static void test_wrong(void **state)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
		{"", "a value is missing at byte 0"},
		{"{", "the name of a member is missing at byte 1"},
		{"{\"a\"", "a colon is missing at byte 4"},
		{"{\"a\" 1}", "a colon is missing at byte 5"},
		{"{\"a\": 1", "a comma or a bracket is missing at byte 7"},
		{"[1 2]", "a comma or a bracket is missing at byte 3"},
		{"[1,]", "a value is missing at byte 3"},
		{"[1}", "a comma or a bracket is missing at byte 2"},
		{"\"a", "a string has no end at byte 1"},
		{"\"\\x\"", "a string has an unknown escape sequence at byte 3"},
		{"\"\\u12g4\"", "a string has an unknown escape sequence at byte 6"},
		{"nul", "a value is missing at byte 0"},
		{"1 2", "there is more after the value at byte 2"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct strbuf error = STRBUF_INIT;

		assert_null(json_read(wrong[i].text, strlen(wrong[i].text), &error));
		assert_string_equal(strbuf_text(&error), wrong[i].message);
		strbuf_free(&error);
	}
}

/* No part of a valid object is one. The copy has no byte after it. */
static void test_truncated(void **state)
{
	static const char whole[] =
		"{\"version\": 1, \"a\": [{\"name\": \"x\\ud83d\\ude00\", \"n\": 12, "
		"\"t\": true}, null, false, -1.5e+3], \"b\": {}}";

	(void)state;
	for (size_t length = 0; length < sizeof(whole); length++) {
		struct strbuf error = STRBUF_INIT;
		char *part = test_malloc(length + !length);
		struct json_value *value;

		memcpy(part, whole, length);
		value = json_read(part, length, &error);
		assert_int_equal(!value, length < sizeof(whole) - 1);
		json_free(value);
		test_free(part);
		strbuf_free(&error);
		if (length == sizeof(whole) - 1)
			break;
	}
}

static void test_depth(void **state)
{
	char text[2 * JSON_DEPTH + 3];

	(void)state;
	for (size_t depth = JSON_DEPTH - 1; depth <= JSON_DEPTH + 1; depth++) {
		struct strbuf error = STRBUF_INIT;
		struct json_value *value;

		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		value = json_read(text, 2 * depth, &error);
		assert_int_equal(!value, depth > JSON_DEPTH);
		json_free(value);
		strbuf_free(&error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values), cmocka_unit_test(test_strings),
		cmocka_unit_test(test_wrong),  cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/format/protobuf.h"

/* A string with zeros in it. */
#define BYTES(text) text, sizeof(text) - 1

static struct strbuf buffer;

static void holds(const char *bytes, size_t size)
{
	assert_false(buffer.failed);
	assert_int_equal(buffer.length, size);
	assert_memory_equal(buffer.data, bytes, size);
	buffer.length = 0;
}

/* The first two are examples of the format's documentation. */
static void test_numbers(void **state)
{
	(void)state;
	protobuf_number(&buffer, 1, 150);
	holds(BYTES("\x08\x96\x01"));
	protobuf_number(&buffer, 1, 0);
	holds(BYTES("\x08\x00"));
	protobuf_number(&buffer, 16, 127);
	holds(BYTES("\x80\x01\x7f"));
	protobuf_number(&buffer, 2, UINT64_MAX);
	holds(BYTES("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
	protobuf_number(&buffer, (1 << 28) - 1, 1);
	holds(BYTES("\xf8\xff\xff\xff\x07\x01"));
	protobuf_fixed(&buffer, 47, 0x0123456789abcdef);
	holds(BYTES("\xf9\x02\xef\xcd\xab\x89\x67\x45\x23\x01"));
	protobuf_double(&buffer, 5, -2);
	holds(BYTES("\x29\0\0\0\0\0\0\0\xc0"));
}

static void test_texts(void **state)
{
	(void)state;
	protobuf_string(&buffer, 2, "testing");
	holds(BYTES("\x12\x07testing"));
	protobuf_bytes(&buffer, 2, "a\0b", 3);
	holds(BYTES("\x12\x03"
		    "a\0b"));
	protobuf_bytes(&buffer, 2, NULL, 0);
	holds(BYTES("\x12\0"));
}

static void test_messages(void **state)
{
	size_t outer, inner;

	(void)state;
	outer = protobuf_begin(&buffer, 3);
	protobuf_number(&buffer, 1, 150);
	protobuf_end(&buffer, outer);
	holds(BYTES("\x1a\x03\x08\x96\x01"));
	outer = protobuf_begin(&buffer, 1);
	inner = protobuf_begin(&buffer, 2);
	protobuf_end(&buffer, inner);
	protobuf_end(&buffer, outer);
	holds(BYTES("\x0a\x02\x12\0"));
}

/* Lengths of one, two and three bytes, nested. */
static void test_lengths(void **state)
{
	static const struct {
		size_t size;
		const char *head;
		size_t head_size;
	} all[] = {
		/* 1a inner's length + 3 or more, 0a inner's length */
		{120, BYTES("\x1a\x7a\x0a\x78")},
		{126, BYTES("\x1a\x80\x01\x0a\x7e")},
		{127, BYTES("\x1a\x81\x01\x0a\x7f")},
		{128, BYTES("\x1a\x83\x01\x0a\x80\x01")},
		{16380, BYTES("\x1a\xff\x7f\x0a\xfc\x7f")},
		{16381, BYTES("\x1a\x80\x80\x01\x0a\xfd\x7f")},
		{16384, BYTES("\x1a\x84\x80\x01\x0a\x80\x80\x01")},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t outer = protobuf_begin(&buffer, 3), inner = protobuf_begin(&buffer, 1);

		for (size_t j = 0; j < all[i].size; j++)
			strbuf_char(&buffer, (char)('a' + j % 26));
		protobuf_end(&buffer, inner);
		protobuf_end(&buffer, outer);
		assert_int_equal(buffer.length, all[i].head_size + all[i].size);
		assert_memory_equal(buffer.data, all[i].head, all[i].head_size);
		for (size_t j = 0; j < all[i].size; j++)
			assert_int_equal(buffer.data[all[i].head_size + j], 'a' + j % 26);
		buffer.length = 0;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_lengths),
	};
	int result = cmocka_run_group_tests(tests, NULL, NULL);

	strbuf_free(&buffer);
	return result;
}

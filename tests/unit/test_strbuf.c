/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/strbuf.h"

static void test_empty(void **state)
{
	struct strbuf buffer = STRBUF_INIT;

	(void)state;
	strbuf_append(&buffer, NULL, 0);
	assert_null(buffer.data);
	assert_string_equal(strbuf_text(&buffer), "");
	assert_int_equal(buffer.length, 0);
	assert_false(buffer.failed);
	strbuf_free(&buffer);
	strbuf_free(&buffer);
}

static void test_appends(void **state)
{
	struct strbuf buffer = STRBUF_INIT;

	(void)state;
	strbuf_string(&buffer, "one");
	strbuf_char(&buffer, ',');
	strbuf_append(&buffer, "two\0three", 9);
	strbuf_printf(&buffer, "%s%d", "!", 42);
	assert_int_equal(buffer.length, 16);
	assert_memory_equal(strbuf_text(&buffer), "one,two\0three!42", 17);
	assert_false(buffer.failed);
	strbuf_free(&buffer);
}

static void test_grows_and_keeps(void **state)
{
	struct strbuf buffer = STRBUF_INIT;

	(void)state;
	for (uint32_t i = 0; i < 300000; i++)
		strbuf_append(&buffer, &i, sizeof(i));
	assert_int_equal(buffer.length, 1200000);
	assert_true(buffer.capacity >= buffer.length);
	for (uint32_t i = 0; i < 300000; i++)
		assert_memory_equal(buffer.data + i * sizeof(i), &i, sizeof(i));
	strbuf_free(&buffer);
}

static void test_long_printf(void **state)
{
	struct strbuf buffer = STRBUF_INIT;

	(void)state;
	strbuf_printf(&buffer, "%100000d%s", 7, "end");
	assert_int_equal(buffer.length, 100003);
	assert_memory_equal(buffer.data + 99999, "7end", 4);
	strbuf_free(&buffer);
}

static void test_reserve_leaves_the_length(void **state)
{
	struct strbuf buffer = STRBUF_INIT;
	char *to;

	(void)state;
	strbuf_string(&buffer, "x");
	to = strbuf_reserve(&buffer, 1 << 20);
	assert_ptr_equal(to, buffer.data + 1);
	memset(to, 'y', 1 << 20);
	assert_int_equal(buffer.length, 1);
	strbuf_free(&buffer);
}

static void test_out_of_memory(void **state)
{
	struct strbuf buffer = STRBUF_INIT;

	(void)state;
	strbuf_string(&buffer, "kept");
	assert_null(strbuf_reserve(&buffer, SIZE_MAX));
	assert_null(strbuf_reserve(&buffer, SIZE_MAX / 2 + 2));
	assert_null(strbuf_reserve(&buffer, SIZE_MAX / 4));
	assert_true(buffer.failed);
	strbuf_string(&buffer, " and more");
	assert_string_equal(strbuf_text(&buffer), "kept and more");
	strbuf_free(&buffer);
	assert_false(buffer.failed);
}

/* The zero byte at the end of each text has room, wherever the memory ends. */
static void test_to_the_last_byte(void **state)
{
	(void)state;
	for (size_t size = 4090; size <= 4100; size++) {
		struct strbuf written = STRBUF_INIT, printed = STRBUF_INIT;

		for (size_t i = 0; i < size; i++)
			strbuf_char(&written, 'a');
		strbuf_printf(&printed, "%*s", (int)size, "");
		assert_true(printed.capacity > size);
		assert_int_equal(printed.data[size], 0);
		/* Earlier contents do not end the text. */
		assert_non_null(strbuf_reserve(&written, 3));
		memset(written.data + size, 'b', 3);
		assert_int_equal(strlen(strbuf_text(&written)), size);
		assert_true(written.capacity > size);
		strbuf_free(&written);
		strbuf_free(&printed);
	}
}

static void fill(struct strbuf *buffer, size_t size)
{
	strbuf_free(buffer);
	for (size_t i = 0; i < size; i++)
		strbuf_char(buffer, 'a');
}

/* One page at first, then doubled, and only if needed. */
static void test_capacity(void **state)
{
	struct strbuf buffer = STRBUF_INIT;

	(void)state;
	fill(&buffer, 1);
	assert_int_equal(buffer.capacity, 4096);
	fill(&buffer, 4095);
	assert_int_equal(strlen(strbuf_text(&buffer)), 4095);
	assert_int_equal(buffer.capacity, 4096);
	fill(&buffer, 4096);
	assert_int_equal(buffer.capacity, 4096);
	assert_int_equal(strlen(strbuf_text(&buffer)), 4096);
	assert_int_equal(buffer.capacity, 8192);
	strbuf_free(&buffer);
	assert_non_null(strbuf_reserve(&buffer, 4096));
	assert_int_equal(buffer.capacity, 4096);
	strbuf_printf(&buffer, "%4095s", "");
	assert_int_equal(buffer.capacity, 4096);
	strbuf_free(&buffer);
}

static void test_nothing_printed(void **state)
{
	struct strbuf buffer = STRBUF_INIT;

	(void)state;
	strbuf_printf(&buffer, "%s", "");
	assert_false(buffer.failed);
	assert_string_equal(strbuf_text(&buffer), "");
	strbuf_free(&buffer);
}

static void test_free_gives_back(void **state)
{
	struct strbuf buffer = STRBUF_INIT;
	unsigned char there;
	char *data;

	(void)state;
	strbuf_string(&buffer, "text");
	data = buffer.data;
	assert_int_equal(mincore(data, 1, &there), 0);
	strbuf_free(&buffer);
	assert_int_equal(mincore(data, 1, &there), -1);
	assert_null(buffer.data);
	strbuf_free(&buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_appends),
		cmocka_unit_test(test_grows_and_keeps),
		cmocka_unit_test(test_long_printf),
		cmocka_unit_test(test_reserve_leaves_the_length),
		cmocka_unit_test(test_out_of_memory),
		cmocka_unit_test(test_to_the_last_byte),
		cmocka_unit_test(test_capacity),
		cmocka_unit_test(test_nothing_printed),
		cmocka_unit_test(test_free_gives_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

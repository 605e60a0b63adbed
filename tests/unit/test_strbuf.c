/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_appends),
		cmocka_unit_test(test_grows_and_keeps),
		cmocka_unit_test(test_long_printf),
		cmocka_unit_test(test_reserve_leaves_the_length),
		cmocka_unit_test(test_out_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

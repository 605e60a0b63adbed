/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/parquet/thrift.h"

/* A list of up to 14 elements has their number in its first byte, a longer one behind it. */
static void test_lists(void **state)
{
	static const struct {
		size_t count;
		const char *bytes;
	} lists[] = {{1, "\x19\x15"}, {14, "\x19\xe5"}, {15, "\x19\xf5\x0f"},
		     {300, "\x19\xf5\xac\x02"}};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct strbuf text = STRBUF_INIT;
		struct thrift thrift = {.to = &text};

		thrift_list(&thrift, 1, THRIFT_I32, lists[i].count);
		assert_string_equal(strbuf_text(&text), lists[i].bytes);
		strbuf_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

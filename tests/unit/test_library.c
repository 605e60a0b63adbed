/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/library.h"

/* The way from the tool's directory to an installed file, for common layouts. */
static void test_relative(void **state)
{
	static const struct {
		const char *folder, *file, *expected;
	} cases[] = {
		{"/usr/local/bin", "/usr/local/lib/a.so", "../lib/a.so"},
		{"/usr/bin", "/usr/lib/x86_64-linux-gnu/a.so", "../lib/x86_64-linux-gnu/a.so"},
		{"/opt/a/bin/", "/opt/a/lib64/a.so", "../lib64/a.so"},
		{"/opt/a", "/opt/a/a.so", "a.so"},
		{"/opt/a", "/opt/a/b/a.so", "b/a.so"},
		{"/opt/a/bin", "/opt/a/bin/a.so", "a.so"},
		{"/opt/a/libs/bin", "/opt/a/lib/a.so", "../../lib/a.so"},
		{"/opt/a/bin", "/usr/lib/a.so", "../../../usr/lib/a.so"},
		{"/usr/bin", "/usr/binaries/a.so", "../binaries/a.so"},
		{"/", "/lib/a.so", "lib/a.so"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf path = STRBUF_INIT;

		library_relative(&path, cases[i].folder, cases[i].file);
		assert_string_equal(strbuf_text(&path), cases[i].expected);
		strbuf_free(&path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_relative),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

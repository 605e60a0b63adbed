/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/optional_library.h"

static struct {
	double (*cosine)(double angle);
	double (*root)(double square);
} functions;

static const struct optional_function present[] = {
	{"cos", 0},
	{"sqrt", sizeof(functions.cosine)},
	{NULL, 0},
};

static const struct optional_function absent[] = {
	{"cos", 0},
	{"computeprof_no_such_function", sizeof(functions.cosine)},
	{NULL, 0},
};

static struct optional_library math(const struct optional_function *list)
{
	return (struct optional_library){
		.title = "Mathematics",
		.soname = "libm.so.6",
		.package = "libc6",
		.list = list,
		.functions = &functions,
	};
}

static void test_opens(void **state)
{
	struct optional_library library = math(present);
	struct strbuf error = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(optional_library_open(&library, &error), 0);
		assert_true(library.is_open);
	}
	assert_int_equal(error.length, 0);
	assert_true(functions.cosine(0) == 1);
	assert_true(functions.root(9) == 3);
}

/* The reason is the loader's. */
static void test_is_missing(void **state)
{
	static const char expected[] = "Mathematics (libcomputeprof-none.so.6, of Debian's package "
				       "libc6) cannot be loaded: ";
	struct optional_library library = math(present);
	struct strbuf error = STRBUF_INIT;

	(void)state;
	library.soname = "libcomputeprof-none.so.6";
	assert_int_equal(optional_library_open(&library, &error), -1);
	assert_false(library.is_open);
	assert_memory_equal(strbuf_text(&error), expected, sizeof(expected) - 1);
	assert_true(error.length > sizeof(expected) - 1);
	assert_null(strstr(strbuf_text(&error) + sizeof(expected) - 1, library.soname));
	strbuf_free(&error);
}

static void test_is_old(void **state)
{
	struct optional_library library = math(absent);
	struct strbuf error = STRBUF_INIT;

	(void)state;
	assert_int_equal(optional_library_open(&library, &error), -1);
	assert_false(library.is_open);
	assert_string_equal(strbuf_text(&error),
			    "Mathematics (libm.so.6, of Debian's package libc6) is too old: it "
			    "lacks computeprof_no_such_function");
	strbuf_free(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opens),
		cmocka_unit_test(test_is_missing),
		cmocka_unit_test(test_is_old),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Tables of a tool that was built without libiberty: this file replaces demangle.c. */
#include "tabletrace.h"

#include "tableprint.h"

#include "view/format/demangle.h"

#define WARNING                                                                                    \
	"======== Warning: this computeprof was built without libiberty, so the C++ names of "     \
	"kernels are mangled.\n"

bool demangle_built(void)
{
	return false;
}

bool demangle(struct strbuf *to, const char *name, size_t length, bool parameters)
{
	(void)to;
	(void)name;
	(void)length;
	(void)parameters;
	return false;
}

/* Returns how often the warning is in the tables of kernels with these names. */
static int warnings(const char *name, const char *other, const struct tables_options *options)
{
	struct made_trace trace;
	const char *at;
	char *text;
	int count = 0;

	made_begin(&trace);
	made_kernel(&trace, name, 1000, 2000);
	made_kernel(&trace, other, 2000, 3000);
	text = printed(&trace, options, 0);
	for (at = text; (at = strstr(at, WARNING)); at += strlen(WARNING))
		count++;
	assert_non_null(strstr(text, name));
	free(text);
	made_free(&trace);
	return count;
}

static void test_one_warning(void **state)
{
	struct tables_options options = {.wanted = 1u << TABLE_SUMMARY, .demangle = true};

	(void)state;
	assert_int_equal(warnings("_Z1fi", "_Z1gi", &options), 1);
	options.csv = true;
	options.wanted = 1u << TABLE_SUMMARY | 1u << TABLE_GPU_TRACE;
	assert_int_equal(warnings("saxpy", "_Z1gi", &options), 1);
}

static void test_only_where_shown(void **state)
{
	struct tables_options options = {.wanted = 1u << TABLE_SUMMARY, .demangle = true};

	(void)state;
	assert_int_equal(warnings("saxpy", "_nothing", &options), 0);
	options.demangle = false;
	assert_int_equal(warnings("_Z1fi", "_Z1gi", &options), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_warning, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_only_where_shown, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

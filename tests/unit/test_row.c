/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "records.h"

enum { LONG_NAME = 512 * 1024 };

static void test_grid_keys(void **state)
{
	static const char *const expected[API_COUNT][DIALECT_COUNT] = {
		[API_OPENCL] = {" NDRangesize=[ 4294967296, 3 ] ",
				" ndrangesize=[ 4294967296, 3 ] "},
		[API_CUDA] = {" gridSize=[ 4294967296, 3 ] ", " gridsize=[ 4294967296, 3 ] "},
	};

	(void)state;
	for (unsigned int i = 0; i < API_COUNT * DIALECT_COUNT; i++) {
		struct output_target target = make_target(i / DIALECT_COUNT, i % DIALECT_COUNT,
							  FORMAT_KEYVAL, 1U << COLUMN_ID_GRID);
		struct strbuf text = STRBUF_INIT;

		output_keyval.write(&target, &kernel, &text);
		assert_non_null(
			strstr(strbuf_text(&text), expected[i / DIALECT_COUNT][i % DIALECT_COUNT]));
		strbuf_free(&text);
	}
}

static void test_header(void **state)
{
	static const struct device forging = {.number = 0, .name = "A\nmethod=[ x ] \x1b\xff\t"};
	struct output_target target = make_target(API_CUDA, DIALECT_CLASSIC, FORMAT_KEYVAL, 0);
	struct strbuf text = STRBUF_INIT;

	(void)state;
	target.device = &forging;
	target.warnings = "NV_Warning: one\nNV_Warning: two\n";
	output_keyval.open(&target, &text);
	assert_string_equal(strbuf_text(&text),
			    "NV_Warning: one\nNV_Warning: two\n"
			    "# CUDA_PROFILE_LOG_VERSION 2.0\n"
			    "# CUDA_DEVICE_NAME 0 A\\x0amethod=[ x ] \\x1b\\xff\\x09\n"
			    "timestamp,method,gputime,cputime,occupancy\n");
	strbuf_free(&text);
}

static void test_long_name(void **state)
{
	struct output_target target = make_target(API_CUDA, DIALECT_CUDA4, FORMAT_KEYVAL, 0);
	struct strbuf text = STRBUF_INIT;
	char *name = malloc(LONG_NAME);
	struct record record;

	(void)state;
	assert_non_null(name);
	memset(name, ' ', LONG_NAME);
	record = with_name(name, LONG_NAME);
	output_keyval.write(&target, &record, &text);
	assert_int_equal(text.length,
			 LONG_NAME * 4 + strlen("method=[  ] gputime=[ 23802.943 ] "
						"cputime=[ 74.730 ] occupancy=[ 0.333 ] \n"));
	strbuf_free(&text);
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grid_keys),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_long_name),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/api.h"

/* Strings that are printed without a check for NULL. */
static void test_every_row_is_whole(void **state)
{
	(void)state;
	for (int api = 0; api < API_COUNT; api++) {
		const struct api_row *row = &api_rows[api];

		assert_non_null(row->name);
		assert_non_null(row->word);
		assert_non_null(row->header);
		assert_non_null(row->variable);
		assert_non_null(row->cuda4_log);
		assert_non_null(row->queue);
		assert_true(row->terms < TERMS_COUNT);
		for (int i = 0; i < DIRECTION_COUNT; i++)
			assert_non_null(row->copies[i]);
	}
}

/* Names identify an API. */
static void test_no_two_are_the_same(void **state)
{
	(void)state;
	for (int api = 0; api < API_COUNT; api++)
		for (int other = 0; other < api; other++) {
			assert_string_not_equal(api_rows[api].name, api_rows[other].name);
			assert_string_not_equal(api_rows[api].word, api_rows[other].word);
			assert_string_not_equal(api_rows[api].header, api_rows[other].header);
			assert_string_not_equal(api_rows[api].variable, api_rows[other].variable);
			assert_string_not_equal(api_rows[api].cuda4_log, api_rows[other].cuda4_log);
		}
}

/* The names of a variable and of the lines in the log's header have the same prefix. */
static void test_variables(void **state)
{
	(void)state;
	for (int api = 0; api < API_COUNT; api++) {
		size_t length = strlen(api_rows[api].header);

		assert_memory_equal(api_rows[api].variable, api_rows[api].header, length);
		assert_string_equal(api_rows[api].variable + length, "_PROFILE");
	}
}

/* A trace may claim any number. */
static void test_no_api(void **state)
{
	(void)state;
	for (unsigned int api = API_COUNT; api < API_COUNT + 3; api++)
		assert_string_equal(api_row(api)->name, "GPU");
	assert_string_equal(api_row(UINT16_MAX)->name, "GPU");
	assert_ptr_equal(api_row(API_CUDA), &api_rows[API_CUDA]);
}

static void test_counters(void **state)
{
	(void)state;
	assert_int_equal(api_with_counters(), API_CUDA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row_is_whole),
		cmocka_unit_test(test_no_two_are_the_same),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_no_api),
		cmocka_unit_test(test_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

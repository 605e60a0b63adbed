/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/column.h"

#define BIT(id) (1U << COLUMN_ID_##id)

static const uint32_t times = BIT(METHOD) | BIT(GPU) | BIT(CPU) | BIT(OCCUPANCY);

static void check_found(const char *word, enum column_id id)
{
	assert_ptr_equal(column_find(word), &columns[id]);
}

static void test_find(void **state)
{
	(void)state;
	check_found("timestamp", COLUMN_ID_TIMESTAMP);
	check_found("gridsize", COLUMN_ID_GRID);
	check_found("ndrangesize", COLUMN_ID_GRID);
	check_found("gridsize3d", COLUMN_ID_GRID3D);
	check_found("threadblocksize", COLUMN_ID_BLOCK);
	check_found("workgroupsize", COLUMN_ID_BLOCK);
	check_found("regperthread", COLUMN_ID_REGISTERS);
	check_found("regperworkitem", COLUMN_ID_REGISTERS);
	check_found("stasmemperblock", COLUMN_ID_STATIC_SHARED);
	check_found("stapmemperworkgroup", COLUMN_ID_STATIC_SHARED);
	check_found("GPUStartTimeStamp", COLUMN_ID_GPU_START);
	check_found("STREAMID", COLUMN_ID_STREAM);
	check_found("memtransferhostmemtype", COLUMN_ID_HOST_MEMORY);
}

static void test_find_nothing(void **state)
{
	static const char *const words[] = {"",	      "grid",	     "gridsize3",
					    "method", "gridsize3d ", "gridsize\xc0"};

	(void)state;
	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_null(column_find(words[i]));
}

static void test_default_sets(void **state)
{
	(void)state;
	for (enum api api = 0; api < API_COUNT; api++) {
		assert_int_equal(column_set(0, api, DIALECT_CLASSIC), times | BIT(TIMESTAMP));
		assert_int_equal(column_set(0, api, DIALECT_CUDA4), times);
		assert_int_equal(column_set(BIT(TIMESTAMP), api, DIALECT_CUDA4),
				 times | BIT(TIMESTAMP));
	}
}

static void test_columns_of_one_api(void **state)
{
	uint32_t asked = BIT(LOCAL_BLOCK) | BIT(DYNAMIC_SHARED) | BIT(CACHE_EXECUTED) |
			 BIT(CACHE_REQUESTED) | BIT(STREAM);

	(void)state;
	assert_int_equal(column_set(asked, API_OPENCL, DIALECT_CUDA4),
			 times | BIT(LOCAL_BLOCK) | BIT(STREAM));
	assert_int_equal(column_set(asked, API_CUDA, DIALECT_CUDA4),
			 times | (asked & ~BIT(LOCAL_BLOCK)));
}

static void test_larger_grid_replaces_smaller(void **state)
{
	(void)state;
	assert_int_equal(column_set(BIT(GRID), API_CUDA, DIALECT_CUDA4), times | BIT(GRID));
	assert_int_equal(column_set(BIT(GRID) | BIT(GRID3D), API_CUDA, DIALECT_CUDA4),
			 times | BIT(GRID3D));
}

static unsigned int count_names(const char *header)
{
	unsigned int count = 1;

	for (; *header; header++)
		count += *header == ',';
	return count;
}

static void check_key(const struct column_key *key, const char *header)
{
	char text[64];

	assert_true(!header == !key->name);
	if (!header)
		return;
	assert_int_equal(snprintf(text, sizeof(text), "%s=[ ", key->name), key->length);
	assert_true(key->length <= sizeof(key->text));
	assert_memory_equal(text, key->text, key->length);
}

static void test_every_row_is_whole(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		struct strbuf help = STRBUF_INIT;

		column_put_help(&columns[i], &help);
		assert_true(help.length > 20);
		strbuf_free(&help);
		if (columns[i].type == COLUMN_FIELD) /* output/value.c has no other types */
			assert_true(columns[i].value_type == FIELD_UINT8 ||
				    columns[i].value_type == FIELD_UINT32 ||
				    columns[i].value_type == FIELD_UINT64);
		if (columns[i].type == COLUMN_REAL)
			assert_int_equal(columns[i].value_type, FIELD_FLOAT);
		assert_true(columns[i].option || columns[i].always[DIALECT_CUDA4]);
		for (enum terms terms = 0; terms < TERMS_COUNT; terms++) {
			const char *header = columns[i].header[terms];

			if (header)
				assert_int_equal(count_names(header), columns[i].count);
			for (enum dialect dialect = 0; dialect < DIALECT_COUNT; dialect++)
				check_key(&columns[i].key[terms][dialect], header);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_find_nothing),
		cmocka_unit_test(test_default_sets),
		cmocka_unit_test(test_columns_of_one_api),
		cmocka_unit_test(test_larger_grid_replaces_smaller),
		cmocka_unit_test(test_every_row_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"
#include "model/counter.h"

static void test_table(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTER_COUNT; i++) {
		assert_non_null(counters[i].name);
		assert_non_null(counters[i].help);
		assert_true(strlen(counters[i].help) > 5);
		assert_null(strpbrk(counters[i].name, " \t=:;#[ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
		assert_ptr_equal(counter_find(counters[i].name), &counters[i]);
		if (i > 0)
			assert_true(text_compare(counters[i - 1].name, counters[i].name) < 0);
	}
}

static void test_find(void **state)
{
	(void)state;
	assert_string_equal(counter_find("LOCAL_Store")->name, "local_store");
	assert_string_equal(counter_find("Branch")->name, "branch");
	assert_non_null(counter_find("prof_trigger_07"));
	assert_non_null(counter_find("l2_subp0_read_l1_hit_sectors"));
	assert_null(counter_find(""));
	assert_null(counter_find("branc"));
	assert_null(counter_find("branchs"));
	assert_null(counter_find("gridsize"));
	assert_null(counter_find("branch\xc4\xb1"));
}

/* Every name of the collected counter map is known. */
static void test_map(void **state)
{
	const char *shared = getenv("COMPUTEPROF_SHARED_DATA");
	const char *source = getenv("srcdir");
	char path[4096], line[1024];
	unsigned count = 0;
	FILE *file;

	(void)state;
	if (shared)
		snprintf(path, sizeof(path), "%s/cuda/counter_map.tsv", shared);
	else
		snprintf(path, sizeof(path), "%s/../shared/data/cuda/counter_map.tsv",
			 source ? source : ".");
	file = fopen(path, "re");
	if (!file)
		skip();
	assert_non_null(fgets(line, sizeof(line), file)); /* the headings */
	for (; fgets(line, sizeof(line), file); count++) {
		line[strcspn(line, "\t\n")] = '\0';
		if (!counter_find(line))
			fail_msg("%s is not in the table", line);
	}
	fclose(file);
	assert_true(count > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

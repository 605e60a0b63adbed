/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "view/symbols/perfmap.h"

static void write_map(const char *text)
{
	FILE *file = fopen("map", "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void test_lines(void **state)
{
	struct perf_map *map;

	(void)state;
	write_map("7f00 100 LazyCompile:*f a.js:1\n"
		  "8000 10 py::g:/x.py\n"
		  "\n"
		  "junk\n"
		  "9000\n"
		  "9000 zz h\n"
		  "9000 10\n"
		  "a000 0 empty\n"
		  "ffffffffffffff00 ffff around\n"
		  "b000 20 last");
	map = perf_map_open("map", 0);
	assert_non_null(map);
	assert_string_equal(perf_map_find(map, 0x7f00), "LazyCompile:*f a.js:1");
	assert_string_equal(perf_map_find(map, 0x7fff), "LazyCompile:*f a.js:1");
	assert_string_equal(perf_map_find(map, 0x800f), "py::g:/x.py");
	assert_null(perf_map_find(map, 0x8010));
	assert_null(perf_map_find(map, 0x9000));
	assert_null(perf_map_find(map, 0xa000));
	assert_null(perf_map_find(map, UINT64_MAX));
	assert_string_equal(perf_map_find(map, 0xb000), "last");
	perf_map_close(map);
}

/* A map is the user's own regular file, and not of an earlier process. */
static void test_refused(void **state)
{
	struct perf_map *map;

	(void)state;
	assert_null(perf_map_open("none", 0));
	write_map("");
	assert_null(perf_map_open("map", 0));
	write_map("1000 10 f\n");
	assert_null(perf_map_open("map", UINT64_MAX));
	assert_int_equal(symlink("map", "link"), 0);
	assert_null(perf_map_open("link", 0));
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_null(perf_map_open("fifo", 0));
	if (!geteuid()) {
		assert_int_equal(chown("map", 65534, 65534), 0);
		assert_null(perf_map_open("map", 0));
		assert_int_equal(chown("map", 0, 0), 0);
	}
	map = perf_map_open("map", 0);
	assert_non_null(map);
	perf_map_close(map);
	perf_map_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

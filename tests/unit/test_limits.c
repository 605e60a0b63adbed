/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/resource.h>

#include "checks.h"
#include "profiled.h"

/* Sessions that may not write all they have. */

static void limited(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->record_limit = 100;
	start(settings);
	for (uint64_t i = 0; i < 5000; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_record_limit(void **state)
{
	size_t size;
	char *said;

	(void)state;
	assert_int_equal(run(limited), 0);
	check("log", 100, 5000);
	said = read_file("said", &size);
	assert_non_null(strstr(said, "4900 records were left out"));
	free(said);
}

static void byte_limited(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->byte_limit = 5000;
	start(settings);
	for (uint64_t i = 0; i < 5000; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_byte_limit(void **state)
{
	struct rows rows;
	size_t size;

	(void)state;
	assert_int_equal(run(byte_limited), 0);
	free(read_file("log", &size));
	assert_in_range(size, 4800, 5000);
	assert_int_equal(read_rows("log", &rows, 5000), 0);
	assert_int_equal(wrong_counts(&rows, 0, (uint64_t)rows.count), 0);
	free(rows.seen);
}

/* A kernel whose name, escaped, needs more memory than there is. */
static void no_memory(void)
{
	enum { LENGTH = 31 << 20 };
	unsigned long pages = 0;
	char *name = malloc(LENGTH);
	struct probe probe;
	struct record *record;
	FILE *stream;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	memset(name, '\n', LENGTH);
	probe_begin(&probe);
	record = probe_record(&probe, FRAME_KERNEL);
	record->name = session_name(name, LENGTH);
	stream = fopen("/proc/self/statm", "r");
	if (!stream || fscanf(stream, "%lu", &pages) != 1)
		_exit(1);
	fclose(stream);
	pages += (50 << 20) / 4096;
	setrlimit(RLIMIT_AS, &(struct rlimit){.rlim_cur = pages * 4096, .rlim_max = pages * 4096});
	probe_commit();
	probe_end(&probe);
	launch(1, 1, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_row_that_needs_too_much_memory(void **state)
{
	size_t size;
	char *said;

	(void)state;
	if (SLOW_BUILD) {
		print_message("# sanitizers need all memory there is\n");
		skip();
	}
	assert_int_equal(run(no_memory), 0);
	check("log", 2, 2);
	said = read_file("said", &size);
	assert_non_null(strstr(said, "1 records were lost"));
	free(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_record_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_byte_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_row_that_needs_too_much_memory, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

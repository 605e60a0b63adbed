/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checks.h"
#include "profiled_program.h"

/* A program that changes the settings during the run (cuProfilerInitialize). */

static struct settings *with_trace(const char *log)
{
	struct settings *settings = new_settings(API_OPENCL, log);

	settings->trace = strdup("trace");
	settings->api_calls = true;
	return settings;
}

/* The name of the log is invalid. */
static int change_to_bad_name(void)
{
	struct settings changed = *with_trace("log");
	char name[5001];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	changed.log = name;
	return session_change(API_OPENCL, &changed, &fake_source);
}

static void bad_name(void)
{
	start(with_trace("log"));
	launch(1, 0, FAKE_DONE);
	called(clock_monotonic(), 1, 0);
	if (!change_to_bad_name())
		_exit(1);
	called(clock_monotonic(), 1, 0);
	launch(1, 1, FAKE_DONE);
	session_stop();
	session_end();
}

/* The earlier settings stay in force: no row and no event is lost, and no setting is NULL. */
static void test_bad_name(void **state)
{
	size_t size;
	char *said;

	(void)state;
	assert_int_equal(run(bad_name), 0);
	check("log", 2, 2);
	said = read_file("said", &size);
	assert_non_null(strstr(said, "cannot use the log name xxx"));
	assert_non_null(strstr(said, "the log is not changed"));
	assert_null(strstr(said, "lost"));
	free(said);
}

/* Only marks have attached the API: nothing of it has been recorded yet. */
static void bad_name_with_marks(void)
{
	if (session_attach_marks(API_OPENCL, with_trace("log")))
		_exit(1);
	called(clock_monotonic(), 1, 0);
	if (!change_to_bad_name())
		_exit(2);
	called(clock_monotonic(), 1, 0);
	session_stop();
	session_end();
}

static void test_bad_name_with_marks(void **state)
{
	size_t size;

	(void)state;
	assert_int_equal(run(bad_name_with_marks), 0);
	free(read_file("trace", &size));
	assert_true(size > 0);
}

static void good_name(void)
{
	start(with_trace("log"));
	launch(1, 0, FAKE_DONE);
	if (session_change(API_OPENCL, with_trace("log2"), &fake_source))
		_exit(1);
	launch(1, 1, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_good_name(void **state)
{
	(void)state;
	assert_int_equal(run(good_name), 0);
	assert_int_equal(count_files("log"), 1);
	assert_int_equal(count_files("log2"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_bad_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bad_name_with_marks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_good_name, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

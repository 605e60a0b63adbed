/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/resource.h>

#include "profiled_program.h"
#include "session/ringfile_path.h"

/* The ends of a session, and unusual behaviour of programs at their end. */

enum { LIMIT = 200000 };

static void check(const char *path, uint64_t from, uint64_t to, int untimed)
{
	struct rows rows;

	assert_int_equal(read_rows(path, &rows, LIMIT), 0);
	assert_true(rows.ordered);
	assert_int_equal(rows.count, to - from);
	assert_int_equal(wrong_counts(&rows, from, to), 0);
	assert_int_equal(rows.untimed, untimed);
	free(rows.seen);
}

static void expect_said(const char *text)
{
	size_t size;
	char *said = read_file("said", &size);

	assert_non_null(said);
	if (!strstr(said, text))
		fail_msg("\"%s\" is not in: %s", text, said);
	free(said);
}

static void failing(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 100; i++)
		launch(1, i, i % 10 == 3 ? FAKE_FAILED : FAKE_DONE);
	session_stop();
	session_end();
}

static void test_failed_commands(void **state)
{
	(void)state;
	assert_int_equal(run(failing), 0);
	check("log", 0, 100, 10);
}

static void never(void)
{
	uint64_t begin;

	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 300; i++)
		launch(1, i, i % 3 ? FAKE_DONE : FAKE_NEVER);
	begin = clock_monotonic();
	session_stop();
	if (clock_monotonic() - begin > 3000000000u)
		_exit(1);
	session_end();
	if (releases) /* the driver may be unloaded by now */
		_exit(2);
}

/* In a late exit handler. */
static void late(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_NEVER);
	session_stop();
	for (uint64_t i = 1; i < 4; i++)
		launch(1, i, FAKE_DONE);
	session_end();
}

static void test_late_commands(void **state)
{
	(void)state;
	assert_int_equal(run(late), 0);
	expect_said("1 record has no gputime: the program ended before");
	expect_said("3 records have no gputime: launched while the program ended");
	check("log", 0, 4, 4);
}

static void test_commands_that_never_finish(void **state)
{
	(void)state;
	assert_int_equal(run(never), 0);
	expect_said("100 records have no gputime: the program ended before");
	check("log", 0, 300, 100);
	assert_int_equal(count_files(".ring"), 0);
}

/* A queue whose commands never end does not prevent queries of another queue's commands. */
static void other_queue(void)
{
	start(new_settings(API_OPENCL, "log"));
	session_context(&(struct context){.index = 1});
	for (uint64_t i = 0; i < 200; i++)
		launch_on(0, 1, i, FAKE_NEVER);
	for (uint64_t i = 200; i < 300; i++)
		launch_on(1, 1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_another_queue_goes_on(void **state)
{
	(void)state;
	assert_int_equal(run(other_queue), 0);
	check("log", 0, 300, 200);
}

static void before_exec(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 50; i++)
		launch(1, i, i == 30 ? FAKE_NEVER : FAKE_DONE);
	session_exec();
	if (releases != 1)
		_exit(1);
	/* The ring file exists until the exec has succeeded. */
	if (count_files(".ring") != 1)
		_exit(2);
}

static void exec_works(void)
{
	before_exec();
	execlp("true", "true", (char *)NULL);
	_exit(3);
}

static void exec_fails(void)
{
	before_exec();
	execl("/nowhere/true", "true", (char *)NULL);
	session_exec_failed();
	for (uint64_t i = 50; i < 5000; i++)
		launch(1, i, FAKE_DONE);
}

static void exec_fails_and_end(void)
{
	exec_fails();
	session_stop();
	session_end();
}

static void exec_fails_and_kill(void)
{
	exec_fails();
	kill(getpid(), SIGKILL);
}

static struct recover_report recover_only(void)
{
	struct strbuf rings = STRBUF_INIT;
	struct recover_report report = {0};

	assert_int_equal(ringfile_path_find(".", &rings), 0);
	assert_int_equal(rings.length, strlen(rings.data) + 1);
	assert_int_equal(recover_ring(rings.data, &report), RECOVER_DONE);
	strbuf_free(&rings);
	assert_int_equal(count_files(".ring"), 0);
	return report;
}

static void test_exec(void **state)
{
	struct recover_report report;

	(void)state;
	assert_int_equal(run(exec_works), 0);
	check("log", 0, 50, 1);
	report = recover_only();
	assert_true(report.executing);
	assert_int_equal(report.rows, 0);
	recover_report_free(&report);
	check("log", 0, 50, 1);
}

static void test_failed_exec(void **state)
{
	(void)state;
	assert_int_equal(run(exec_fails_and_end), 0);
	check("log", 0, 5000, 1);
	assert_int_equal(count_files(".ring"), 0);
}

static void test_failed_exec_and_kill(void **state)
{
	struct recover_report report;
	struct rows rows;

	(void)state;
	assert_int_equal(run(exec_fails_and_kill), -1);
	report = recover_only();
	assert_false(report.executing);
	recover_report_free(&report);
	assert_int_equal(read_rows("log", &rows, LIMIT), 0);
	assert_int_equal(rows.count, 5000);
	assert_int_equal(wrong_counts(&rows, 0, 5000), 0);
	free(rows.seen);
}

static void exit_handlers(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 50; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	for (uint64_t i = 50; i < 5000; i++)
		launch(1, i, i < 4000 ? FAKE_DONE : FAKE_NONE);
	session_stop();
	session_end();
	launch(1, 5000, FAKE_DONE);
}

static void test_records_after_stop(void **state)
{
	(void)state;
	assert_int_equal(run(exit_handlers), 0);
	check("log", 0, 5000, 1000);
}

static void *never_stop(void *argument)
{
	for (uint64_t i = 1000;; i++)
		launch(2, i % 100000 + 1000, FAKE_DONE);
	return argument;
}

static void busy_exit(void)
{
	pthread_t thread;
	uint64_t begin;

	start(new_settings(API_OPENCL, "log"));
	if (pthread_create(&thread, NULL, never_stop, NULL))
		_exit(1);
	for (uint64_t i = 0; i < 1000; i++)
		launch(1, i, FAKE_DONE);
	begin = clock_monotonic();
	session_stop();
	if (clock_monotonic() - begin > 2000000000u)
		_exit(2);
	session_end();
}

static void test_stop_does_not_wait_for_busy_threads(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(busy_exit), 0);
	assert_int_equal(read_rows("log", &rows, LIMIT), 0);
	assert_int_equal(wrong_counts(&rows, 0, 1000), 0);
	free(rows.seen);
}

static void unknown_context(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	launch_on(UINT32_MAX, 1, 1, FAKE_DONE);
	launch_on(77, 1, 1, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_unknown_context(void **state)
{
	(void)state;
	assert_int_equal(run(unknown_context), 0);
	check("log", 0, 1, 0);
	expect_said("2 records were lost");
}

static void file_limit(void)
{
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 100000, .rlim_max = RLIM_INFINITY});
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 3000; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_file_size_limit(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(file_limit), 0);
	assert_int_equal(read_rows("log", &rows, LIMIT), 0);
	assert_in_range(rows.count, 500, 2000);
	assert_int_equal(wrong_counts(&rows, 0, (uint64_t)rows.count), 0);
	free(rows.seen);
	expect_said("records were lost");
}

static void device_log(void)
{
	struct settings *settings = new_settings(API_OPENCL, "/dev/null");

	settings->layout.dialect = DIALECT_CUDA4;
	settings->trace = strdup("/dev/null");
	start(settings);
	session_context(&(struct context){.index = 1});
	launch_on(0, 1, 0, FAKE_DONE);
	launch_on(1, 1, 1, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_logs_share_a_device(void **state)
{
	size_t size = 1;
	char *said;

	(void)state;
	assert_int_equal(run(device_log), 0);
	said = read_file("said", &size);
	assert_string_equal(said, "");
	free(said);
	assert_int_equal(access("/dev/null.1", F_OK), -1);
}

static void bad_log(void)
{
	start(new_settings(API_OPENCL, "nowhere/log"));
	for (uint64_t i = 0; i < 3000; i++)
		launch(1, i, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_log_that_cannot_be(void **state)
{
	(void)state;
	assert_int_equal(run(bad_log), 0);
	expect_said("cannot write the log");
	expect_said("3000 records were lost");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_failed_commands, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_commands, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_commands_that_never_finish, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_another_queue_goes_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_exec, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_failed_exec, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_failed_exec_and_kill, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_records_after_stop, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stop_does_not_wait_for_busy_threads, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_unknown_context, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_file_size_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_logs_share_a_device, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_log_that_cannot_be, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

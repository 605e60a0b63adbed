/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/syscall.h>

#include "session/pending.h"

#include "profiled_program.h"

/* Programs that kill themselves at moments that are rare by chance. */

/* The ring file has each loss at once: the kill comes right after the last one. */
static void lose_and_die(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch_on(77, 0, 0, FAKE_DONE); /* no such context */
	launch(0, 1, FAKE_NEVER);
	for (int i = 0; i < 10000 && polled != 1; i++)
		usleep(1000);
	session_lost(5);
	session_not_lost(2);
	kill(getpid(), SIGKILL);
}

static void test_losses_are_counted(void **state)
{
	struct recover_report report = {0};

	(void)state;
	assert_int_equal(run(lose_and_die), -1);
	assert_int_equal(recover_ring(find_ring(), &report), RECOVER_DONE);
	assert_int_equal(report.rows, 1);
	assert_int_equal(report.lost, 4);
	recover_report_free(&report);
}

enum { CROWD = PENDING_MAX + 5000 }; /* more than are left in a ring */

static void *launch_crowd(void *unused)
{
	for (uint64_t i = 0; i < CROWD; i++)
		launch(1, i, FAKE_NONE);
	return unused;
}

/* Rows are written out of order: one call holds all later ones back until no place is left; then
 * that call ends. */
static void overtaken(void)
{
	struct probe probe;
	pthread_t crowd;

	start(new_settings(API_OPENCL, "log"));
	probe_begin(&probe);
	if (pthread_create(&crowd, NULL, launch_crowd, NULL) || pthread_join(crowd, NULL))
		_exit(1);
	session_write_ended(NULL, NULL);
	launched(&probe, 0, 0, CROWD, FAKE_NEVER);
	for (int i = 0; i < 10000 && polled != CROWD; i++)
		usleep(1000);
	kill(getpid(), SIGKILL);
}

static void test_rows_were_early(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(overtaken), -1);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	assert_int_equal(read_rows("log", &rows, CROWD + 1), 0);
	assert_int_equal(wrong_counts(&rows, 0, CROWD + 1), 0);
	assert_false(rows.ordered);
	free(rows.seen);
}

/* The log's second write, of its first rows, is the last one; the number of bytes written, a part
 * of the last row at most; -1: all. -2: no write is the last one. */
static int last_write = -2;
static _Atomic bool has_launched; /* all rows: the writer may be faster than the program */

ssize_t write(int fd, const void *bytes, size_t size)
{
	static int writes;

	if (last_write == -2 || fd <= STDERR_FILENO || ++writes < 2)
		return syscall(SYS_write, fd, bytes, size);
	while (!has_launched)
		usleep(1000);
	if (last_write == -1)
		last_write = (int)size;
	else if (last_write >= (int)size) /* it is one row */
		last_write = (int)size - 10;
	if (syscall(SYS_write, fd, bytes, last_write) == last_write)
		kill(getpid(), SIGKILL);
	_exit(1);
}

static void die_with_the_first_rows(void)
{
	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < 20; i++)
		launch(1, i, FAKE_DONE);
	has_launched = true;
	session_stop();
}

/* Kills the process in that write, with `left` bytes of the first rows in the log. */
static void kill_in_first_write(int left)
{
	clean_up();
	last_write = left;
	assert_int_equal(run(die_with_the_first_rows), -1);
	last_write = -2;
}

static void test_first_rows_were_not_committed(void **state)
{
	static const int left[] = {-1, 300, 0};
	struct rows rows;

	(void)state;
	for (size_t i = 0; i < sizeof(left) / sizeof(*left); i++) {
		kill_in_first_write(left[i]);
		assert_int_equal(recover(find_ring()), RECOVER_DONE);
		assert_int_equal(count_files(""), 2); /* the log and the messages */
		assert_int_equal(read_rows("log", &rows, 20), 0);
		assert_int_equal(wrong_counts(&rows, 0, 20), 0);
		free(rows.seen);
	}
}

/* The next run's header may be equal: its rows stay. */
static void test_another_run_with_that_header(void **state)
{
	static const char other[] = "method=[ memcpyHtoD ] gputime=[ 1.000 ] cputime=[ 2.000 ]\n";
	static const size_t lines[] = {1, 1000};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		FILE *log;

		kill_in_first_write(0);
		log = fopen("log", "a");
		assert_non_null(log);
		for (size_t line = 0; line < lines[i]; line++)
			fputs(other, log);
		assert_int_equal(fclose(log), 0);
		assert_true(log_is_left_alone());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_losses_are_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rows_were_early, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_first_rows_were_not_committed, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_another_run_with_that_header, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/env.h"
#include "session/logs.h"
#include "session/manifest.h"
#include "session/totals_reader.h"

#include "emulator.h"
#include "totals_check.h"
#include "totals_program.h"

/* The ring file of a process with totals: kept at a normal end for the tool, and read while the
 * process runs. */

enum { COUNT = 2000, NAMES = 4 };

static void make_list(void)
{
	FILE *list = fopen("list", "w");

	assert_non_null(list);
	fputs(MANIFEST_HEAD, list);
	fclose(list);
}

/* As if the tool ran the program. */
static void become_child_of_tool(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/list", directory);
	setenv(MANIFEST_VARIABLE, path, 1);
	manifest_keep_variables();
}

static void work_some(const char *trace)
{
	uint32_t names[NAMES];

	start(with_totals(trace));
	for (uint32_t i = 0; i < NAMES; i++)
		names[i] = session_name((char[]){(char)('a' + i)}, 1);
	for (uint64_t i = 0; i < COUNT; i++)
		work(i, 1, names[i % NAMES], i % 50 ? FAKE_DONE : FAKE_FAILED);
}

static void run_to_the_end(void)
{
	become_child_of_tool();
	work_some("trace");
	session_stop();
	session_end();
}

static void run_without_trace(void)
{
	become_child_of_tool();
	work_some(NULL);
	session_stop();
	session_end();
}

static void run_alone(void)
{
	work_some("trace");
	session_stop();
	session_end();
}

static void leave(void)
{
	become_child_of_tool();
	work_some("trace");
	session_leave();
	_exit(0);
}

static void expect_deterministic_sums(const struct sums *sums)
{
	uint64_t in_use = 0;

	for (uint64_t i = 0; i < COUNT; i += 32)
		in_use += i;
	assert_int_equal(sums->records, COUNT);
	assert_int_equal(sums->untimed, COUNT / 50);
	assert_int_equal(sums->calls, COUNT);
	assert_int_equal(sums->failed, COUNT / 16);
	assert_int_equal(sums->failures, COUNT / 16);
	assert_int_equal(sums->allocations, COUNT / 8);
	assert_int_equal(sums->in_use, in_use);
	assert_int_equal(sums->waits, COUNT / 8);
	assert_int_equal(sums->marks, COUNT / 16);
	assert_int_equal(sums->ranges, COUNT / 16);
	assert_int_equal(sums->lost, 0);
}

/* Reads the ring file as the tool does, which removes it. */
static void check_kept(const char *trace)
{
	const struct logs_overwrite none = {.since = INT64_MAX};
	struct recover_report report = {0};
	struct recover_request request = {.path = find_ring(), .overwrite = (const void *)&none};
	struct stat status;
	struct sums sums;

	assert_string_not_equal(find_ring(), "");
	assert_int_equal(stat(find_ring(), &status), 0);
	assert_in_range(status.st_blocks, 1, status.st_size / 512 / 8);
	assert_int_equal(recover_request(&request, &report), RECOVER_DONE);
	assert_true(report.finished);
	assert_string_equal(find_ring(), "");
	assert_int_equal(sum_totals(&report.totals, &sums), 0);
	expect_deterministic_sums(&sums);
	if (trace)
		assert_int_equal(compare_sums(&report.totals, trace), 0);
	recover_report_free(&report);
}

static void test_kept(void **state)
{
	(void)state;
	skip_emulated("there are no holes");
	make_list();
	assert_int_equal(run(run_to_the_end), 0);
	check_kept("trace");
	assert_int_equal(run(run_without_trace), 0);
	check_kept(NULL);
	clean_up();
	assert_int_equal(run(leave), 0);
	check_kept("trace");
}

/* Records that only a log lacks are in the totals. */
static void test_lost(void **state)
{
	const uint64_t lost = 5, lost_logs = 3;
	const struct logs_overwrite none = {.since = INT64_MAX};
	struct recover_report report = {0};
	struct recover_request request = {.overwrite = (const void *)&none};
	struct sums sums;
	int fd;

	(void)state;
	make_list();
	assert_int_equal(run(run_to_the_end), 0);
	request.path = find_ring();
	fd = open(request.path, O_WRONLY);
	assert_int_equal(pwrite(fd, &lost, 8, offsetof(struct ringfile_header, lost)), 8);
	assert_int_equal(pwrite(fd, &lost_logs, 8, offsetof(struct ringfile_header, lost_logs)), 8);
	close(fd);
	assert_int_equal(recover_request(&request, &report), RECOVER_DONE);
	assert_int_equal(sum_totals(&report.totals, &sums), 0);
	assert_int_equal(sums.lost, lost);
	recover_report_free(&report);
}

/* No process would read it. */
static void test_removed(void **state)
{
	(void)state;
	assert_int_equal(run(run_alone), 0);
	assert_string_equal(find_ring(), "");
	assert_int_equal(run(run_to_the_end), 0); /* the tool has ended: there is no list */
	assert_string_equal(find_ring(), "");
}

/* A search does not take it from the tool that reads it, but removes it after that. */
static void test_searched(void **state)
{
	struct recover_report report = {0};
	int list; /* locked as by a tool that runs */

	(void)state;
	make_list();
	list = open("list", O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(list, LOCK_EX | LOCK_NB), 0);
	assert_int_equal(run(run_to_the_end), 0);
	assert_int_equal(recover_ring(find_ring(), &report), RECOVER_ALIVE);
	assert_non_null(strstr(strbuf_text(&report.reason), "reads it"));
	recover_report_free(&report);
	assert_string_not_equal(find_ring(), "");
	close(list);
	report = (struct recover_report){0};
	assert_int_equal(recover_ring(find_ring(), &report), RECOVER_DONE);
	assert_true(report.finished);
	assert_string_equal(find_ring(), "");
	recover_report_free(&report);
}

static void execute(void)
{
	const char *const arguments[] = {"true", NULL}, *const none[] = {NULL};

	become_child_of_tool();
	work_some("trace");
	session_exec();
	launch(1, COUNT, FAKE_DONE); /* by another thread, until the exec succeeds */
	syscall(SYS_execve, "/bin/true", arguments, none);
}

static void test_exec(void **state)
{
	struct recover_report report = {0};

	(void)state;
	make_list();
	assert_int_equal(run(execute), 0);
	assert_int_equal(recover_ring(find_ring(), &report), RECOVER_DONE);
	assert_true(report.executing);
	assert_int_equal(compare_sums(&report.totals, "trace"), 0);
	recover_report_free(&report);
}

static void fork_and_work(void)
{
	int status;

	become_child_of_tool();
	work_some(NULL);
	if (!fork()) {
		for (uint64_t i = 0; i < COUNT; i++)
			work(i, 2, 1, FAKE_DONE);
		session_stop();
		session_end();
		_exit(0);
	}
	wait(&status);
	session_stop();
	session_end();
}

/* The child has totals of its own. */
static void test_fork(void **state)
{
	const struct logs_overwrite none = {.since = INT64_MAX};
	int whole = 0;

	(void)state;
#ifdef __SANITIZE_THREAD__
	skip(); /* the sanitizer lets no child of a process with threads start a thread */
#endif
	make_list();
	assert_int_equal(run(fork_and_work), 0);
	for (int i = 0; i < 2; i++) {
		struct recover_report report = {0};
		struct recover_request request = {.path = find_ring(),
						  .overwrite = (const void *)&none};
		struct sums sums;

		assert_string_not_equal(request.path, "");
		assert_int_equal(recover_request(&request, &report), RECOVER_DONE);
		assert_int_equal(sum_totals(&report.totals, &sums), 0);
		whole += sums.records == COUNT && sums.calls == COUNT && sums.processes == 1;
		recover_report_free(&report);
	}
	assert_int_equal(whole, 2);
	assert_string_equal(find_ring(), "");
}

static uint64_t read_records(struct totals_reader *reader)
{
	const struct totals_rows *rows = totals_reader_read(reader);
	struct sums sums = {0};

	assert_non_null(rows);
	for (size_t i = 0; i < totals_rows_count(rows); i++)
		sum_row(&sums, totals_rows_get(rows, i));
	/* Each row is consistent. */
	assert_int_equal(sums.timed, sums.buckets);
	assert_int_equal(sums.sized, sums.timed);
	return sums.timed + sums.untimed;
}

static void work_and_pause(void)
{
	work_some(NULL);
	for (;;)
		pause();
}

static void test_live(void **state)
{
	struct strbuf reason = STRBUF_INIT;
	struct totals_reader *reader = NULL;
	uint64_t records = 0;
	pid_t child;
	int status, growths = 0;

	(void)state;
	child = fork();
	if (!child)
		work_and_pause();
	for (int i = 0; i < 10000 && records < COUNT; i++) {
		uint64_t now;

		if (!reader && find_ring()[0])
			reader = totals_reader_open(find_ring(), &reason);
		if (!reader) {
			usleep(1000);
			continue;
		}
		now = read_records(reader);
		assert_true(now >= records);
		growths += now > records;
		records = now;
		usleep(500);
	}
	assert_int_equal(records, COUNT);
	assert_in_range(growths, 1, COUNT);
	assert_true(totals_reader_is_alive(reader));
	assert_int_equal(totals_reader_header(reader)->pid, child);
	assert_int_equal(names_count(totals_reader_catalog(reader)->names), NAMES + 1);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	assert_int_equal(read_records(reader), COUNT);
	assert_false(totals_reader_is_alive(reader));
	totals_reader_close(reader);
	strbuf_free(&reason);
}

static void test_not_a_ring(void **state)
{
	struct strbuf reason = STRBUF_INIT;

	(void)state;
	assert_null(totals_reader_open("none", &reason));
	assert_non_null(strstr(strbuf_text(&reason), "cannot open none"));
	reason.length = 0;
	assert_int_equal(system("head -c 8192 /dev/zero >zeros"), 0);
	assert_null(totals_reader_open("zeros", &reason));
	assert_string_equal(strbuf_text(&reason), "zeros is not a ring file of computeprof");
	strbuf_free(&reason);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_removed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_searched, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_exec, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_fork, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_live, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_not_a_ring, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

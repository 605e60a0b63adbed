/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "viewfile.h"

/* A view is written completely or not at all. */
enum { MANY = 200000, MOMENT = 1000 /* us */ };

static const char old[] = "what was there before";

static void put_old(void)
{
	struct strbuf bytes = STRBUF_INIT;

	strbuf_string(&bytes, old);
	write_file("run.sqlite", &bytes);
	strbuf_free(&bytes);
}

static void assert_old(void)
{
	char got[64] = "";
	FILE *file = fopen("run.sqlite", "r");

	assert_non_null(file);
	got[fread(got, 1, sizeof(got) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(got, old);
}

static size_t count_unfinished(void)
{
	glob_t found = {0};
	size_t count;

	glob("run.sqlite?*", 0, NULL, &found);
	count = found.gl_pathc;
	globfree(&found);
	return count;
}

static void make_long_trace(void)
{
	struct strbuf bytes = STRBUF_INIT;

	trace_put_header(&bytes);
	put_catalog(&bytes);
	for (uint32_t i = 0; i < MANY; i++)
		put_record(&bytes, i);
	trace_finish(&bytes);
	write_file("run.cptrace", &bytes);
	strbuf_free(&bytes);
}

static void test_interrupted(void **state)
{
	struct strbuf error = STRBUF_INIT;
	int status;
	pid_t pid;

	(void)state;
	make_long_trace();
	put_old();
	pid = fork();
	if (!pid)
		_exit(view_trace("run.cptrace", "run.sqlite", &error) ? 1 : 0);
	while (!count_unfinished() && waitpid(pid, &status, WNOHANG) == 0)
		usleep(MOMENT);
	usleep(20 * MOMENT);
	assert_int_equal(kill(pid, SIGINT), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	assert_old();
	assert_int_equal(count_unfinished(), 0);
}

/* In a separate process, since the limit applies to all files. */
static int write_on_full_disk(void)
{
	struct rlimit limit = {.rlim_cur = 300000, .rlim_max = 300000};
	struct strbuf error = STRBUF_INIT;

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit))
		return 1;
	if (view_trace("run.cptrace", "run.sqlite", &error) != -1)
		return 2;
	return strcmp(strbuf_text(&error), "cannot write run.sqlite: File too large") ? 3 : 0;
}

static void test_full_disk(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	make_long_trace();
	put_old();
	pid = fork();
	if (!pid)
		_exit(write_on_full_disk());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_old();
	assert_int_equal(count_unfinished(), 0);
}

static void test_no_folder(void **state)
{
	struct strbuf error = STRBUF_INIT;

	(void)state;
	make_trace("run.cptrace");
	assert_int_equal(view_trace("run.cptrace", "nowhere/run.sqlite", &error), -1);
	assert_string_equal(strbuf_text(&error),
			    "cannot write nowhere/run.sqlite: No such file or directory");
	strbuf_free(&error);
}

/* The trace is damaged in the middle: the file has the data before the damage, and is marked as
 * incomplete. */
static void test_damaged(void **state)
{
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	struct frame *frame;
	sqlite3 *database;
	char expected[128];

	(void)state;
	trace_put_header(&bytes);
	put_catalog(&bytes);
	put_record(&bytes, 0);
	put_record(&bytes, 1);
	frame = (void *)(bytes.data + bytes.length - sizeof(struct record));
	frame->size = 12;
	write_file("run.cptrace", &bytes);
	snprintf(expected, sizeof(expected),
		 "the trace is damaged at byte %zu; run.sqlite has everything before the damage",
		 bytes.length - sizeof(struct record));
	assert_int_equal(view_trace("run.cptrace", "run.sqlite", &error), 1);
	assert_string_equal(strbuf_text(&error), expected);
	assert_int_equal(count_unfinished(), 0);
	database = open_view("run.sqlite");
	assert_string_equal(ask(database,
				"SELECT count(*), cutOff FROM CUPTI_ACTIVITY_KIND_RUNTIME, "
				"CP_PROCESS",
				&bytes),
			    "1|1\n");
	sqlite3_close(database);
	strbuf_free(&bytes);
	strbuf_free(&error);
}

/* An earlier file is replaced. A trace without records makes a valid database. */
static void test_replaced(void **state)
{
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	sqlite3 *database;

	(void)state;
	trace_put_header(&bytes);
	trace_finish(&bytes);
	write_file("run.cptrace", &bytes);
	put_old();
	assert_int_equal(view_trace("run.cptrace", "run.sqlite", &error), 0);
	database = open_view("run.sqlite");
	assert_string_equal(
		ask(database, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME", &bytes), "0\n");
	sqlite3_close(database);
	assert_int_equal(count_unfinished(), 0);
	strbuf_free(&bytes);
	strbuf_free(&error);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_interrupted), TEST(test_full_disk), TEST(test_no_folder),
		TEST(test_damaged),	TEST(test_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

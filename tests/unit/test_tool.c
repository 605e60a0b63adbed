/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/flag.h"
#include "cli/lines.h"
#include "cli/run/artifacts.h"
#include "cli/run/endings.h"
#include "cli/run/injection.h"
#include "cli/sandbox.h"
#include "cli/table.h"
#include "session/manifest.h"

#include "stderr_capture.h"

/* The tool's own parts: tables, lists in variables, lines of processes, the sandbox. */
static void assert_table(const char *rows, unsigned width, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	table_format(&text, rows, width, false);
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_free(&text);
}

static void test_table(void **state)
{
	(void)state;
	assert_table("", 0, "");
	assert_table("A\tB\n", 0, "A  B\n");
	assert_table("NAME\tMEANING\nx\tlong text\nlonger\tt\n", 0,
		     "NAME    MEANING\nx       long text\nlonger  t\n");
	/* characters, not bytes */
	assert_table("\xc3\xa9\xc3\xa9\tB\nabc\tD\n", 0, "\xc3\xa9\xc3\xa9   B\nabc  D\n");
	/* the last column continues below itself */
	assert_table("N\tone two three four five six\n", 24,
		     "N  one two three four\n   five six\n");
	/* a word is not broken */
	assert_table("N\taaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b\n", 10,
		     "N  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n   b\n");
	/* rows with too few or too many cells, and no last newline */
	assert_table("A\tB\tC\nx\ny\tz\n", 0, "A  B  C\nx\ny  z\n");
	assert_table("1\t2\t3\t4\t5\t6\t7\t8\t9\t10", 0, "1  2  3  4  5  6  7  8\t9\t10\n");
	assert_table("\n\nA\n", 0, "\n\nA\n");
}

static void test_cell(void **state)
{
	struct strbuf row = STRBUF_INIT;

	(void)state;
	table_cell(&row, "a\tb\nc\x7f \x1b[1m\xc3\xa9");
	assert_string_equal(strbuf_text(&row), "a b c   [1m\xc3\xa9");
	strbuf_free(&row);
}

static void test_lines(void **state)
{
	const char *at = "one\n\ntwo", *line;
	size_t length;

	(void)state;
	line = lines_next(&at, &length);
	assert_memory_equal(line, "one", 3);
	assert_int_equal(length, 3);
	assert_non_null(lines_next(&at, &length));
	assert_int_equal(length, 0);
	assert_string_equal(lines_next(&at, &length), "two");
	assert_int_equal(length, 3);
	assert_null(lines_next(&at, &length));
}

static void assert_list(const char *list, bool first, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	injection_edit_list(&text, list, first ? ": " : ":", "/x/libcomputeprof.so", first);
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_free(&text);
}

static void test_lists_of_libraries(void **state)
{
	(void)state;
	assert_list(NULL, true, "/x/libcomputeprof.so");
	assert_list("", false, "/x/libcomputeprof.so");
	assert_list("::", false, "/x/libcomputeprof.so");
	assert_list("a.so b.so:c.so", true, "/x/libcomputeprof.so:a.so:b.so:c.so");
	assert_list("/a b.so:c.so", false, "/a b.so:c.so:/x/libcomputeprof.so");
	assert_list("/x/libcomputeprof.so", false, "/x/libcomputeprof.so");
	assert_list("a.so:/x/libcomputeprof.so:b.so", true, "/x/libcomputeprof.so:a.so:b.so");
	/* with another copy everything would be logged twice */
	assert_list("/old/libcomputeprof.so.1:a.so", false, "a.so:/x/libcomputeprof.so");
	assert_list("/x/libcomputeprof.so/a.so:", false,
		    "/x/libcomputeprof.so/a.so:/x/libcomputeprof.so");
}

static void write_manifest(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void test_artifacts(void **state)
{
	struct artifacts artifacts;
	struct artifact_lists lists = {0};

	(void)state;
	unsetenv("COMPUTEPROF_MANIFEST");
	artifacts_open(&artifacts);
	assert_non_null(artifacts.path);
	assert_string_equal(getenv("COMPUTEPROF_MANIFEST"), artifacts.path);
	write_manifest(artifacts.path, "log /a b\nlog /a\nring /r\n\nlog\nlog \nnonsense\n"
				       "log /a b\ntrace /t\nlog /cut off");
	artifacts_read(&artifacts, &lists);
	artifacts_remove(&artifacts);
	assert_string_equal(strbuf_text(&lists.logs), "/a b\n/a\n");
	assert_string_equal(strbuf_text(&lists.traces), "/t\n");
	assert_string_equal(strbuf_text(&lists.rings), "/r\n");
	assert_int_not_equal(access(artifacts.path, F_OK), 0);
	assert_false(artifacts_forward(&artifacts, &lists));
	artifacts_free(&artifacts, &lists);
}

/* In time that grows with the list, not with its square. */
static void test_many_artifacts(void **state)
{
	struct artifact_lists lists = {0};
	struct artifacts none = {0};
	const char *at, *line;
	char path[64];
	size_t length;
	clock_t begun = clock();

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		snprintf(path, sizeof(path), "/some/where/compute_profile.%u.log", i / 2);
		artifacts_add(&lists, i % 3 ? &lists.logs : &lists.rings, path, strlen(path));
	}
	artifacts_add(&lists, &lists.logs, "/some", 5);
	assert_true(clock() - begun < 10 * CLOCKS_PER_SEC);
	at = strbuf_text(&lists.logs);
	for (unsigned i = 0; i < 100000; i++) {
		snprintf(path, sizeof(path), "/some/where/compute_profile.%u.log", i);
		line = lines_next(&at, &length);
		assert_non_null(line);
		assert_int_equal(length, strlen(path));
		assert_memory_equal(line, path, length);
	}
	assert_string_equal(at, "/some\n");
	artifacts_free(&none, &lists);
}

static void test_nested_artifacts(void **state)
{
	char outer[] = "/tmp/test_tool.XXXXXX";
	struct artifacts artifacts;
	struct artifact_lists lists = {0};
	struct strbuf text = STRBUF_INIT;

	(void)state;
	close(mkstemp(outer));
	write_manifest(outer, MANIFEST_HEAD);
	setenv("COMPUTEPROF_MANIFEST", outer, 1);
	artifacts_open(&artifacts);
	assert_string_not_equal(artifacts.path, outer);
	write_manifest(artifacts.path, "log /l\nring /r\n");
	artifacts_read(&artifacts, &lists);
	artifacts_remove(&artifacts);
	assert_true(artifacts_forward(&artifacts, &lists));
	assert_int_equal(lines_read_file(&text, outer), 0);
	assert_string_equal(strbuf_text(&text), MANIFEST_HEAD "log /l\nring /r\n");
	unlink(outer);
	strbuf_free(&text);
	artifacts_free(&artifacts, &lists);
}

static int answer(struct strbuf *out, const char *argument)
{
	for (int i = 0; i < 50000; i++)
		strbuf_string(out, argument);
	printf("not to be seen\n");
	return 42;
}

static int fall(struct strbuf *out, const char *argument)
{
	strbuf_string(out, "half an answer");
	if (*argument == 'e')
		exit(0);
	signal(SIGABRT, SIG_DFL); /* cmocka catches it */
	signal(SIGSEGV, SIG_DFL);
	raise(*argument == 'a' ? SIGABRT : SIGKILL);
	return 0;
}

static int see_doors(struct strbuf *out, const char *argument)
{
	(void)argument;
	strbuf_string(out, getenv("LD_PRELOAD") || getenv("OPENCL_LAYERS") ? "seen" : "none");
	return 0;
}

static void assert_fall(const char *how, const char *expected)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_string(&out, "before: ");
	assert_int_equal(sandbox_run(fall, how, &out), -1);
	assert_string_equal(strbuf_text(&out), expected);
	strbuf_free(&out);
}

static void test_sandbox(void **state)
{
	struct strbuf out = STRBUF_INIT;

	(void)state;
	assert_int_equal(sandbox_run(answer, "abc", &out), 42);
	assert_int_equal(out.length, 150000);
	assert_memory_equal(out.data + out.length - 6, "abcabc", 6);
	assert_fall("abort", "before: it crashed (signal 6)");
	assert_fall("kill", "before: it crashed (signal 9)");
	assert_fall("exit", "before: it ended the process (exit code 0)");
	out.length = 0;
	setenv("OPENCL_LAYERS", "x", 1);
	assert_int_equal(sandbox_run(see_doors, NULL, &out), 0);
	assert_string_equal(strbuf_text(&out), "none");
	assert_string_equal(getenv("OPENCL_LAYERS"), "x");
	unsetenv("OPENCL_LAYERS");
	strbuf_free(&out);
}

/* A second option with the same name, or with the same letter for a command, would be
 * unreachable. */
static void test_flags(void **state)
{
	(void)state;
	for (int i = 0; i < FLAG_COUNT; i++) {
		assert_non_null(flag_rows[i].name);
		assert_non_null(flag_rows[i].help);
		assert_true(flag_rows[i].commands);
		assert_false(flag_rows[i].apply && flag_rows[i].variable);
		for (int j = 0; j < i; j++) {
			assert_string_not_equal(flag_rows[i].name, flag_rows[j].name);
			if (flag_rows[i].letter &&
			    flag_rows[i].commands & flag_rows[j].commands)
				assert_int_not_equal(flag_rows[i].letter, flag_rows[j].letter);
		}
	}
}

/* What the tool says about a recovery with these numbers, with or without logs of the run. */
static const char *ending_of(enum recover_result result, struct recover_report report, bool logs)
{
	static const struct child child = {.pid = 1};
	struct artifact_lists lists = {.logs.length = logs};

	report.pid = 2;
	if (result == RECOVER_FAILED)
		strbuf_string(&report.reason, "why");
	listen_now();
	endings_tell("a.ring", result, &report, &lists, &child);
	strbuf_free(&report.reason);
	return hear();
}

static const char *ending(enum recover_result result, struct recover_report report)
{
	return ending_of(result, report, true);
}

#define KILLED "computeprof: process 2 was killed, or ended without its exit handlers; "

static void test_endings(void **state)
{
	(void)state;
	assert_string_equal(ending_of(RECOVER_DONE, (struct recover_report){0}, false),
			    KILLED "it is recovered, and had no row for a log\n");
	assert_string_equal(ending(RECOVER_DONE, (struct recover_report){.rows = 1}),
			    KILLED "its log is finished: 1 row added\n");
	assert_string_equal(ending(RECOVER_DONE, (struct recover_report){.rows = 2}),
			    KILLED "its log is finished: 2 rows added\n");
	assert_string_equal(ending(RECOVER_DONE, (struct recover_report){.lost = 1}),
			    KILLED "its log is finished: 0 rows added; 1 record was lost\n");
	assert_string_equal(
		ending(RECOVER_DONE, (struct recover_report){.rows = 1, .in_memory = true}),
		KILLED "1 row was added to its log, and rows may be missing: its ring file could "
		       "not grow\n");
	assert_string_equal(
		ending(RECOVER_DONE,
		       (struct recover_report){.rows = 3, .lost = 1, .in_memory = true}),
		KILLED "3 rows were added to its log, 1 record was lost, and further rows may be "
		       "missing: its ring file could not grow\n");
	assert_string_equal(
		ending(RECOVER_DONE, (struct recover_report){.lost = 1, .finished = true}),
		"computeprof: process 2: 1 record was lost in total\n");
	assert_string_equal(
		ending(RECOVER_FAILED, (struct recover_report){.lost = 1}),
		"computeprof: cannot recover a.ring: why; 1 other record was lost before\n");
	assert_string_equal(
		ending(RECOVER_FAILED, (struct recover_report){.lost = 2}),
		"computeprof: cannot recover a.ring: why; 2 other records were lost before\n");
	assert_string_equal(
		ending(RECOVER_FAILED, (struct recover_report){.in_memory = true}),
		"computeprof: cannot recover a.ring: why; further rows may be missing: its ring "
		"file could not grow\n");
	assert_string_equal(
		ending(RECOVER_FAILED, (struct recover_report){.lost = 2, .in_memory = true}),
		"computeprof: cannot recover a.ring: why; 2 other records were lost before, and "
		"further rows may be missing: its ring file could not grow\n");
}

/* Of a run without a log; last, since that cannot be taken back. */
static void test_endings_without_log(void **state)
{
	(void)state;
	flag_note_no_log();
	assert_string_equal(ending(RECOVER_DONE, (struct recover_report){.rows = 1}),
			    KILLED "1 record was recovered\n");
	assert_string_equal(ending(RECOVER_DONE, (struct recover_report){0}),
			    KILLED "no record had to be recovered\n");
	assert_string_equal(ending_of(RECOVER_DONE, (struct recover_report){0}, false),
			    KILLED "it is recovered, and had no row for a log\n");
	assert_string_equal(ending(RECOVER_DONE, (struct recover_report){.rows = 2, .lost = 1}),
			    KILLED "2 records were recovered; 1 record was lost\n");
	assert_string_equal(
		ending(RECOVER_DONE, (struct recover_report){.in_memory = true}),
		KILLED "0 records were recovered, and records may be missing: its ring file could "
		       "not grow\n");
	assert_string_equal(
		ending(RECOVER_DONE,
		       (struct recover_report){.rows = 1, .lost = 2, .in_memory = true}),
		KILLED "1 record was recovered, 2 records were lost, and further records may be "
		       "missing: its ring file could not grow\n");
	assert_string_equal(
		ending(RECOVER_FAILED, (struct recover_report){.lost = 2, .in_memory = true}),
		"computeprof: cannot recover a.ring: why; 2 other records were lost before, and "
		"further records may be missing: its ring file could not grow\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_cell),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_lists_of_libraries),
		cmocka_unit_test(test_artifacts),
		cmocka_unit_test(test_nested_artifacts),
		cmocka_unit_test(test_many_artifacts),
		cmocka_unit_test(test_endings),
		cmocka_unit_test(test_sandbox),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_endings_without_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

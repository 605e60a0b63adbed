/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/say.h"

static int kept_stderr;
static int ends[2];
static char heard[4096];

static int redirect(void **state)
{
	(void)state;
	kept_stderr = dup(2);
	return pipe(ends) || dup2(ends[1], 2) < 0 ? -1 : 0;
}

static int restore(void **state)
{
	(void)state;
	dup2(kept_stderr, 2);
	close(kept_stderr);
	close(ends[1]);
	return 0;
}

static const char *listen_once(void)
{
	ssize_t size = read(ends[0], heard, sizeof(heard) - 1);

	heard[size < 0 ? 0 : size] = '\0';
	return heard;
}

static void test_one_line(void **state)
{
	(void)state;
	errno = ENOENT;
	say("%s has %d rows", "a.log", 3);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(listen_once(), "computeprof: a.log has 3 rows\n");
}

static void test_control_bytes(void **state)
{
	(void)state;
	say("%s", "a\033[31m\nb\x7f\xc3\xa9");
	assert_string_equal(listen_once(), "computeprof: a\\x1b[31m\\x0ab\\x7f\xc3\xa9\n");
	say("%s", "\xff \xc2\x9b \xe2\x80\xa8 \xe2\x82");
	assert_string_equal(listen_once(), "computeprof: \\xff \\xc2\\x9b \\xe2\\x80\\xa8 "
					   "\\xe2\\x82\n");
}

/* Invalid UTF-8, and characters that terminals take for control characters or newlines. */
static void test_not_utf8(void **state)
{
	(void)state;
	say("%s",
	    "\xff\xc3( \xed\xa0\x80 \xc2\x85 \xe2\x80\xa8 \xe2\x82\xac \xf0\x9f\x98\x80 \xe2\x82");
	assert_string_equal(listen_once(),
			    "computeprof: \\xff\\xc3( \\xed\\xa0\\x80 \\xc2\\x85 \\xe2\\x80\\xa8 "
			    "\xe2\x82\xac \xf0\x9f\x98\x80 \\xe2\\x82\n");
}

static void test_long_text(void **state)
{
	static char text[5000];
	size_t length;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	say("%s", text);
	length = strlen(listen_once());
	assert_true(length <= 1024 && length > 900);
	assert_string_equal(heard + length - 5, "x...\n");
	memset(text, '\1', sizeof(text) - 1);
	say("%s", text);
	length = strlen(listen_once());
	assert_true(length <= 1024 && length > 900);
	assert_string_equal(heard + length - 8, "\\x01...\n");
}

static void test_rank(void **state)
{
	char line[64];

	(void)state;
	say_set_rank("123456789");
	say("one");
	assert_string_equal(listen_once(), "computeprof: rank 123456789: one\n");
	say_set_program("1");
	say("two");
	snprintf(line, sizeof(line), "computeprof: rank 123456789, process %d: two\n",
		 (int)getpid());
	assert_string_equal(listen_once(), line);
	say_set_rank(NULL);
	say_set_program(NULL);
	say("three");
	assert_string_equal(listen_once(), "computeprof: three\n");
}

static void test_once(void **state)
{
	static int said;

	(void)state;
	say_mute(true);
	say_once(&said, "muted");
	say_mute(false);
	for (int i = 0; i < 3; i++)
		say_once(&said, "number %d", i);
	say("end");
	assert_string_equal(listen_once(), "computeprof: number 0\ncomputeprof: end\n");
}

static void test_new_messages(void **state)
{
	(void)state;
	for (int i = 0; i < 6; i++)
		say_new("number %d", i / 2 % 2);
	say("number %d", 1);
	assert_string_equal(listen_once(), "computeprof: number 0\ncomputeprof: number 1\n"
					   "computeprof: number 1\n");
}

/* More than are remembered: some are printed twice rather than not at all. */
static void test_many_new_messages(void **state)
{
	char line[64];

	(void)state;
	for (int i = 2; i < 1000; i++) {
		say_new("number %d", i);
		snprintf(line, sizeof(line), "computeprof: number %d\n", i);
		assert_string_equal(listen_once(), line);
	}
	say_new("number %d", 999);
	assert_string_equal(listen_once(), line);
}

static void test_no_reader(void **state)
{
	sigset_t pending;

	(void)state;
	close(ends[0]);
	errno = 0;
	say("nobody hears this");
	assert_int_equal(errno, 0);
	sigpending(&pending);
	assert_false(sigismember(&pending, SIGPIPE));
	close(2);
	say("nor this");
	assert_int_equal(errno, 0);
}

/* The descriptor of a stderr that was closed from the start is a file of the program. */
static void test_closed(void **state)
{
	(void)state;
	close(2);
	say_look_for_reader();
	dup2(ends[1], 2);
	say("this would spoil it");
	say_look_for_reader();
	say("end");
	assert_string_equal(listen_once(), "computeprof: end\n");
	assert_string_equal(say_next_kept(), "computeprof: this would spoil it\n");
	assert_null(say_next_kept());
}

/* So is the descriptor of a stderr that was closed later. */
static void test_replaced(void **state)
{
	int others[2];

	(void)state;
	say_look_for_reader();
	assert_false(pipe(others) || dup2(others[1], 2) < 0);
	say("this would spoil it");
	say("nor is this for it");
	dup2(ends[1], 2);
	say("end");
	assert_string_equal(listen_once(), "computeprof: end\n");
	assert_string_equal(say_next_kept(), "computeprof: this would spoil it\n");
	say_forked();
	assert_null(say_next_kept());
	close(others[1]);
	assert_int_equal(read(others[0], heard, sizeof(heard)), 0);
	close(others[0]);
}

/* A pipe without a reader is not waited for. */
static void test_full(void **state)
{
	char line[64];

	(void)state;
	say_look_for_reader();
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	while (write(ends[1], heard, 1) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	for (int i = 0; i < 10; i++)
		say("sentence %d", i);
	for (int i = 0; i < 8; i++) {
		snprintf(line, sizeof(line), "computeprof: sentence %d\n", i);
		assert_string_equal(say_next_kept(), line);
	}
	assert_null(say_next_kept());
	/* They could not be written; then they are, and there is room for others. */
	say_end_kept(false);
	assert_string_equal(say_next_kept(), "computeprof: sentence 0\n");
	say_end_kept(true);
	say("sentence %d", 10);
	assert_string_equal(say_next_kept(), "computeprof: sentence 10\n");
	for (int i = 1; i < 8; i++)
		assert_non_null(say_next_kept());
	assert_null(say_next_kept());
	say_end_kept(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_line, redirect, restore),
		cmocka_unit_test_setup_teardown(test_control_bytes, redirect, restore),
		cmocka_unit_test_setup_teardown(test_not_utf8, redirect, restore),
		cmocka_unit_test_setup_teardown(test_long_text, redirect, restore),
		cmocka_unit_test_setup_teardown(test_rank, redirect, restore),
		cmocka_unit_test_setup_teardown(test_once, redirect, restore),
		cmocka_unit_test_setup_teardown(test_new_messages, redirect, restore),
		cmocka_unit_test_setup_teardown(test_many_new_messages, redirect, restore),
		cmocka_unit_test_setup_teardown(test_no_reader, redirect, restore),
		cmocka_unit_test_setup_teardown(test_closed, redirect, restore),
		cmocka_unit_test_setup_teardown(test_replaced, redirect, restore),
		cmocka_unit_test_setup_teardown(test_full, redirect, restore),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

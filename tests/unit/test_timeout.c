/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "cli/run/process_tree.h"
#include "cli/run/timeout.h"

#define MILLISECOND UINT64_C(1000000)

static void test_read(void **state)
{
	static const struct {
		const char *text;
		uint64_t nanoseconds;
	} rows[] = {
		{"1", 1000 * MILLISECOND},
		{"0.5", 500 * MILLISECOND},
		{".25", 250 * MILLISECOND},
		{"90.", 90000 * MILLISECOND},
		{"0.000000001", 1},
		{"1.2345678909", UINT64_C(1234567890)},
		{"1000000000", UINT64_C(1000000000000000000)},
		{"1000000001", 0},
		{"99999999999999999999999", 0},
		{"0.0000000001", 0},
		{"0", 0},
		{"", 0},
		{".", 0},
		{"-1", 0},
		{"+1", 0},
		{" 1", 0},
		{"1 ", 0},
		{"1e3", 0},
		{"1,5", 0},
		{"1.2.3", 0},
		{"nan", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(timeout_read(rows[i].text), rows[i].nanoseconds);
}

static pid_t start(void (*run)(void))
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	run();
	_exit(0);
}

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

/* A child that has a child; both wait. */
static void wait_in_two(void)
{
	if (fork() >= 0)
		wait_for_ever();
}

static void end_at_once(void)
{
}

static void test_process_tree(void **state)
{
	pid_t pid = start(wait_in_two);
	int status, tries = 0;

	(void)state;
	while (process_tree_signal(0) != 2 && tries++ < 1000)
		usleep(10000);
	assert_int_equal(process_tree_signal(0), 2);
	assert_int_equal(process_tree_signal(SIGKILL), 2);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	for (tries = 0; process_tree_signal(0) && tries < 1000; tries++)
		usleep(10000);
	assert_int_equal(process_tree_signal(0), 0);
}

/* Runs the waiting parts in a process of their own, since timeout_begin cannot be undone. */
static void wait_for_both(void)
{
	pid_t pid;
	int status;

	timeout_begin();
	pid = start(end_at_once);
	if (timeout_wait(pid, 60000 * MILLISECOND))
		_exit(1);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		_exit(2);
	pid = start(wait_in_two);
	if (!timeout_wait(pid, 200 * MILLISECOND))
		_exit(3);
	if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM)
		_exit(4);
	_exit(process_tree_signal(0) ? 5 : 0);
}

static void test_wait(void **state)
{
	uint64_t begin = clock_monotonic();
	pid_t pid = start(wait_for_both);
	int status;

	(void)state;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_true(clock_monotonic() - begin >= 200 * MILLISECOND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_process_tree),
		cmocka_unit_test(test_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "folder.h"

/* Writing with all limits and all behaviours of the reader. */

static volatile sig_atomic_t signals;

static void note_signal(int number)
{
	(void)number;
	signals++;
}

static void test_size_limit(void **state)
{
	struct rlimit before, small = {.rlim_cur = 10};
	struct file file;

	(void)state;
	signal(SIGXFSZ, note_signal);
	getrlimit(RLIMIT_FSIZE, &before);
	small.rlim_max = before.rlim_max;
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(file_write(file.fd, "0123456789abcdef", 16), 10);
	assert_int_equal(errno, EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(signals, 0);
	file_close(&file);
	signal(SIGXFSZ, SIG_DFL);
}

struct slow {
	int fd;
	size_t got;
};

static void *read_slowly(void *argument)
{
	struct slow *slow = argument;
	char bytes[65536];
	ssize_t count;

	usleep(100000);
	while ((count = read(slow->fd, bytes, sizeof(bytes))) > 0)
		slow->got += (size_t)count;
	return NULL;
}

/* A write to a full FIFO waits, and a signal handler does not end the wait. */
static void test_slow_reader(void **state)
{
	enum { SIZE = 1 << 20 };
	struct sigaction action = {.sa_handler = note_signal};
	struct slow slow = {.fd = -1};
	char *bytes = calloc(1, SIZE);
	pthread_t reader;
	struct file file;
	sigset_t alarms;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0666), 0);
	slow.fd = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_int_equal(file_open_log(&file, "fifo", true), 0);
	fcntl(slow.fd, F_SETFL, 0);
	signals = 0;
	sigaction(SIGALRM, &action, NULL);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	assert_int_equal(pthread_create(&reader, NULL, read_slowly, &slow), 0);
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
	ualarm(30000, 0);
	assert_int_equal(file_write(file.fd, bytes, SIZE), SIZE);
	assert_int_equal(signals, 1);
	file_close(&file);
	pthread_join(reader, NULL);
	assert_int_equal(slow.got, SIZE);
	close(slow.fd);
	free(bytes);
}

static void *leave_soon(void *fd)
{
	usleep(50000);
	close(*(int *)fd);
	return NULL;
}

/* The error is then that of the missing reader, not of the wait. */
static void test_reader_leaves(void **state)
{
	enum { SIZE = 1 << 20 };
	char *bytes = calloc(1, SIZE);
	pthread_t reader;
	struct file file;
	int fd;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0666), 0);
	fd = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_int_equal(file_open_log(&file, "fifo", true), 0);
	assert_int_equal(pthread_create(&reader, NULL, leave_soon, &fd), 0);
	errno = 0;
	assert_true(file_write(file.fd, bytes, SIZE) < SIZE);
	assert_int_equal(errno, EPIPE);
	pthread_join(reader, NULL);
	file_close(&file);
	free(bytes);
}

/* A child has a copy of the descriptor, and with it the lock, until it closes it or executes a
 * program. */
static void test_lock_is_released(void **state)
{
	pthread_t child;
	struct file file;
	int copy;

	(void)state;
	assert_int_equal(file_open_log(&file, "log", true), 0);
	copy = dup(file.fd);
	file_close(&file);
	assert_int_equal(pthread_create(&child, NULL, leave_soon, &copy), 0);
	assert_int_equal(file_append(&file, "log", 0, "row\n", 4), 4);
	pthread_join(child, NULL);
	file_close(&file);
}

static void test_lock_of_a_released_file(void **state)
{
	struct file file;
	int copy;

	(void)state;
	assert_int_equal(file_open_log(&file, "log", true), 0);
	copy = dup(file.fd);
	file_release(&file);
	assert_int_equal(file_append(&file, "log", 0, "row\n", 4), 4);
	file_close(&file);
	close(copy);
}

static void test_lock_is_kept(void **state)
{
	struct file file;
	int copy;

	(void)state;
	assert_int_equal(file_open_log(&file, "log", true), 0);
	copy = dup(file.fd);
	file_close(&file);
	errno = 0;
	assert_int_equal(file_append(&file, "log", 0, "row\n", 4), 0);
	assert_int_equal(errno, EBUSY);
	close(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_size_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_slow_reader, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_reader_leaves, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lock_is_released, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lock_of_a_released_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lock_is_kept, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

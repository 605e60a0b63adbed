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
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "scratch.h"

/* Writing on, whatever the program or the reader does meanwhile. */

static void test_taken_descriptor(void **state)
{
	struct file file;
	int fd;

	(void)state;
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	fd = open("/dev/null", O_WRONLY);
	assert_int_equal(dup2(fd, file.fd), file.fd);
	close(fd);
	fd = file.fd;
	assert_false(file_is_intact(&file));
	assert_int_equal(file_reopen(&file, "a.log"), 0);
	assert_int_not_equal(file.fd, fd);
	assert_int_equal(file_write(file.fd, "on\n", 3), 3);
	expect("a.log", "on\n");
	/* The program's own descriptor is left alone. */
	assert_int_not_equal(fcntl(fd, F_GETFD), -1);
	close(fd);
	file_close(&file);
}

/* Called instead of the next write, before it. */
static void (*before_write)(int fd);

ssize_t write(int fd, const void *bytes, size_t size)
{
	void (*before)(int fd) = before_write;

	before_write = NULL;
	if (before)
		before(fd);
	return syscall(SYS_write, fd, bytes, size);
}

static int stranger = -1;

static void swap_at_write(int fd)
{
	dup2(stranger, fd);
}

/* The program puts something else in the descriptor's place when it has just been looked at: what
 * went elsewhere is written once more, and what the stranger refused is no error of the log's. */
static void append_in_spite_of(int other)
{
	struct file file;
	int fd;

	stranger = other;
	assert_true(stranger >= 0);
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	fd = file.fd;
	assert_int_equal(file_append(&file, "a.log", 0, "one\n", 4), 4);
	before_write = swap_at_write;
	assert_int_equal(file_append(&file, "a.log", 4, "two\n", 4), 4);
	assert_null(before_write);
	assert_int_not_equal(file.fd, fd);
	assert_int_equal(file_append(&file, "a.log", 8, "three\n", 6), 6);
	expect("a.log", "one\ntwo\nthree\n");
	close(fd);
	close(stranger);
	file_close(&file);
}

static void test_swapped_for_device(void **state)
{
	(void)state;
	append_in_spite_of(open("/dev/null", O_WRONLY));
	append_in_spite_of(open("/dev/full", O_WRONLY));
	append_in_spite_of(open("/dev/null", O_RDONLY));
}

static void swap_and_remove(int fd)
{
	dup2(stranger, fd);
	unlink("a.log");
}

static void test_swapped_and_gone(void **state)
{
	struct file file;
	int fd;

	(void)state;
	stranger = open("/dev/full", O_WRONLY);
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	fd = file.fd;
	before_write = swap_and_remove;
	assert_int_equal(file_append(&file, "a.log", 0, "one\n", 4), 0);
	assert_int_equal(errno, ENOENT);
	close(fd);
	close(stranger);
}

static void test_close_leaves_strangers_open(void **state)
{
	struct file file;
	int fd, kept;

	(void)state;
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	kept = file.fd;
	fd = open("/dev/null", O_WRONLY);
	dup2(fd, kept);
	close(fd);
	file_close(&file);
	assert_int_not_equal(fcntl(kept, F_GETFD), -1);
	close(kept);
}

static void test_reopen_another_file(void **state)
{
	struct file file;

	(void)state;
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	close(file.fd);
	assert_int_equal(rename("a.log", "b.log"), 0);
	assert_int_equal(file_reopen(&file, "a.log"), -1);
	/* A file that is gone is not made anew: a log without its header helps nobody. */
	assert_int_equal(access("a.log", F_OK), -1);
	fill("a.log", "stranger\n");
	assert_int_equal(file_reopen(&file, "a.log"), -1);
	assert_int_equal(errno, ESTALE);
	assert_int_equal(file.fd, -1);
	expect("a.log", "stranger\n");
}

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

/* A full FIFO is waited for, and a signal handler in between ends the wait for nothing. */
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

/* What is said then is that nobody reads, not that it had to wait. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_taken_descriptor, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_swapped_for_device, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_swapped_and_gone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_close_leaves_strangers_open, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_reopen_another_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_size_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_slow_reader, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_reader_leaves, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

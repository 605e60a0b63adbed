/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "scratch.h"

/* The program closes and reuses the library's descriptors at any moment. */

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
	/* The program's own descriptor is unchanged. */
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

/* Called once with the result of the next open, before it returns. */
static void (*after_open)(int fd);

int open(const char *path, int flags, ...)
{
	void (*after)(int fd) = after_open;
	va_list arguments;
	int fd, mode = 0;

	va_start(arguments, flags);
	if (flags & O_CREAT)
		mode = va_arg(arguments, int);
	va_end(arguments);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	after_open = NULL;
	if (after)
		after(fd);
	return fd;
}

static int stranger = -1;

static void swap_at_write(int fd)
{
	dup2(stranger, fd);
}

/* The program replaces the descriptor right after the check: bytes that went elsewhere are written
 * again, and an error of the other file is not an error of the log. */
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

static int numbers_taken;

/* A program that opens files on a hundred numbers, one by one. */
static void take_numbers(int fd)
{
	if (fd >= FILE_LOWEST + 100)
		return;
	dup2(stranger, fd);
	numbers_taken++;
	before_write = take_numbers;
}

static void test_taken_each_time(void **state)
{
	struct file file;

	(void)state;
	numbers_taken = 0;
	stranger = open("/dev/null", O_WRONLY);
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	before_write = take_numbers;
	assert_int_equal(file_append(&file, "a.log", 0, "one\n", 4), 4);
	before_write = NULL;
	expect("a.log", "one\n");
	assert_int_not_equal(numbers_taken, 0);
	file_close(&file);
	for (int fd = FILE_LOWEST; fd < FILE_LOWEST + 100; fd++)
		close(fd);
	close(stranger);
}

static void close_it(int fd)
{
	close(fd);
}

static void take_it(int fd)
{
	dup2(stranger, fd);
}

/* The program closes or reuses the new descriptor before it is checked or moved: another one is
 * opened, and the program's file is unchanged. */
static void test_stolen_when_opened(void **state)
{
	void (*const thefts[])(int fd) = {close_it, take_it};
	struct file file;

	(void)state;
	fill("theirs", "precious\n");
	for (int i = 0; i < 2; i++) {
		stranger = open("theirs", O_RDWR);
		after_open = thefts[i];
		assert_int_equal(file_open_log(&file, "a.log", true), 0);
		assert_null(after_open);
		assert_int_equal(file_append(&file, "a.log", 0, "one\n", 4), 4);
		close(file.fd);
		after_open = thefts[i];
		assert_int_equal(file_append(&file, "a.log", 4, "two\n", 4), 4);
		assert_null(after_open);
		expect("a.log", "one\ntwo\n");
		expect("theirs", "precious\n");
		file_close(&file);
		/* Both reused descriptors are unchanged. */
		for (int fd = stranger; i && fd <= stranger + 2; fd++)
			assert_int_equal(close(fd), 0);
	}
}

static int held, pauses;

/* The third attempt releases the lock. */
int nanosleep(const struct timespec *time, struct timespec *rest)
{
	if (++pauses == 3)
		close(held);
	return clock_nanosleep(CLOCK_MONOTONIC, 0, time, rest);
}

/* A child between its fork and its exec also holds the log's lock when the program closes
 * everything. */
static void test_lock_lingers(void **state)
{
	struct file file;

	(void)state;
	pauses = 0;
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	held = dup(file.fd);
	close(file.fd);
	assert_int_equal(file_append(&file, "a.log", 0, "one\n", 4), 4);
	assert_int_equal(pauses, 3);
	expect("a.log", "one\n");
	/* The holder keeps the lock. */
	held = dup(file.fd);
	close(file.fd);
	assert_int_equal(file_append(&file, "a.log", 4, "two\n", 4), 0);
	assert_int_equal(errno, EBUSY);
	close(held);
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
	/* A removed file is not made again: a log without its header is useless. */
	assert_int_equal(access("a.log", F_OK), -1);
	fill("a.log", "stranger\n");
	assert_int_equal(file_reopen(&file, "a.log"), -1);
	assert_int_equal(errno, ESTALE);
	assert_int_equal(file.fd, -1);
	expect("a.log", "stranger\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_taken_descriptor, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_swapped_for_device, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_taken_each_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stolen_when_opened, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lock_lingers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_swapped_and_gone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_close_leaves_strangers_open, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_reopen_another_file, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

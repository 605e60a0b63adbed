/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "scratch.h"

static void test_plain(void **state)
{
	struct file file;

	(void)state;
	fill("a.log", "old\n");
	assert_int_equal(file_open_log(&file, "a.log", false), 0);
	assert_true(file.fd >= FILE_LOWEST);
	assert_true(fcntl(file.fd, F_GETFD) & FD_CLOEXEC);
	assert_true(file_is_intact(&file));
	assert_int_equal(file_write(file.fd, "new\n", 4), 4);
	expect("a.log", "old\nnew\n");
	file_close(&file);
	assert_int_equal(file.fd, -1);
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	expect("a.log", "");
	file_close(&file);
}

static void test_odd_paths(void **state)
{
	char path[5001];

	(void)state;
	memset(path, 'x', 5000);
	path[5000] = '\0';
	refused(path, ENAMETOOLONG);
	refused("", ENOENT);
	refused("nowhere/a.log", ENOENT);
	mkdir("folder", 0777);
	refused("folder", EISDIR);
	refused("folder/", EISDIR);
	fill("target", "precious\n");
	assert_int_equal(symlink("target", "link"), 0);
	refused("link", ELOOP);
	assert_int_equal(symlink("missing", "dangling"), 0);
	refused("dangling", ELOOP);
	assert_int_equal(link("target", "second"), 0);
	refused("target", EMLINK);
	refused("target/below", ENOTDIR);
	expect("target", "precious\n");
}

static void test_read_only(void **state)
{
	uid_t user = geteuid();

	(void)state;
	fill("locked", "kept\n");
	chmod("locked", 0444);
	chmod(".", 0755);
	if (!user && seteuid(65534)) /* root may write everything */
		skip(); /* a user namespace has root only */
	refused("locked", EACCES);
	if (!user)
		refused("new", EACCES);
	assert_int_equal(seteuid(user), 0);
	expect("locked", "kept\n");
}

/* In a directory that everybody may write to, files of other users are not written. */
static void test_planted(void **state)
{
	struct file file;
	int reader;

	(void)state;
	if (geteuid())
		skip(); /* chown */
	mkdir("sticky", 0);
	fill("sticky/theirs", "read along\n");
	if (chown("sticky/theirs", 65533, 65533))
		skip(); /* a user namespace has root only */
	assert_int_equal(chmod("sticky/theirs", 0666), 0);
	assert_int_equal(mkfifo("sticky/pipe", 0666) | chown("sticky/pipe", 65533, 65533), 0);
	reader = open("sticky/pipe", O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	for (int group = 0; group < 2; group++) {
		chmod("sticky", group ? 01770 : 01707);
		refused("sticky/theirs", EEXIST);
		refused("sticky/pipe", EEXIST);
	}
	close(reader);
	expect("sticky/theirs", "read along\n");
	/* This does not apply if only they may make files there, or if the owner cannot remove
	 * files there. */
	assert_int_equal(chown("sticky", 65533, 65533), 0);
	assert_int_equal(file_open_log(&file, "sticky/theirs", false), 0);
	file_close(&file);
	assert_int_equal(chown("sticky", 0, 0) | chmod("sticky", 0777), 0);
	assert_int_equal(file_open_log(&file, "sticky/theirs", true), 0);
	file_close(&file);
	expect("sticky/theirs", "");
}

static void test_fifo(void **state)
{
	struct file file;
	char got[8] = "";
	int reader;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0666), 0);
	refused("fifo", ENXIO);
	reader = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_int_equal(file_open_log(&file, "fifo", true), 0);
	assert_int_equal(file_write(file.fd, "line\n", 5), 5);
	assert_int_equal(read(reader, got, sizeof(got)), 5);
	assert_string_equal(got, "line\n");
	close(reader);
	/* The reader has closed the pipe: an error without a signal. */
	assert_int_equal(file_write(file.fd, "line\n", 5), 0);
	assert_int_equal(errno, EPIPE);
	file_close(&file);
}

static void test_device(void **state)
{
	struct file one, two;

	(void)state;
	assert_int_equal(file_open_log(&one, "/dev/null", true), 0);
	assert_int_equal(file_open_log(&two, "/dev/null", true), 0);
	assert_int_equal(file_write(two.fd, "line\n", 5), 5);
	file_close(&one);
	file_close(&two);
	if (!mknod("full", S_IFCHR | 0666, makedev(1, 7)) && !file_open_log(&one, "full", true)) {
		assert_int_equal(file_write(one.fd, "line\n", 5), 0);
		assert_int_equal(errno, ENOSPC);
		file_close(&one);
	}
}

/* A block device cannot be a log, even for root. No driver has this number. */
static void test_block_device(void **state)
{
	(void)state;
	if (mknod("disk", S_IFBLK | 0666, makedev(7, 0))) {
		print_message("# no right to make a block device\n");
		skip();
	}
	assert_int_equal(file_open_log(&(struct file){0}, "disk", true), -1);
	if (errno == EACCES || errno == EPERM || errno == ENXIO || errno == ENODEV) {
		print_message("# no right to open a block device\n");
		skip();
	}
	assert_int_equal(errno, ENOTSUP);
}

static void test_second_locker(void **state)
{
	struct file file;
	pid_t child;
	int status;

	(void)state;
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	assert_int_equal(file_write(file.fd, "mine\n", 5), 5);
	refused("a.log", EBUSY);
	child = fork();
	if (!child) {
		struct file other;

		_exit(file_open_log(&other, "a.log", true) != -1 || errno != EBUSY);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	expect("a.log", "mine\n");
	file_close(&file);
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	file_close(&file);
}

static void test_absolute(void **state)
{
	char path[256], wanted[256];

	(void)state;
	assert_int_equal(file_absolute(path, sizeof(path), "/a/b"), 0);
	assert_string_equal(path, "/a/b");
	assert_int_equal(file_absolute(path, sizeof(path), "b.log"), 0);
	snprintf(wanted, sizeof(wanted), "%s/b.log", directory);
	assert_string_equal(path, wanted);
	assert_int_equal(file_absolute(path, strlen(wanted), "b.log"), -1);
	assert_int_equal(errno, ENAMETOOLONG);
	assert_int_equal(file_absolute(path, 4, "b.log"), -1);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(file_absolute(path, sizeof(path), "b.log"), 0);
	assert_string_equal(path, "/b.log");
}

/* The kernel's descriptor table is as large as the highest number and never shrinks. */
static void test_closed_often(void **state)
{
	struct rlimit limit;
	struct file file;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	if (limit.rlim_max <= 4 * FILE_HIGHEST || setrlimit(RLIMIT_NOFILE, &limit))
		skip();
	assert_int_equal(file_open_log(&file, "a.log", true), 0);
	for (int i = 0; i < 20; i++) {
		close(file.fd);
		assert_int_equal(file_reopen(&file, "a.log"), 0);
		assert_in_range(file.fd, FILE_LOWEST, FILE_HIGHEST + 20);
	}
	file_close(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plain, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_odd_paths, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_read_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_planted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_fifo, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_device, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_block_device, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_second_locker, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_absolute, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_closed_often, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/filethread.h"
#include "scratch.h"
#include "session/ringfile.h"

/* The program closes and reuses the ring file's descriptor at any moment: its own files are neither
 * grown nor mapped, and the ring file has all segments. */

#define THEIRS "precious\n"

enum { SIZE = 16 * RINGFILE_PAGE };

static struct ringfile ringfile;
static int stranger = -1;

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

/* Called once before the next file is given space, and after it. */
static void (*before_space)(int fd), (*after_space)(int fd);

int posix_fallocate(int fd, off_t from, off_t size)
{
	void (*before)(int fd) = before_space, (*after)(int fd) = after_space;
	int result;

	before_space = after_space = NULL;
	if (before)
		before(fd);
	result = syscall(SYS_fallocate, fd, 0, from, size) ? errno : 0;
	if (after)
		after(fd);
	return result;
}

/* The next answer is that of the moment before the file thread had its table. */
static bool is_early;

bool __real_filethread_is_apart(void);
bool __wrap_filethread_is_apart(void);

bool __wrap_filethread_is_apart(void)
{
	bool early = is_early;

	is_early = false;
	return !early && __real_filethread_is_apart();
}

static void take_it(int fd)
{
	dup2(stranger, fd);
}

static void close_it(int fd)
{
	close(fd);
}

static int begin(void **state)
{
	if (set_up(state))
		return -1;
	fill("theirs", THEIRS);
	stranger = open("theirs", O_RDWR);
	return stranger < 0;
}

static int end(void **state)
{
	ringfile_unlink(&ringfile);
	ringfile_free(&ringfile);
	close(stranger);
	return tear_down(state);
}

static uint64_t size_of(const char *path)
{
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return (uint64_t)status.st_size;
}

static void create(void)
{
	struct stat status;

	assert_int_equal(ringfile_create(&ringfile, "./a.log", RING_BESIDE_LOG), 0);
	assert_int_equal(strncmp(ringfile.path, "./", 2), 0);
	assert_int_equal(lstat(ringfile.path, &status), 0);
	assert_int_equal(status.st_ino, ringfile.header->file_inode);
	assert_int_equal(size_of(ringfile.path), RINGFILE_PAGE);
}

/* The next segment is at the ring file's end. */
static void grow(void)
{
	uint64_t end = ringfile.header->end;
	struct segment *segment = ringfile_segment(&ringfile, SEGMENT_RING, SIZE);
	struct segment read;
	int fd = open(ringfile.path, O_RDONLY);

	assert_non_null(segment);
	segment->used = end; /* any number */
	assert_int_equal(ringfile.header->end, end + SIZE);
	assert_int_equal(size_of(ringfile.path), end + SIZE);
	assert_int_equal(pread(fd, &read, sizeof(read), (off_t)end), sizeof(read));
	close(fd);
	assert_memory_equal(&read, segment, sizeof(read));
}

/* Unchanged and open. */
static void assert_theirs(void)
{
	assert_int_equal(fcntl(stranger, F_GETFD), 0);
	expect("theirs", THEIRS);
	assert_int_equal(size_of("theirs"), sizeof(THEIRS) - 1);
}

static void test_taken_at_creation(void **state)
{
	int mine;

	(void)state;
	mine = stranger + 1; /* the number that open returns */
	after_open = take_it;
	create();
	assert_null(after_open);
	assert_int_equal(close(mine), 0);
	grow();
	assert_theirs();
}

static void test_closed_at_creation(void **state)
{
	(void)state;
	after_open = close_it;
	create();
	grow();
	assert_theirs();
}

static void test_taken_when_space_is_given(void **state)
{
	int fd;

	(void)state;
	after_space = take_it;
	create();
	grow();
	fd = ringfile.file.fd;
	after_space = take_it;
	grow();
	assert_null(after_space);
	assert_int_equal(close(fd), 0);
	grow();
	assert_theirs();
}

static void test_taken_before(void **state)
{
	void (*const thefts[])(int fd) = {close_it, take_it};

	(void)state;
	create();
	for (int i = 0; i < 2; i++) {
		int fd = ringfile.file.fd;

		thefts[i](fd);
		after_open = thefts[i];
		grow();
		assert_null(after_open);
		grow();
		assert_theirs();
		/* A number that was only closed may be used again. */
		assert_int_equal(close(fd), 0);
	}
}

/* A file of the program that has the ring file's name. */
static void test_replaced(void **state)
{
	uint64_t end;

	(void)state;
	create();
	grow();
	end = ringfile.header->end;
	close(ringfile.file.fd);
	assert_int_equal(rename("theirs", ringfile.path), 0);
	assert_non_null(ringfile_segment(&ringfile, SEGMENT_RING, SIZE));
	assert_int_equal(ringfile.header->end, end);
	assert_int_equal(rename(ringfile.path, "theirs"), 0);
	assert_theirs();
}

/* More segments need neither a descriptor nor the file's name. */
static void test_no_descriptors(void **state)
{
	struct rlimit before, none;

	(void)state;
	create();
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){.rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_int_equal(open("theirs", O_RDONLY), -1);
	assert_non_null(ringfile_segment(&ringfile, SEGMENT_RING, SIZE));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(size_of(ringfile.path), RINGFILE_PAGE + SIZE);
	grow();
}

static pthread_t remover;
static _Atomic bool removed;

static void *remove_it(void *argument)
{
	ringfile_unlink(&ringfile);
	removed = true;
	return argument;
}

/* Another thread ends the session meanwhile, and the program then opens a file. */
static void end_session(int fd)
{
	assert_int_equal(pthread_create(&remover, NULL, remove_it, NULL), 0);
	for (int i = 0; i < 200 && !removed; i++)
		usleep(1000);
	if (fcntl(fd, F_GETFD) < 0)
		dup2(stranger, fd);
}

static void test_removed_when_space_is_given(void **state)
{
	char path[64];

	(void)state;
	create();
	snprintf(path, sizeof(path), "%.60s", ringfile.path);
	before_space = end_session;
	assert_non_null(ringfile_segment(&ringfile, SEGMENT_RING, SIZE));
	assert_int_equal(pthread_join(remover, NULL), 0);
	assert_true(removed);
	assert_theirs();
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(ringfile.file.fd, -1);
	assert_non_null(ringfile_segment(&ringfile, SEGMENT_RING, SIZE));
}

/* The file thread gets a table of its own while the writer hands the file over to it. */
static void test_moved_to_new_table(void **state)
{
	(void)state;
	create();
	filethread_start(true);
	filethread_await();
	is_early = true;
	ringfile_move(&ringfile);
	assert_false(is_early);
	assert_non_null(ringfile_segment(&ringfile, SEGMENT_RING, SIZE));
	assert_int_equal(ringfile.growth_error, 0);
	grow();
	close_it(ringfile.file.fd);
	grow();
	ringfile_unlink(&ringfile);
	filethread_end();
	assert_theirs();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(test_taken_at_creation),
		TEST(test_closed_at_creation),
		TEST(test_taken_when_space_is_given),
		TEST(test_taken_before),
		TEST(test_replaced),
		TEST(test_no_descriptors),
		TEST(test_removed_when_space_is_given),
		TEST(test_moved_to_new_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

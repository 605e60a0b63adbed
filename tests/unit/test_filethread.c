/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/filejobs.h"
#include "scratch.h"

/* A job that simulates a file system that does not respond until a later moment. */
struct slow {
	struct file_job job;
	pthread_t thread;
};

static _Atomic int answering, served, disposed;

static _Atomic int each_call, jumped; /* s that each reading of the clock adds; their sum */

/* In the place of the C library's. */
int clock_gettime(clockid_t id, struct timespec *time)
{
	int result = (int)syscall(SYS_clock_gettime, id, time);

	time->tv_sec += atomic_fetch_add(&jumped, atomic_load(&each_call));
	return result;
}

static void pause_shortly(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void await(_Atomic int *number, int value)
{
	for (int i = 0; i < 20000 && atomic_load(number) != value; i++)
		pause_shortly();
	assert_int_equal(atomic_load(number), value);
}

static void do_wait(struct file_job *job)
{
	((struct slow *)(void *)job)->thread = pthread_self();
	for (int i = 0; i < 20000 && !atomic_load(&answering); i++)
		pause_shortly();
	atomic_fetch_add(&served, 1);
}

static void dispose(struct file_job *job)
{
	(void)job;
	atomic_fetch_add(&disposed, 1);
}

static char log_path[PATH_MAX]; /* absolute: the thread has its own working directory */

static int begin(void **state)
{
	int result = set_up(state);
	char *folder = getcwd(NULL, 0);

	atomic_store(&answering, 0);
	atomic_store(&served, 0);
	atomic_store(&disposed, 0);
	filethread_start(true);
	snprintf(log_path, sizeof(log_path), "%s/a.log", folder);
	free(folder);
	return result;
}

static void test_done(void **state)
{
	struct slow slow = {.job.work = do_wait};

	(void)state;
	atomic_store(&answering, 1);
	assert_true(filethread_run(&slow.job));
	assert_int_equal(atomic_load(&served), 1);
	assert_false(pthread_equal(slow.thread, pthread_self()));
	assert_false(filethread_is_sent(&slow.job));
	assert_false(filethread_is_stalled());
}

/* The first timeout is long, later ones are short; the job runs once. */
static void test_stalled(void **state)
{
	struct slow slow = {.job.work = do_wait}, other = {.job.work = do_wait};
	uint64_t before = clock_monotonic();

	(void)state;
	assert_false(filethread_run(&slow.job));
	assert_int_equal(errno, ETIMEDOUT);
	assert_true(clock_monotonic() - before >= FILE_PATIENCE * UINT64_C(1000000));
	assert_true(filethread_is_stalled() && filethread_is_sent(&slow.job));
	assert_false(filethread_run(&slow.job));
	/* Another job is not sent. */
	assert_false(filethread_run(&other.job));
	assert_false(filethread_is_sent(&other.job));
	assert_int_equal(atomic_load(&served), 0);
	atomic_store(&answering, 1);
	await(&served, 1);
	assert_true(filethread_run(&slow.job));
	assert_int_equal(atomic_load(&served), 1);
	assert_false(filethread_is_stalled());
	assert_true(filethread_run(&other.job));
	assert_int_equal(atomic_load(&served), 2);
}

static void do_take_long(struct file_job *job)
{
	(void)job;
	nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
	atomic_fetch_add(&served, 1);
}

/* With a clock that is too fast, or jumps, a limit is as long as otherwise. */
static void test_fast_clock(void **state)
{
	struct file_job job = {.work = do_take_long};

	(void)state;
	atomic_store(&each_call, 1);
	assert_true(filethread_run(&job));
	atomic_store(&each_call, 0);
	assert_int_equal(atomic_load(&served), 1);
}

static void test_abandoned(void **state)
{
	static struct slow slow = {.job = {.work = do_wait, .dispose = dispose}};
	struct slow unsent = {.job = {.work = do_wait, .dispose = dispose}};

	(void)state;
	assert_int_equal(filethread_try(&slow.job), JOB_ABANDONED);
	assert_int_equal(atomic_load(&disposed), 0);
	assert_int_equal(filethread_try(&unsent.job), JOB_IDLE);
	atomic_store(&answering, 1);
	await(&disposed, 1);
	assert_int_equal(atomic_load(&served), 1);
	assert_int_equal(filethread_try(&unsent.job), JOB_DONE);
	assert_int_equal(atomic_load(&disposed), 1);
}

struct opening {
	struct file_job job;
	struct file file;
	int result;
};

static void do_open(struct file_job *job)
{
	struct opening *opening = (struct opening *)(void *)job;

	opening->result = file_open_log(&opening->file, log_path, true);
}

/* A file whose close could not be sent is kept: it is locked until it is closed. */
static void test_close_unsent(void **state)
{
	static struct slow slow = {.job = {.work = do_wait, .dispose = dispose}};
	struct opening opening = {.job.work = do_open, .file = FILE_CLOSED};

	(void)state;
	assert_true(filethread_run(&opening.job));
	assert_int_equal(opening.result, 0);
	assert_int_equal(filethread_try(&slow.job), JOB_ABANDONED);
	file_send_close(&opening.file);
	assert_true(opening.file.fd >= 0);
	atomic_store(&answering, 1);
	await(&disposed, 1);
	file_send_close(&opening.file);
	assert_int_equal(opening.file.fd, -1);
	assert_true(filethread_run(&opening.job));
	assert_int_equal(opening.result, 0);
	file_send_close(&opening.file);
}

static size_t nothing(const struct file_append *append, size_t done)
{
	(void)append;
	(void)done;
	return 0;
}

/* A child has none of the descriptors and runs its jobs itself. */
static void test_table(void **state)
{
	struct opening opening = {.job.work = do_open, .file = FILE_CLOSED};
	struct file_append append = {
		.file = &opening.file, .path = log_path, .bytes = "line\n", .length = 5};
	pid_t child;
	int status;

	(void)state;
	fill("a.log", "an earlier run's\n");
	append.whole = nothing;
	assert_true(filethread_run(&opening.job));
	assert_int_equal(opening.result, 0);
	assert_true(file_send(&append));
	assert_int_equal(append.done, 5);
	expect("a.log", "line\n");
	if (!filethread_room())
		skip();
	assert_false(file_is_intact(&opening.file));
	filethread_await();
	child = fork();
	if (!child) {
		struct slow slow = {.job.work = do_wait};
		bool none = filethread_forked();

		atomic_store(&answering, 1);
		_exit(!none || file_is_intact(&opening.file) || !filethread_run(&slow.job) ||
		      !pthread_equal(slow.thread, pthread_self()));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	file_send_close(&opening.file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_done, begin, tear_down),
		cmocka_unit_test_setup_teardown(test_stalled, begin, tear_down),
		cmocka_unit_test_setup_teardown(test_fast_clock, begin, tear_down),
		cmocka_unit_test_setup_teardown(test_abandoned, begin, tear_down),
		cmocka_unit_test_setup_teardown(test_close_unsent, begin, tear_down),
		cmocka_unit_test_setup_teardown(test_table, begin, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

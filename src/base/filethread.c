/* SPDX-License-Identifier: MIT */
#include "base/filethread.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/tsan.h"
#include "base/worker.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum {
	STACK = 128 * 1024, /* in addition to thread-local variables; paths are not on the stack */
	UNSHARE = 1 << 1,   /* CLOSE_RANGE_UNSHARE */
	STREAMS = 3,
	MOMENTARY = 8, /* descriptors for files that are opened, read and closed again, and for
			* the ring file */
	MILLISECOND = 1000000,
	WAITS = 16, /* parts of a time limit */
	OVERDUE = 1024, /* number of further waits after which the clock has stopped */
};

enum mode { MODE_CALLER, MODE_STARTING, MODE_THREAD };

static _Atomic int mode;	 /* enum mode */
static _Atomic bool over;	 /* the thread is to end */
static _Atomic bool wanted, own; /* a descriptor table of its own */
static _Atomic unsigned room;	 /* number of files in it */
static struct worker worker;
static struct file_job *_Atomic current;
static _Atomic uint32_t sent;	  /* number of jobs; the thread sleeps on this */
static _Atomic uint32_t finished; /* number of jobs; callers sleep on this */
static _Atomic uint32_t in_vain =
	UINT32_MAX; /* number of the last job that timed out */
static _Atomic int patience = FILE_PATIENCE; /* current timeout in ms */

static void wake(_Atomic uint32_t *word)
{
	atomic_fetch_add(word, 1);
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/*
 * A time limit. Libraries such as libfaketime change the program's clock, so the limit is over only
 * after WAITS waits, whose times the kernel measures. Each takes a part of the limit.
 */
struct limit {
	uint64_t end;
	long part; /* ns */
	int waits; /* that are left */
};

static struct limit limit_after(int milliseconds)
{
	return (struct limit){
		.end = clock_monotonic() + (uint64_t)milliseconds * MILLISECOND,
		.part = (long)milliseconds * MILLISECOND / WAITS,
		.waits = milliseconds ? WAITS : 0,
	};
}

static bool is_over(const struct limit *limit)
{
	return limit->waits <= 0 &&
	       (clock_monotonic() >= limit->end || limit->waits < -OVERDUE);
}

/* Sleeps until `word` differs from `seen`, or for a part of the limit; NULL: no limit. */
static void sleep_on(_Atomic uint32_t *word, uint32_t seen, struct limit *limit)
{
	struct timespec time = {.tv_nsec = limit ? limit->part : 0};

	if (limit)
		limit->waits--;
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, limit ? &time : NULL, NULL, 0);
}

/* Sets the number of files that may be open. file.c moves descriptors to FILE_LOWEST or above, if
 * the limit allows. */
static void learn_room(void)
{
	struct rlimit limit = {.rlim_cur = 2 * FILE_LOWEST};
	rlim_t below = FILE_LOWEST;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur > INT_MAX)
		limit.rlim_cur = INT_MAX;
	if (limit.rlim_cur < 2 * FILE_LOWEST)
		below = limit.rlim_cur < 2 * STREAMS ? STREAMS : limit.rlim_cur / 2;
	if (limit.rlim_cur > below + MOMENTARY)
		atomic_store(&room, (unsigned)(limit.rlim_cur - below - MOMENTARY));
}

/* Occupies the numbers of the standard streams, so that output to stderr by this thread cannot
 * reach a file. */
static void fill_streams(void)
{
	int first = (int)syscall(SYS_epoll_create1, EPOLL_CLOEXEC);

	for (int fd = 0; fd < STREAMS && first >= 0; fd++)
		if (fd != first)
			syscall(SYS_dup3, first, fd, O_CLOEXEC);
}

/* A kernel, or an emulator, without seccomp does not know the question. */
static bool filter_is_active(void)
{
	int answer = prctl(PR_GET_SECCOMP);

	return answer > 0 || (answer < 0 && errno != EINVAL);
}

/* The new table is empty: no descriptor of the program is closed or kept open. With an active
 * seccomp filter the call is not tried, since the filter may kill the process. */
static bool take_own_table(void)
{
	if (!atomic_load(&wanted) || filter_is_active() ||
	    syscall(SYS_close_range, 0, ~0u, UNSHARE))
		return false;
	syscall(SYS_unshare, CLONE_FS); /* its root directory stays after a chroot of the program */
	fill_streams();
	learn_room();
	return true;
}

static void serve(struct file_job *job)
{
	tsan_acquire(job);
	job->work(job);
	tsan_release(job);
	if (atomic_exchange(&job->state, JOB_DONE) == JOB_ABANDONED)
		job->dispose(job);
	atomic_store(&current, NULL);
	wake(&finished);
}

static void *thread_main(void *argument)
{
	int expected = MODE_STARTING;

	bool taken = take_own_table();

	atomic_store(&own, taken);
	if (!atomic_compare_exchange_strong(&mode, &expected, MODE_THREAD)) {
		atomic_store(&own, false);
		return argument; /* the start was cancelled */
	}
	wake(&finished);
	while (!atomic_load(&over)) {
		uint32_t seen = atomic_load(&sent);
		struct file_job *job = atomic_load(&current);

		if (job)
			serve(job);
		else
			sleep_on(&sent, seen, NULL);
	}
	return argument;
}

/* The thread could not be made or does not start. */
static void cancel(void)
{
	int expected = MODE_STARTING;

	if (atomic_compare_exchange_strong(&mode, &expected, MODE_CALLER))
		wake(&finished);
}

/* Waits until the thread runs; returns false if there is none. */
static bool has_thread(void)
{
	struct limit limit = limit_after(FILE_LAST_PATIENCE);

	while (atomic_load(&mode) == MODE_STARTING) {
		uint32_t seen = atomic_load(&finished);

		if (is_over(&limit))
			cancel();
		else if (atomic_load(&mode) == MODE_STARTING)
			sleep_on(&finished, seen, &limit);
	}
	return atomic_load(&mode) == MODE_THREAD;
}

void filethread_start(bool its_own)
{
	if (atomic_load(&mode) == MODE_THREAD)
		return;
	atomic_store(&wanted, its_own);
	atomic_store(&patience, FILE_PATIENCE);
	atomic_store(&mode, MODE_STARTING);
	worker = (struct worker){.main = thread_main};
	if (worker_start(&worker, STACK))
		cancel();
}

void filethread_await(void)
{
	has_thread();
}

/* Waits until `job` is done, or without `job` until no job is in progress; false if the limit is
 * over. */
static bool await(const struct file_job *job, struct limit *limit)
{
	for (;;) {
		uint32_t seen = atomic_load(&finished), number = atomic_load(&sent);

		if (job ? atomic_load(&job->state) == JOB_DONE : !atomic_load(&current))
			return true;
		if (is_over(limit)) {
			atomic_store(&in_vain, number);
			return false;
		}
		sleep_on(&finished, seen, limit);
	}
}

static bool send(struct file_job *job, struct limit *limit)
{
	struct file_job *none = NULL;

	tsan_release(job);
	atomic_store(&job->state, JOB_SENT);
	while (!atomic_compare_exchange_strong(&current, &none, job)) {
		none = NULL;
		if (!await(NULL, limit)) {
			atomic_store(&job->state, JOB_IDLE);
			return false;
		}
	}
	wake(&sent);
	return true;
}

bool filethread_run(struct file_job *job)
{
	int little = FILE_SHORT_PATIENCE;
	struct limit limit;

	if (atomic_load(&job->state) == JOB_IDLE && !has_thread()) {
		job->work(job);
		return true;
	}
	limit = limit_after(atomic_load(&patience));
	if ((atomic_load(&job->state) == JOB_IDLE && !send(job, &limit)) || !await(job, &limit)) {
		atomic_store(&patience, FILE_SHORT_PATIENCE);
		errno = ETIMEDOUT;
		return false;
	}
	tsan_acquire(job);
	atomic_store(&job->state, JOB_IDLE);
	/* The file system responds again. */
	atomic_compare_exchange_strong(&patience, &little, FILE_PATIENCE);
	return true;
}

enum file_job_state filethread_try(struct file_job *job)
{
	int expected = JOB_SENT;

	if (filethread_run(job))
		return JOB_DONE;
	if (atomic_compare_exchange_strong(&job->state, &expected, JOB_ABANDONED))
		return JOB_ABANDONED;
	if (expected == JOB_DONE) /* done just now */
		tsan_acquire(job);
	return expected;
}

unsigned filethread_room(void)
{
	return filethread_is_apart() ? atomic_load(&room) : 0;
}

/* A thread whose start was cancelled may have taken a table, too. */
bool filethread_is_apart(void)
{
	return atomic_load(&mode) == MODE_THREAD && atomic_load(&own);
}

bool filethread_is_busy(void)
{
	return atomic_load(&current);
}

bool filethread_is_stalled(void)
{
	return atomic_load(&current) && atomic_load(&in_vain) == atomic_load(&sent);
}

bool filethread_hurry(void)
{
	static _Atomic uint32_t hurried = UINT32_MAX; /* number of the job */
	uint32_t number = atomic_load(&sent);
	struct limit limit =
		limit_after(atomic_exchange(&hurried, number) == number ? 0 : FILE_LAST_PATIENCE);

	return await(NULL, &limit);
}

void filethread_last(void)
{
	atomic_store(&patience, filethread_hurry() ? FILE_LAST_PATIENCE : 0);
}

static void do_end(struct file_job *job)
{
	(void)job;
	atomic_store(&over, true);
}

void filethread_end(void)
{
	static struct file_job end = {.work = do_end};
	int expected = MODE_THREAD;

	if (!has_thread() || !filethread_run(&end) ||
	    !atomic_compare_exchange_strong(&mode, &expected, MODE_CALLER))
		return;
	pthread_join(worker.thread, NULL);
	atomic_store(&own, false);
}

bool filethread_forked(void)
{
	bool was_own = atomic_load(&own);

	atomic_store(&mode, MODE_CALLER);
	atomic_store(&own, false);
	atomic_store(&over, false);
	atomic_store(&current, NULL);
	return was_own;
}

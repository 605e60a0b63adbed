/* SPDX-License-Identifier: MIT */
#include "base/worker.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/sigmask.h"
#include "base/tls.h"
#include "base/tsan.h"

enum { SMALL_STACK = 1 << 20 };

enum { WORKERS = 8 /* at a time */ };

/* Kernel thread ids of the running workers, 0 for a free place. */
static _Atomic uint32_t threads[WORKERS];

/* Number of running workers. Each adds itself, after the C library has counted it. */
static _Atomic unsigned running;
static _Atomic int leaving; /* exit has been called */
static sigset_t exit_signals;

/* glibc's own count of threads, without a main thread that has exited; NULL in other C libraries
 * and in glibc before 2.34. glibc calls exit when it becomes 0. */
static const unsigned *_Atomic all_threads;

/* The word that the kernel sets to 0 when the main thread ends, however it ends; NULL: unknown. */
static const int *_Atomic main_tid;
static pthread_t main_thread;

/* Replaces `from` by `to` in the first place that has it. */
static void replace_thread(uint32_t from, uint32_t to)
{
	for (int i = 0; i < WORKERS; i++) {
		uint32_t expected = from;

		if (atomic_compare_exchange_strong(&threads[i], &expected, to))
			return;
	}
}

bool worker_is_thread(uint32_t thread)
{
	for (int i = 0; i < WORKERS; i++)
		if (atomic_load(&threads[i]) == thread)
			return true;
	return false;
}

uint64_t worker_cpu_time(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < WORKERS; i++) {
		uint32_t thread = atomic_load(&threads[i]);

		if (thread)
			sum += clock_cpu_time(clock_of_thread(thread));
	}
	return sum;
}

static void *run(void *argument)
{
	struct worker *worker = argument;
	bool ignored = tsan_ignore_begin();
	uint32_t self = (uint32_t)syscall(SYS_gettid);
	void *result;

	atomic_fetch_add(&running, 1);
	replace_thread(0, self);
	prctl(PR_SET_NAME, "computeprof");
	result = worker->main(worker->argument);
	replace_thread(self, 0);
	if (ignored)
		tsan_ignore_end();
	atomic_fetch_sub(&running, 1);
	return result;
}

int worker_start(struct worker *worker, size_t stack)
{
	/* With the guard below it. */
	size_t size = stack + memory_in_pages(tls_size()) + memory_in_pages(1);
	sigset_t before;
	pthread_attr_t attributes;
	int error;

	if (!atomic_load(&all_threads))
		atomic_store(&all_threads, dlsym(RTLD_DEFAULT, "__nptl_nthreads"));
	error = pthread_attr_init(&attributes);
	if (error)
		return error;
	sigmask_all(&before);
	pthread_attr_setstacksize(&attributes, size);
	error = pthread_create(&worker->thread, &attributes, run, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

/* Reads /proc: a main thread that has exited still counts as a task, but its exe link cannot be
 * read. The link count of the folder is 2 higher than the number of tasks. */
static bool is_alone_by_proc(unsigned workers)
{
	struct stat tasks;
	char program[2];

	return !stat("/proc/self/task", &tasks) && tasks.st_nlink <= 3 + workers &&
	       readlink("/proc/self/exe", program, sizeof(program)) < 0 && errno == ENOENT;
}

bool worker_is_alone(void)
{
	const unsigned *all = atomic_load(&all_threads);
	unsigned workers = atomic_load(&running);

	return all ? __atomic_load_n(all, __ATOMIC_RELAXED) == workers : is_alone_by_proc(workers);
}

/* In glibc the word is in the C library's data of the thread. In musl it is a lock. */
void worker_note_main(void)
{
	const int *tid = NULL;
	int self = (int)syscall(SYS_gettid);

	if (self != getpid() || prctl(PR_GET_TID_ADDRESS, &tid) || !tid || *tid != self)
		return;
	main_thread = pthread_self();
	atomic_store(&main_tid, tid);
}

bool worker_is_left(void)
{
	const int *tid = atomic_load(&main_tid);

	return tid && !__atomic_load_n(tid, __ATOMIC_RELAXED) && !atomic_load(&leaving) &&
	       is_alone_by_proc(atomic_load(&running));
}

static void *exit_main(void *argument)
{
	pthread_sigmask(SIG_SETMASK, &exit_signals, NULL);
	exit(0);
	return argument;
}

void worker_exit_process(const sigset_t *signals)
{
	static struct worker last;
	pthread_t thread;

	if (atomic_exchange(&leaving, 1))
		return;
	exit_signals = *signals;
	last.main = exit_main;
	/* This thread counts as a thread of the program, not as a worker. */
	if (pthread_create(&thread, NULL, exit_main, NULL) && worker_start(&last, SMALL_STACK))
		exit_main(NULL);
}

void worker_forked(void)
{
	for (int i = 0; i < WORKERS; i++)
		atomic_store(&threads[i], 0);
	atomic_store(&running, 0);
	atomic_store(&leaving, 0);
	/* If another thread forked, it is the child's main thread, and its word may be unmapped
	 * together with its stack. */
	if (atomic_load(&main_tid) && !pthread_equal(pthread_self(), main_thread))
		atomic_store(&main_tid, NULL);
}

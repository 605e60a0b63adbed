/* SPDX-License-Identifier: MIT */
#include "base/worker.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sigmask.h"
#include "base/tls.h"
#include "base/tsan.h"

enum { PAGE = 4096, SMALL_STACK = 1 << 20 };

/* Workers that run. Each counts itself: by then it is in the C library's count. */
static _Atomic unsigned running;
static _Atomic int leaving; /* exit has been called for */
static sigset_t exit_signals;

/* glibc's own count of threads, in which a main thread is not that has left; NULL in other C
 * libraries, and in those before 2.34. It calls exit when its count comes to 0. */
static const unsigned *_Atomic all_threads;

static void *run(void *argument)
{
	struct worker *worker = argument;
	bool ignored = tsan_ignore_begin();
	void *result;

	atomic_fetch_add(&running, 1);
	prctl(PR_SET_NAME, "computeprof");
	result = worker->main(worker->argument);
	if (ignored)
		tsan_ignore_end();
	atomic_fetch_sub(&running, 1);
	return result;
}

int worker_start(struct worker *worker, size_t stack)
{
	size_t size = stack + (tls_size() | (PAGE - 1)) + 1;
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

/* By what the kernel tells: a main thread that has left still counts among the tasks, but has no
 * program any more. The folder has two links besides. */
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
	/* It is the program's thread, and no worker. */
	if (pthread_create(&thread, NULL, exit_main, NULL) && worker_start(&last, SMALL_STACK))
		exit_main(NULL);
}

void worker_forked(void)
{
	atomic_store(&running, 0);
	atomic_store(&leaving, 0);
}

/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <time.h>

#include "backend/sampling/sampler.h"

/*
 * The functions by which the program takes signals that it has blocked: it must not get those of
 * samples. pthread_sigmask and sigprocmask are not wrapped: signal handlers and forked children may
 * call them, where the original function cannot be looked up.
 */

#define ENTRY_POINT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

typedef int wait_function(const sigset_t *, siginfo_t *, const struct timespec *);
typedef int take_function(const sigset_t *, siginfo_t *);
typedef int number_function(const sigset_t *, int *);
typedef int open_function(int, const sigset_t *, int);

/* Looks the function up once; NULL if there is none. */
static void *find(void *_Atomic *next, const char *name)
{
	if (!atomic_load(next))
		atomic_store(next, dlsym(RTLD_NEXT, name));
	return atomic_load(next);
}

static int missing(void)
{
	errno = ENOSYS;
	return -1;
}

ENTRY_POINT int sigtimedwait(const sigset_t *set, siginfo_t *information,
			     const struct timespec *time)
{
	static void *_Atomic next;
	wait_function *original;
	int result;

	*(void **)&original = find(&next, "sigtimedwait");
	sampler_thread_waits(set, CALLER);
	result = original ? original(set, information, time) : missing();
	sampler_thread_waited(set);
	return result;
}

ENTRY_POINT int sigwaitinfo(const sigset_t *set, siginfo_t *information)
{
	static void *_Atomic next;
	take_function *original;
	int result;

	*(void **)&original = find(&next, "sigwaitinfo");
	sampler_thread_waits(set, CALLER);
	result = original ? original(set, information) : missing();
	sampler_thread_waited(set);
	return result;
}

ENTRY_POINT int sigwait(const sigset_t *set, int *number)
{
	static void *_Atomic next;
	number_function *original;
	int result;

	*(void **)&original = find(&next, "sigwait");
	sampler_thread_waits(set, CALLER);
	result = original ? original(set, number) : ENOSYS;
	sampler_thread_waited(set);
	return result;
}

ENTRY_POINT int signalfd(int fd, const sigset_t *set, int flags)
{
	static void *_Atomic next;
	open_function *original;

	*(void **)&original = find(&next, "signalfd");
	sampler_thread_waits(set, CALLER);
	return original ? original(fd, set, flags) : missing();
}

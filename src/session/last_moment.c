/* SPDX-License-Identifier: MIT */
#include "session/last_moment.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define PATIENCE UINT64_C(10000000000) /* ns */

/* The process and the thread that ends it; 0: not yet. */
static _Atomic pid_t process, thread;
static _Atomic uint64_t limit; /* CLOCK_MONOTONIC ns; 0: recording goes on */

static pid_t this_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

void last_moment_expect(void)
{
	atomic_store(&thread, this_thread());
	atomic_store(&process, getpid());
}

/* A forked child inherits all three. */
void last_moment_begin(void)
{
	if (atomic_load(&process) == getpid())
		atomic_store(&limit, clock_monotonic() + PATIENCE);
}

void last_moment_wait(void)
{
	uint64_t until = atomic_load(&limit);
	int error = errno;

	if (!until || atomic_load(&process) != getpid() || atomic_load(&thread) == this_thread())
		return;
	while (clock_monotonic() < until)
		clock_pause();
	errno = error;
}

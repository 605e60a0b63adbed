/* SPDX-License-Identifier: MIT */
#include "session/launch_delay.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define DELAY UINT64_C(100000000) /* ns */

_Atomic uint64_t launch_delay_until;
static _Atomic pid_t exiting; /* the thread that exits */

static pid_t this_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

void launch_delay_begin(void)
{
	atomic_store(&exiting, this_thread());
	atomic_store(&launch_delay_until, clock_monotonic() + DELAY);
}

void launch_delay_forked(void)
{
	atomic_store(&launch_delay_until, 0);
}

void launch_delay_wait(void)
{
	uint64_t until = atomic_load(&launch_delay_until);
	int error = errno;

	if (atomic_load(&exiting) == this_thread())
		return;
	while (until && clock_monotonic() < until) {
		clock_pause();
		until = atomic_load(&launch_delay_until);
	}
	atomic_compare_exchange_strong(&launch_delay_until, &until, 0);
	errno = error;
}

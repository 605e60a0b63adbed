/* SPDX-License-Identifier: MIT */
#include "session/launch_delay.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define DELAY UINT64_C(500000000) /* ns */

_Atomic uint64_t launch_delay_until;
static _Atomic pid_t exiting; /* the thread that exits */

static pid_t this_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

void launch_delay_begin(void)
{
	atomic_store(&exiting, this_thread());
	atomic_store(&launch_delay_until, UINT64_MAX);
}

void launch_delay_forked(void)
{
	atomic_store(&launch_delay_until, 0);
}

void launch_delay_wait(void)
{
	uint64_t until, now;
	int error = errno;

	if (atomic_load(&exiting) == this_thread())
		return;
	while ((until = atomic_load(&launch_delay_until)) != 0) {
		now = clock_monotonic();
		if (until == UINT64_MAX)
			atomic_compare_exchange_strong(&launch_delay_until, &until, now + DELAY);
		else if (now >= until)
			atomic_compare_exchange_strong(&launch_delay_until, &until, 0);
		else
			clock_pause();
	}
	errno = error;
}

/* SPDX-License-Identifier: MIT */
#include "backend/sampling/pending_signal.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/sampling/cpu_timer.h"
#include "backend/sampling/task_clock.h"
#include "model/event.h"

uint32_t pending_signal_clock(const siginfo_t *information)
{
	if (cpu_timer_has_sent(information))
		return SAMPLE_CLOCK_THREAD;
	return task_clock_has_sent(information) ? SAMPLE_CLOCK_TASK : SAMPLE_CLOCK_UNKNOWN;
}

/* By system calls: the C library's functions are this library's (entry/signal_waits.c). One of a
 * signal that is sent to a thread is pending at most, and is the first to be taken. */
void pending_signal_drop(int signal)
{
	const uint64_t set = UINT64_C(1) << (signal - 1);
	const long at_once[2] = {0};
	int before = errno;
	siginfo_t information;

	if (syscall(SYS_rt_sigtimedwait, &set, &information, at_once, sizeof(set)) == signal &&
	    pending_signal_clock(&information) == SAMPLE_CLOCK_UNKNOWN)
		syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, &information);
	errno = before;
}

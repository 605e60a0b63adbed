/* SPDX-License-Identifier: MIT */
#include "backend/sampling/cpu_timer.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
	NOTIFY_THREAD = 4, /* SIGEV_THREAD_ID */
	SECOND = 1000000000,
};

/* As the kernel has it for the system calls without _time64, for which `long` is the size. */
struct kernel_timerspec {
	long interval_seconds, interval;
	long first_seconds, first;
};

static const char mark; /* its address is the value of these timers' signals */

int cpu_timer_create(uint32_t thread, int signal)
{
	struct sigevent event;
	int timer;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = NOTIFY_THREAD;
	event.sigev_signo = signal;
	event.sigev_value.sival_ptr = (void *)(uintptr_t)&mark;
	event.sigev_notify_thread_id = (int)thread;
	return syscall(SYS_timer_create, clock_of_thread(thread), &event, &timer) ? -1 : timer;
}

static int set(int timer, uint64_t first, uint64_t interval)
{
	const struct kernel_timerspec times = {
		.interval_seconds = (long)(interval / SECOND),
		.interval = (long)(interval % SECOND),
		.first_seconds = (long)(first / SECOND),
		.first = (long)(first % SECOND),
	};

	return (int)syscall(SYS_timer_settime, timer, 0, &times, NULL);
}

int cpu_timer_once(int timer, uint64_t period)
{
	return set(timer, period, 0);
}

int cpu_timer_repeat(int timer, uint64_t period)
{
	return set(timer, period, period);
}

void cpu_timer_delete(int timer)
{
	int error = errno;

	syscall(SYS_timer_delete, timer);
	errno = error;
}

bool cpu_timer_has_sent(const siginfo_t *information)
{
	return information->si_code == SI_TIMER && information->si_value.sival_ptr == &mark;
}

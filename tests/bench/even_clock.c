/* SPDX-License-Identifier: MIT */
/*
 * A preloaded clock for counts of instructions: each reading of CLOCK_MONOTONIC is STEP later, and
 * usleep() takes no time but moves it. So neither the durations, which are digits in a log, nor the
 * intervals between records, which are merged or not, depend on the machine.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ENTRY_POINT __attribute__((visibility("default")))

enum { STEP = 500 /* ns */ };

static _Atomic uint64_t now = UINT64_C(100000000000); /* ns; a machine that runs for 100 s */

ENTRY_POINT int clock_gettime(clockid_t clock, struct timespec *time)
{
	uint64_t reading;
	long result;

	if (clock != CLOCK_MONOTONIC) {
		result = syscall(SYS_clock_gettime, clock, time);
		return result ? -1 : 0;
	}
	reading = atomic_fetch_add(&now, STEP) + STEP;
	time->tv_sec = (time_t)(reading / 1000000000);
	time->tv_nsec = (long)(reading % 1000000000);
	return 0;
}

ENTRY_POINT int usleep(useconds_t microseconds)
{
	atomic_fetch_add(&now, microseconds * UINT64_C(1000));
	return 0;
}

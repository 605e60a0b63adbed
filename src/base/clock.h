/* SPDX-License-Identifier: MIT */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Host clocks in nanoseconds; 0 if the kernel does not support the clock. */
static inline uint64_t clock_read(clockid_t id)
{
	struct timespec now = {0};

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Reads a clock of CPU time by the system call, as clock_gettime does for such a clock: libfaketime
 * replaces clock_gettime, and changes these clocks, too. */
static inline uint64_t clock_cpu_time(clockid_t id)
{
	struct timespec now = {0};

	syscall(SYS_clock_gettime, id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Sleeps for a millisecond. nanosleep() of the C library would be a cancellation point. */
static inline void clock_pause(void)
{
	static const struct timespec pause = {.tv_nsec = 1000000};

	syscall(SYS_nanosleep, &pause, NULL);
}

/* The clock of a thread's CPU time, by its kernel thread id. */
static inline clockid_t clock_of_thread(uint32_t thread)
{
	enum { THREAD = 4, SCHEDULER = 2 /* the kernel's numbers */ };

	return (clockid_t)(~thread << 3 | THREAD | SCHEDULER);
}

static inline uint64_t clock_monotonic(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

/* Returns the difference `id` - `other` in nanoseconds, from the closest of several sample
 * pairs. */
int64_t clock_offset(clockid_t id, clockid_t other);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* The host's clocks in nanoseconds; 0 where the kernel has no such clock. */
static inline uint64_t clock_read(clockid_t id)
{
	struct timespec now = {0};

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t clock_monotonic(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

/* What to add to `other`'s reading to get `id`'s: the tightest of a few back to back samples. */
int64_t clock_offset(clockid_t id, clockid_t other);

#endif

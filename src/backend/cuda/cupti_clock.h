/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CUPTI_CLOCK_H
#define BACKEND_CUDA_CUPTI_CLOCK_H

#include <stdint.h>

/*
 * CUPTI stamps calls and device work with one clock, normally CLOCK_REALTIME. Records have
 * CLOCK_MONOTONIC for the host and nanoseconds since 1970 for the device. If CUPTI's clock is
 * CLOCK_REALTIME, device times are unchanged.
 */

/* Compares the clocks. Call once, before the first record. */
void cupti_clock_compare(void);

/* Checks whether CLOCK_REALTIME was set, or has continued while the machine slept, and corrects
 * later stamps of calls. Not thread-safe. */
void cupti_clock_check(void);

/* Returns nanoseconds since 1970. */
uint64_t cupti_clock_epoch(uint64_t stamp);

/* Returns CLOCK_MONOTONIC nanoseconds. */
uint64_t cupti_clock_monotonic(uint64_t stamp);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CUPTI_CLOCK_H
#define BACKEND_CUDA_CUPTI_CLOCK_H

#include <stdint.h>

/*
 * CUPTI stamps calls and device work with one clock, normally CLOCK_REALTIME; records have
 * CLOCK_MONOTONIC for the host and nanoseconds since 1970 for the device. Where CUPTI's is
 * CLOCK_REALTIME indeed, device times stay as they are, to the nanosecond.
 */

/* Compares the clocks. Once, before the first record. */
void cupti_clock_compare(void);

/* Looks whether CLOCK_REALTIME has been set, or has gone on while the machine slept: stamps from
 * now on are later or earlier by that, and calls must not be. By one thread at a time. */
void cupti_clock_look_again(void);

/* Nanoseconds since 1970. */
uint64_t cupti_clock_epoch(uint64_t stamp);

/* CLOCK_MONOTONIC nanoseconds. */
uint64_t cupti_clock_monotonic(uint64_t stamp);

#endif

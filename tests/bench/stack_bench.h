/* SPDX-License-Identifier: MIT */
#ifndef BENCH_STACK_BENCH_H
#define BENCH_STACK_BENCH_H

#include <stdint.h>
#include <stdio.h>

#include "base/clock.h"
#include "session/stacks.h"

enum { STACK_BENCH_PARTS = 100 };

/* Prints the nanoseconds of the first call stack, and of one in the fastest hundredth of `count`.
 * `hot` records as many as its argument says. */
static inline void stack_bench(void (*hot)(long count), long count)
{
	uint64_t best = UINT64_MAX, began = clock_monotonic(), took;
	volatile uint32_t first = stacks_here();

	(void)first;
	printf("first %llu\n", (unsigned long long)(clock_monotonic() - began));
	for (int part = 0; part < STACK_BENCH_PARTS; part++) {
		began = clock_monotonic();
		hot(count / STACK_BENCH_PARTS);
		took = clock_monotonic() - began;
		best = took < best ? took : best;
	}
	printf("warm %.1f\n", (double)best / (double)(count / STACK_BENCH_PARTS));
}

#endif

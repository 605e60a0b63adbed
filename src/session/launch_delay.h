/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LAUNCH_DELAY_H
#define SESSION_LAUNCH_DELAY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * While a process exits, launches of its other threads are delayed. PoCL compiles a kernel after
 * its launch, in a thread of its own, and crashes once the exit handlers of LLVM have been called;
 * and the exit takes longer with a log to write than without. All delays end half a second after
 * the first delayed launch: an exit handler may wait for the delayed thread.
 */

/* The calling thread exits, and is not delayed itself. From now on launches are delayed; if some
 * are already, their half second begins again. */
void launch_delay_begin(void);

/* In a forked child, which does not exit. */
void launch_delay_forked(void);

/* CLOCK_MONOTONIC ns; 0: no delay; UINT64_MAX: no launch has come yet. */
extern _Atomic uint64_t launch_delay_until;
void launch_delay_wait(void);

/* Call before a launch, without a lock and before its probe. errno is kept. */
static inline void launch_delay(void)
{
	if (__builtin_expect(atomic_load_explicit(&launch_delay_until, memory_order_relaxed) != 0,
			     false))
		launch_delay_wait();
}

#endif

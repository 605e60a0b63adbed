/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_FIRST_CLOCK_H
#define BACKEND_SAMPLING_FIRST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The clock of a process that has one thread and no file thread: the CPU time of that thread, for
 * one signal at a time. It is an event of perf_event_open that only a mapping keeps, so the process
 * has no descriptor of it afterwards; else a timer (cpu_timer.h). Timers are looked at in ticks of
 * the kernel: on a busy machine, most of a thread's time slices have none.
 */

/* Looks the C library's variable up. Call before the first signal. */
void first_clock_init(void);

/* Sends `signal` to the calling thread, once, after `period` nanoseconds of its CPU time from now
 * on. `alone`: the process has no other thread of the program, so the event may be opened. May be
 * called in a signal handler. Returns 0 or -1. */
int first_clock_arm(int signal, uint64_t period, bool alone);

/* For the thread of first_clock_arm: no signal comes until it is called again. */
void first_clock_pause(void);

/* Later calls of first_clock_arm do nothing. May be called from another thread. */
void first_clock_stop(void);

/* In a forked child, which inherits neither: first_clock_arm can be called again. */
void first_clock_forked(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_CPU_TIMER_H
#define BACKEND_SAMPLING_CPU_TIMER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Timers of the CPU time of single threads (timer_create by system call: the C library's function
 * allocates, and is in another library before glibc 2.34). A fork does not inherit them, an exec
 * deletes them. */

/* A timer that sends `signal` to the thread. Returns its number, or -1 with errno. */
int cpu_timer_create(uint32_t thread, int signal);
/* The signal comes after `period` nanoseconds of the thread's CPU time from now on: once, or each
 * `period`. May be called in a signal handler. Returns 0 or -1. */
int cpu_timer_once(int timer, uint64_t period);
int cpu_timer_repeat(int timer, uint64_t period);
void cpu_timer_delete(int timer);

/* Returns true if the signal is that of such a timer. */
bool cpu_timer_has_sent(const siginfo_t *information);

#endif

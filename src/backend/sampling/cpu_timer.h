/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_CPU_TIMER_H
#define BACKEND_SAMPLING_CPU_TIMER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Timers of the CPU time of single threads (timer_create by system call: the C library's function
 * allocates, and is in another library before glibc 2.34). A fork does not inherit them, an exec
 * deletes them. */

/* The thread gets `signal` each `period` nanoseconds of its CPU time. Returns the timer's number,
 * or -1 with errno. */
int cpu_timer_create(uint32_t thread, int signal, uint64_t period);
void cpu_timer_delete(int timer);

/* Returns true if the signal is that of such a timer. */
bool cpu_timer_has_sent(const siginfo_t *information);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_TASK_CLOCK_H
#define BACKEND_SAMPLING_TASK_CLOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Events of perf_event_open that count the task clock of single threads. The kernel sends a signal
 * to the thread; no buffer is mapped. The descriptors belong to the file thread. */

/* Returns true if this process may have a table of descriptors for them. */
bool task_clock_has_room(void);

/* The thread gets `signal` each `period` nanoseconds of its CPU time, except in the kernel. Returns
 * the descriptor in the file thread's table, or -1 with errno. */
int task_clock_open(uint32_t thread, int signal, uint64_t period);
void task_clock_close(int fd);

/* Returns true if the signal is that of an event with a descriptor. */
bool task_clock_has_sent(const siginfo_t *information);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_TASK_CLOCK_H
#define BACKEND_SAMPLING_TASK_CLOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Events of perf_event_open that count the task clock of single threads. The kernel sends a signal
 * to the thread; no buffer is mapped. The descriptors belong to the file thread. */

/* Returns true if the file thread has a table of its own, with room for the events of so many
 * threads beside its files. */
bool task_clock_has_room(uint32_t threads);

/* The thread gets `signal` each `period` nanoseconds of its CPU time, except in the kernel. Returns
 * the descriptor in the file thread's table, or -1 with errno. */
int task_clock_open(uint32_t thread, int signal, uint64_t period);
void task_clock_close(int fd);

/* The same at once, in the descriptor table of the calling thread; the caller closes it.
 * `disabled`: counting has not begun. May be called in a signal handler. */
int task_clock_make(uint32_t thread, int signal, uint64_t period, bool disabled);

/* Call in a forked child: the parent's job is not in progress in the child. */
void task_clock_forked(void);

/* Returns true if the signal is that of an event with a descriptor. */
bool task_clock_has_sent(const siginfo_t *information);

#endif

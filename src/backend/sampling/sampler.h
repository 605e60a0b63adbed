/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_SAMPLER_H
#define BACKEND_SAMPLING_SAMPLER_H

#include <signal.h>
#include <stdbool.h>

/*
 * Interrupts the threads of the process, each at a rate per second of its CPU time. The handler of
 * the signal walks the stack of its thread and puts a sample into the table (samples.h).
 *
 * The signal is one that does nothing if it has no handler, so a program that resets its handlers
 * is not harmed: SIGURG; or SIGWINCH if the program has a handler for SIGURG. If the program
 * installs a handler later, that one stays. Threads that block the signal have no source.
 *
 * Two sources, the first that is permitted:
 *   perf   perf_event_open: the task clock of a thread, without the kernel's part. Its descriptors
 *          are in the table of the file thread; without a table of its own, or without room for
 *          all threads, it is not used.
 *   timer  timer_create: the CPU clock of a thread. It is delivered at ticks of the kernel, so
 *          higher rates than CONFIG_HZ give fewer samples, with greater weights.
 */

/* `rate`: samples per second, not 0. From here on the main thread is sampled. `begin_session` is
 * called once: before the program makes a thread, or in a sample of the main thread when the
 * process has used some CPU time, at a point at which it may create threads; then sampler_update is
 * to be called. Short-lived programs with one thread get no other: those that give up a part of
 * their capabilities, such as setpriv, do not survive one.
 * `end_sampling` is called instead if the program uses the signals before it makes a thread.
 * Returns 0; -1 if no sample can be taken, with the reason in *reason (a constant). */
int sampler_start(unsigned rate, void (*begin_session)(void),
		  void (*end_sampling)(const char *reason), const char **reason);

/* Call before the program makes a thread; `caller` is the return address of its call. Calls
 * `begin_session`, unless it was called, if this is a point at which the process may have more
 * threads: a main thread that only waits for others has no samples. */
void sampler_thread_comes(const void *caller);

/* Call before a thread of the program takes signals of `set` that it blocks, or opens a descriptor
 * for them; `caller` as above. Its source ends until its mask has been without the signal for some
 * updates, and a signal that a source has sent is not pending any more. */
void sampler_thread_waits(const sigset_t *set, const void *caller);

/* Call after a wait for signals of `set`: the only thread of a process that does not block the
 * signal is sampled again. */
void sampler_thread_waited(const sigset_t *set);

/* Call regularly: adds new threads, removes those that have ended. Returns false, with the reason,
 * if sampling has ended because the program uses the signals. */
bool sampler_update(const char **reason);

/* Takes no more samples until the next update. */
void sampler_stop(void);

/* Returns the number of the signal that is used, if the program has set an action of its own for it
 * (a handler, or SIG_IGN); else 0. */
int sampler_lost_signal(void);

void sampler_forked(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_SAMPLER_H
#define BACKEND_SAMPLING_SAMPLER_H

#include <signal.h>
#include <stdbool.h>

/*
 * Interrupts the threads of the process, each at a rate per second of its CPU time. The handler of
 * the signal walks the stack of its thread and puts a sample into the table (samples.h).
 *
 * The signal is SIGURG, or SIGWINCH if the program has a handler for SIGURG. Without a handler
 * these do nothing, so a program that resets its handlers is not harmed. A handler that the program
 * installs later stays. Threads that block the signal are not sampled.
 *
 * There are two sources of the signal; the first one that the system permits is used:
 *   perf   perf_event_open: the task clock of a thread, without its time in the kernel. The
 *          descriptors are in the file thread's own table. If the file thread has none, or if that
 *          has no room for all threads, this source is not used.
 *   timer  timer_create: the CPU clock of a thread. The kernel sends the signal at its ticks, so
 *          higher rates than CONFIG_HZ give fewer samples, with greater weights.
 */

/* `rate`: samples per second, not 0. From here on the main thread is sampled. `begin_session` is
 * called once, when threads may be created: before the program makes a thread, or in a sample of
 * the main thread when the process has used some CPU time. After that, call sampler_update.
 * A short-lived program with one thread gets no second thread: programs that give up a part of
 * their capabilities, such as setpriv, fail if there is one.
 * `end_sampling` is called instead if the program uses the signals before it makes a thread.
 * Returns 0; -1 if no sample can be taken, with the reason in *reason (a constant). */
int sampler_start(unsigned rate, void (*begin_session)(void),
		  void (*end_sampling)(const char *reason), const char **reason);

/* Call before the program makes a thread; `caller` is the return address of its call. Calls
 * `begin_session` if that was not called yet and threads may be created at this point. A main
 * thread that only waits for others has no sample in which `begin_session` could be called. */
void sampler_thread_comes(const void *caller);

/* Call before a thread of the program takes signals of `set` that it blocks, or opens a descriptor
 * for them; `caller` as above. Closes the source of the thread until the thread has not blocked the
 * signal for some updates. Removes a pending signal that a source has sent. */
void sampler_thread_waits(const sigset_t *set, const void *caller);

/* Call after a wait for signals of `set`: if the calling thread is the only one of the process and
 * does not block the signal, it is sampled again. */
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

/* SPDX-License-Identifier: MIT */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The library's own threads. They are named "computeprof", and all signals except synchronous ones
 * are blocked in them. They must not keep a process alive that has no other threads:
 * worker_is_alone() detects that, and worker_exit_process() ends the process.
 */
struct worker {
	void *(*main)(void *argument);
	void *argument;
	pthread_t thread;
};

/* Starts a thread with `stack` bytes in addition to its thread-local variables. `worker`, with main
 * and argument set, must live as long as the thread. Returns 0 or an error number. */
int worker_start(struct worker *worker, size_t stack);

/* Returns true if main has ended by pthread_exit and all other threads except the workers have
 * ended. Uses no descriptor: the program may be waiting for a number to become free. */
bool worker_is_alone(void);

/* In the main thread, early: remembers where the kernel notes that it is over. */
void worker_note_main(void);

/* The same as worker_is_alone where threads may have ended by a system call of their own, which the
 * C library does not count: by /proc, which is looked at only where the main thread is over. */
bool worker_is_left(void);

/* The exit code of a main thread that is over; 0 where it cannot be read. */
int worker_main_code(void);

/* Has exit(0) called, once, as the C library does when the last thread leaves: by a thread of its
 * own with a stack of the usual size, in which `signals` are blocked. Returns while that runs. */
void worker_exit_process(const sigset_t *signals);

/* Call in a forked child, which has no workers. */
void worker_forked(void);

#endif

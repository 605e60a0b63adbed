/* SPDX-License-Identifier: MIT */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Call early in the main thread: stores the address of the word that the kernel clears when the
 * thread ends. */
void worker_note_main(void);

/* As worker_is_alone, also if threads have ended by their own system call, which the C library does
 * not count; false after worker_exit_process. Reads /proc only if the main thread has ended. */
bool worker_is_left(void);

/* Calls exit(0), once, as the C library does when the last thread ends: on a new thread with a
 * stack of the usual size and `signals` blocked. Returns while exit runs. */
void worker_exit_process(const sigset_t *signals);

/* Returns the CPU time of the running workers, in nanoseconds. */
uint64_t worker_cpu_time(void);

/* Returns true if the thread with this kernel thread id is a worker. */
bool worker_is_thread(uint32_t thread);

/* Call in a forked child, which has no workers. */
void worker_forked(void);

#endif

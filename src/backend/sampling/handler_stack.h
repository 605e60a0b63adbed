/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_HANDLER_STACK_H
#define BACKEND_SAMPLING_HANDLER_STACK_H

#include <stdbool.h>

/*
 * Stacks of the library on which a signal handler does its work. Of the interrupted stack, which
 * may be small (a coroutine, a thread, an alternate stack), it takes only the kernel's frame and
 * HANDLER_ROOM bytes.
 */
enum { HANDLER_ROOM = 640 /* bytes at most, with the red zone, without sanitizers */ };

/* Maps the stacks, once. Returns 0, or -1 without memory. */
int handler_stack_init(void);

/* For signal handlers: calls `work` on a stack of its own. Takes no lock. Returns false if all
 * stacks are in use; then nothing is called. The caller must have blocked all signals that come. */
bool handler_stack_run(void (*work)(void *argument), void *argument);

/* In a forked child: the other threads, and their stacks, are gone. */
void handler_stack_forked(void);

#endif

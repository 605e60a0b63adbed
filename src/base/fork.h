/* SPDX-License-Identifier: MIT */
#ifndef BASE_FORK_H
#define BASE_FORK_H

#include <signal.h>

/* pthread_atfork for any C library. Returns 0, or -1 if forks cannot be watched. */
int fork_watch(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

/* Handlers that block signals during a fork note those that the thread had blocked before, and NULL
 * when they have restored them. fork_mask returns these, or NULL. Other handlers of the same fork
 * may call it. */
void fork_note_mask(const sigset_t *mask);
const sigset_t *fork_mask(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_FORK_H
#define BASE_FORK_H

/* pthread_atfork for any C library. Returns 0, or -1 if forks cannot be watched. */
int fork_watch(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_FORK_H
#define BASE_FORK_H

/* pthread_atfork for a library that lives in hosts of any C library: 0, or -1 where forks cannot be
 * watched. */
int fork_watch(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

#endif

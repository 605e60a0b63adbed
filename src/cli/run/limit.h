/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_LIMIT_H
#define CLI_RUN_LIMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How long a program may run. */

/* "2" or "0.25" seconds as nanoseconds; 0 if `text` is nothing such, or not above 0. */
uint64_t limit_read(const char *text);

/* Before the program starts: from now on SIGCHLD is blocked, and what it leaves behind is ours. */
void limit_begin(void);

/* Waits until `pid` has ended, at most so many nanoseconds; then it gets SIGTERM, with all that it
 * has started, and what is still there LIMIT_GRACE seconds later gets SIGKILL. `pid` is not reaped.
 * Whether the time was up. */
enum { LIMIT_GRACE = 5 };
bool limit_wait(pid_t pid, uint64_t nanoseconds);

#endif

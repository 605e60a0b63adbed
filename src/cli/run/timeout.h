/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_TIMEOUT_H
#define CLI_RUN_TIMEOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The time limit of a program. */

/* Parses seconds, such as "2" or "0.25". Returns nanoseconds; 0 if `text` is invalid or not above
 * 0. */
uint64_t timeout_read(const char *text);

/* Call before the program starts. Blocks SIGCHLD and makes this process the reaper of orphans. */
void timeout_begin(void);

/* Waits until `pid` has ended, for at most `nanoseconds`. Then SIGTERM is sent to it and to all its
 * descendants, and SIGKILL to those left after TIMEOUT_GRACE seconds. `pid` is not reaped. Returns
 * true if the limit had passed. */
enum { TIMEOUT_GRACE = 5 };
bool timeout_wait(pid_t pid, uint64_t nanoseconds);

#endif

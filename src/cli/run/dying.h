/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_DYING_H
#define CLI_RUN_DYING_H

#include <stdbool.h>

/* A process that was killed still exists until the kernel has released its memory and threads. If
 * all threads of the process of this ring file, as the file's name has it, are about to end, waits
 * for the end, for a second at most, and returns true. Returns false at once for any other process,
 * and without /proc. */
bool dying_wait(const char *ring);

#endif

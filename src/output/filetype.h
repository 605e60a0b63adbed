/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_FILETYPE_H
#define OUTPUT_FILETYPE_H

#include <stdbool.h>

/* Returns true if the regular file starts as a trace, as a log, or as a log of NVIDIA's profiler.
 * Returns false if it cannot be read. Follows no symbolic link and does not block on a FIFO. */
bool filetype_is_profile(const char *path);

/* Returns 1 if the regular file is empty or begins with `start`, of at most 40 bytes; 0 if it does
 * not; -1 with errno if it cannot be read. With `cut`, returns 1 also if the file has only the
 * first bytes of `start`. Opens the file as filetype_is_profile does. */
int filetype_begins(const char *path, const char *start, bool cut);

#endif

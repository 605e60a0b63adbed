/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_FILETYPE_H
#define OUTPUT_FILETYPE_H

#include <stdbool.h>

/* Returns true if the regular file starts as a log, of NVIDIA's profiler as well, or as a trace.
 * Returns false if it cannot be read. Follows no link and does not block on a FIFO. */
bool filetype_is_profile(const char *path);

#endif

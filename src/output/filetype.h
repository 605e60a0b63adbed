/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_FILETYPE_H
#define OUTPUT_FILETYPE_H

#include <stdbool.h>

/* Whether the regular file begins as a log of this format, NVIDIA's own ones included, or as a
 * binary trace. False for one that cannot be read. Follows no link, waits for no FIFO. */
bool filetype_is_profile(const char *path);

#endif

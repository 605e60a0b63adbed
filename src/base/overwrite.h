/* SPDX-License-Identifier: MIT */
#ifndef BASE_OVERWRITE_H
#define BASE_OVERWRITE_H

#include "base/file.h"

/*
 * Overwrites `size` bytes at offset `at` of the file that file_open_log opened at `path`. Most file
 * systems need no new space for that, so it works on a full disk. Returns 0, or -1 if not all was
 * written or `path` is another file now.
 */
int overwrite_bytes(const struct file *file, const char *path, uint64_t at, const void *bytes,
		    size_t size);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_OVERWRITE_H
#define BASE_OVERWRITE_H

#include "base/file.h"

/*
 * Writes `size` bytes over those that the file, which file_open_log opened at `path`, has from `at`
 * on. That takes no new room on most file systems, so a full disk does not keep it from working.
 * 0, or -1 where not all of it was written, or `path` is another file by now.
 */
int overwrite_bytes(const struct file *file, const char *path, uint64_t at, const void *bytes,
		    size_t size);

#endif

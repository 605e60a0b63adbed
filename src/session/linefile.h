/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LINEFILE_H
#define SESSION_LINEFILE_H

#include "base/file.h"

/* A file that gets whole lines, after those that it has. For jobs of the file thread. */
struct linefile {
	struct file file;
	uint64_t size; /* bytes, 0 if it is not a regular file */
};

#define LINEFILE_CLOSED ((struct linefile){.file = FILE_CLOSED})

/* As file_open_log, for a file that is not emptied; `create`: if there is none, it is made. A
 * process that was killed while it wrote may have left a part of a line. It is cut off if it begins
 * with `start`, the start of all lines. */
int linefile_open(struct linefile *line, const char *path, bool create, const char *start);

/* Appends whole lines. Returns the number of bytes that are in the file, with errno if these are
 * not all. They end in a part of a line only if that cannot be cut off; the next call continues it.
 */
size_t linefile_append(struct linefile *line, const char *path, const char *bytes, size_t length);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_PATH_H
#define SESSION_RINGFILE_PATH_H

#include "base/strbuf.h"

/* Ring files as directory entries. */

/* The directory of ring files, unless they are beside their logs. */
#define RINGFILE_SHARED_MEMORY "/dev/shm"

/* Returns true if a file with this name, without its directory, may be a ring file. */
bool ringfile_path_has_name(const char *name);

/* Appends the paths of all ring files in `directory`, each followed by NUL, since names may have
 * any other byte. Returns 0, or -1 if it cannot be read. */
int ringfile_path_find(const char *directory, struct strbuf *paths);

/* Returns true if the process was killed before it had written the whole first page. Its owner is
 * then known by the file name only, and that process must have ended. */
bool ringfile_path_lacks_header(const char *path);

/* Removes `path` if it still is the open file `fd`. Returns 0, or errno if it could not. */
int ringfile_path_remove(const char *path, int fd);

#endif

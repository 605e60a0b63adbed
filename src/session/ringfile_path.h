/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_PATH_H
#define SESSION_RINGFILE_PATH_H

#include <stdbool.h>

/* Ring files as directory entries. recover_find is here, too. */

#define RINGFILE_MEMORY "/dev/shm" /* the directory of ring files in memory */

/* Returns true if a file with this name, without its directory, may be a ring file. */
bool ringfile_path_has_name(const char *name);

/* Returns true if the process was killed before it had written the whole first page. Its owner is
 * then known by the file name only, and that process must have ended. */
bool ringfile_path_lacks_header(const char *path);

/* Removes `path` if it still is the open file `fd`. */
void ringfile_path_remove(const char *path, int fd);

#endif

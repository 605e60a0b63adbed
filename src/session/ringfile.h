/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_H
#define SESSION_RINGFILE_H

#include <stdbool.h>

/* Ring files as entries of a directory. recover_find is here, too. */

/* Whether a process made it and was killed before it had written the first page to its end. Nothing
 * else tells whose it is, so the name has to, and the process must be gone. */
bool ringfile_is_unborn(const char *path);

/* Removes it if it still is the file that is open as `fd`. */
void ringfile_remove(const char *path, int fd);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_NEWFILE_H
#define VIEW_NEWFILE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A file that is written under another name in the same folder and renamed once it is whole: one at
 * a time, between temp_cleanup_begin and temp_cleanup_end. A signal removes it.
 */

/* Why what is at `path` is not to be replaced, with -f neither: ELOOP for a link, EISDIR, ENOTSUP
 * for a device, FIFO or socket (file_reason). 0: it is a regular file, or nothing. */
int newfile_unfit(const char *path);

/* An empty file beside `path`, with the rights of a new file. -1 with errno. */
int newfile_begin(const char *path);

/* What it is called until newfile_put. */
const char *newfile_name(void);

/* Renames it. `replace`: also over a file that is not empty, but not over one that was written
 * after `since` (view.h). -1 with errno, EEXIST for what must not be replaced: then it is still
 * there. */
int newfile_put(const char *path, bool replace, int64_t since);

/* Removes it, if there is one. */
void newfile_drop(void);

#endif

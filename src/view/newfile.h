/* SPDX-License-Identifier: MIT */
#ifndef VIEW_NEWFILE_H
#define VIEW_NEWFILE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A file that is written under another name in the same folder and renamed once it is whole: one at
 * a time, between temp_cleanup_begin and temp_cleanup_end. A signal removes it.
 */

/* Returns the reason why the file at `path` must not be replaced, even with -f: ELOOP for a link,
 * EISDIR for a directory, ENOTSUP for a device, FIFO or socket (file_reason); or the errno of
 * lstat, such as ENAMETOOLONG. 0: it is a regular file, or does not exist. */
int newfile_why_not_replaced(const char *path);

/* The same of a folder (folder.h): ENOTDIR for a file, ENOTEMPTY for a folder with anything but an
 * archive. */
int newfile_why_no_folder(const char *path);

/* Returns true if a file or folder at `path` was written after `since` (view.h); false if that is
 * 0. */
bool newfile_is_since(const char *path, int64_t since);

/* Makes an empty file beside `path`, with the permissions of a new file. Returns 0, or -1 with
 * errno. */
int newfile_begin(const char *path);

/* The same with a folder in place of the file, for this user only until newfile_put. */
int newfile_begin_folder(const char *path);

/* Returns its name until newfile_put. */
const char *newfile_name(void);

/* Renames it. `replace`: also over a file that is not empty, or over an archive, unless that was
 * written after `since`. Returns 0, or -1 with errno and the new file still present; EEXIST: the
 * existing file must not be replaced. */
int newfile_put(const char *path, bool replace, int64_t since);

/* Removes it, if it exists. */
void newfile_drop(void);

#endif

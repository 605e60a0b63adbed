/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FOLDER_H
#define VIEW_FOLDER_H

#include <stdbool.h>

/*
 * A folder that is an output: an archive of OTF2 with the names FOLDER_NAME.otf2, FOLDER_NAME.def
 * and FOLDER_NAME/NUMBER.evt and .def. A folder with other names is the user's. Links are not
 * followed.
 */
#define FOLDER_NAME   "traces"
#define FOLDER_ANCHOR FOLDER_NAME ".otf2"

/* Returns true if it can be read and has nothing in it. */
bool folder_is_empty(const char *path);

/* Returns true if it can be read, and has an archive and nothing else. */
bool folder_is_archive(const char *path);

/* Removes the files of an archive, also of an incomplete one, and then the folders unless these
 * have other files. May be called by a signal handler. */
void folder_remove(const char *path);

#endif

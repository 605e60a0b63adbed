/* SPDX-License-Identifier: MIT */
#ifndef BASE_TRUST_H
#define BASE_TRUST_H

#include <stdbool.h>

/*
 * Returns true if a new file may be made at the absolute `path` long after the path was chosen: no
 * symbolic link in it belongs to another user, and no directory in it belongs to another user and
 * is writable by everybody. In a sticky directory (/tmp) other users cannot replace the caller's
 * files.
 */
bool trust_path(const char *path);

#endif

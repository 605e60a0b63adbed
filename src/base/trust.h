/* SPDX-License-Identifier: MIT */
#ifndef BASE_TRUST_H
#define BASE_TRUST_H

#include <stdbool.h>

/*
 * Whether a new file may be made at the absolute `path` long after the path was chosen: no symbolic
 * link on the way is another user's, and no directory on the way is another user's that everybody
 * may change. In a sticky directory (/tmp) nobody can replace what is the caller's.
 */
bool trust_path(const char *path);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_PATHLIST_H
#define BASE_PATHLIST_H

#include "base/strbuf.h"

/*
 * Appends a path as a line. A path may contain any byte but NUL, so control characters and
 * backslashes are written as \xNN (lower case).
 */
void pathlist_put(struct strbuf *to, const char *path);

/* Returns the path of a line without its newline, malloc'ed; NULL without memory. */
char *pathlist_get(const char *line, size_t length);

#endif

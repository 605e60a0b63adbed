/* SPDX-License-Identifier: MIT */
#ifndef BASE_PATHLIST_H
#define BASE_PATHLIST_H

#include "base/strbuf.h"

/*
 * Paths as lines. A path may have any byte but NUL in it, so a control character and a backslash
 * are written as \xNN (lower case).
 */
void pathlist_put(struct strbuf *to, const char *path);

/* The path that a line, without its newline, stands for; malloc'ed, NULL without memory. */
char *pathlist_get(const char *line, size_t length);

#endif

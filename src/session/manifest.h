/* SPDX-License-Identifier: MIT */
#ifndef SESSION_MANIFEST_H
#define SESSION_MANIFEST_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Reports the files of this process to the command line tool: appends a line "KIND PATH"
 * (base/pathlist.h) to the file that COMPUTEPROF_MANIFEST names. Without the variable nothing
 * happens. If the line cannot be written, the file's mode is set to MANIFEST_CUT, which no limit
 * forbids.
 */
enum { MANIFEST_CUT = 0700 };

/* Suffix of the file for processes of other users, if the tool runs as root. Everybody may write
 * it, so the tool does not trust it. */
#define MANIFEST_OTHERS ".others"

/* Opens the file at `path` or, if this user may not, the one for other users, and sets `path` to
 * its name. Returns -1 with errno. */
int manifest_open(struct strbuf *path, int flags);

void manifest_add(const char *kind, const char *path);

/* Returns true if a process of the same run has already listed `path`. */
bool manifest_has(const char *path);

/* Whether the tool that has started this process has ended. */
bool manifest_is_gone(void);

#endif

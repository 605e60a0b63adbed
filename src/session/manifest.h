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

#define MANIFEST_VARIABLE  "COMPUTEPROF_MANIFEST"
#define MANIFEST_SINCE	   "COMPUTEPROF_SINCE" /* when the run began, CLOCK_REALTIME ns */
#define MANIFEST_OVERWRITE "COMPUTEPROF_OVERWRITE"

/* Keeps the three: they are needed when the program may have changed its environment. */
void manifest_keep_variables(void);

/* Behind the file's name: the one beside it for processes of other users, where the tool is root's.
 * Everybody may write it, so the tool believes little of what it says. */
#define MANIFEST_OTHERS ".others"

/* The first line of both, which the tool writes: the variable may name any file. */
#define MANIFEST_HEAD "# computeprof: files of a run\n"

/* Opens the file at `path` to append to it, or where this user may not open it, the one for other
 * users: `path` then has its name. -1 with errno; EPERM where it is no such file. */
int manifest_open(struct strbuf *path);

void manifest_add(const char *kind, const char *path);

/* Returns true if a process of the same run has already listed `path`. */
bool manifest_has(const char *path);

/* Whether the tool that has started this process has ended. */
bool manifest_is_gone(void);

#endif

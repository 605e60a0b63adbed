/* SPDX-License-Identifier: MIT */
#ifndef ENTRY_EXEC_CHECK_H
#define ENTRY_EXEC_CHECK_H

#include <stdbool.h>

/* Returns true if an exec of the file is certain to fail: there is no file, it cannot be reached,
 * or it is not executable. `folder`, `path` and `flags` are as for fstatat. Safe in a forked child;
 * changes errno. */
bool exec_check_fails(int folder, const char *path, int flags);

#endif

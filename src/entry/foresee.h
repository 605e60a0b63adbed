/* SPDX-License-Identifier: MIT */
#ifndef ENTRY_FORESEE_H
#define ENTRY_FORESEE_H

#include <stdbool.h>

/* Whether an exec of the file fails for certain: there is none, it cannot be reached, or nobody may
 * execute it. `folder`, `path` and `flags` are as for fstatat. Safe in a forked child; changes
 * errno. */
bool foresee_failure(int folder, const char *path, int flags);

#endif

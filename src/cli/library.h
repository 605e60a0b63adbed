/* SPDX-License-Identifier: MIT */
#ifndef CLI_LIBRARY_H
#define CLI_LIBRARY_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Finds the profiler's shared library: COMPUTEPROF_LIBRARY of the environment, else beside an
 * uninstalled tool, else in the lib directory next to the tool's own, else where it was installed.
 * Appends its absolute path. 0, or -1 with the reason as one sentence in `path` instead.
 */
int library_find(struct strbuf *path);

/* Whether an entry of LD_PRELOAD or OPENCL_LAYERS is `library` or another copy of it. */
bool library_is_ours(const char *entry, size_t length, const char *library);

/* The directory of the ready-made configuration files. Where the whole installation was moved, it
 * is set in the environment, so that the library finds it, too. */
const char *library_configs(void);

#endif

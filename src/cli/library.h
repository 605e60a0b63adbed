/* SPDX-License-Identifier: MIT */
#ifndef CLI_LIBRARY_H
#define CLI_LIBRARY_H

#include <stdbool.h>

#include "base/strbuf.h"

#define LIBRARY_NAME "libcomputeprof.so" /* also its DT_SONAME */

/* Appends the path from a directory to a file, both absolute: "../lib/file". */
void library_relative(struct strbuf *to, const char *folder, const char *file);

/*
 * Finds the profiler's shared library. It is searched in this order: COMPUTEPROF_LIBRARY; beside an
 * uninstalled tool; at its installed path relative to the tool, since the installation may have
 * been moved; in the lib directory next to the tool's directory; in the installation prefix.
 * Appends its absolute path and returns 0. On failure it writes one sentence to `path` instead and
 * returns -1.
 */
int library_find(struct strbuf *path);

/* Finds computeprof-rewrite: COMPUTEPROF_REWRITE; beside an uninstalled tool; at its installed path
 * from the tool; in the libexec directory next to the tool's directory; in the installation prefix.
 * Sets its path. Returns 0, or -1 if it cannot be executed there. */
int library_rewrite(struct strbuf *path);
/* Sets COMPUTEPROF_REWRITE to its path for the library, unless the user has set the variable. */
void library_tell_rewrite(void);

/* Returns true if an entry of LD_PRELOAD or OPENCL_LAYERS is `library` or another copy of it. */
bool library_is_ours(const char *entry, size_t length, const char *library);

/*
 * Returns the directory of the ready-made configuration files: COMPUTEPROF_CONFIG_DIR if it is set;
 * the source folder's if the tool is not installed; that of the installation, which may have been
 * moved. If this is not the compiled-in directory, also sets the variable, for config_find() and
 * for the library in the program. main() calls it before any command.
 */
const char *library_configs(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_CONFIG_H
#define SETTINGS_CONFIG_H

#include "settings/settings.h"

enum { CONFIG_SIZE_LIMIT = 1 << 20 }; /* maximum size of a configuration file in bytes */

/*
 * Reads the configuration file `name` into `settings`. Each line is one word of the old format (a
 * column, a counter or a behaviour); newer settings may follow in [sections].
 *
 * layout.columns is set to the requested columns only. Unknown names and unavailable counters
 * become lines of `warnings`. Errors in the sections are printed on stderr, and the earlier value
 * is kept. If the file cannot be used, `bad_config` is set and the reason is printed.
 */
void config_load(struct settings *settings, const char *name);

/* Explains why the counters of a loaded file are not in an OpenCL log, once per process. For a CUDA
 * log the back end explains it. */
void config_say_counters(const struct settings *settings);

/*
 * Returns the path of the configuration file `name`; the caller frees it. A name without a slash
 * that is not a file of the working directory is an installed file, with or without ".conf".
 * Returns NULL with errno set if there is no such file. COMPUTEPROF_CONFIG_DIR overrides the
 * installation directory.
 */
char *config_find(const char *name);

#endif

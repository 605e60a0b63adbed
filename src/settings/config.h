/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_CONFIG_H
#define SETTINGS_CONFIG_H

#include "settings/settings.h"

enum { CONFIG_SIZE_LIMIT = 1 << 20 }; /* bytes of a configuration file */

/*
 * Reads the configuration file that the user calls `name` into `settings`: one old word a line
 * (a column, a counter or a behaviour), then, if any, newer settings in [sections].
 *
 * layout.columns becomes the columns asked for, no more. Names nobody knows and counters that
 * cannot be read become lines of `warnings`; mistakes in the sections are said on stderr and leave
 * what was there before. A file that cannot be used becomes `bad_config`, and the reason is said.
 */
void config_load(struct settings *settings, const char *name);

/*
 * The path of the configuration file called `name`, for the caller to free. A name without a slash
 * that is no file of the working directory is one of those installed, with or without ".conf".
 * NULL with errno set when there is no such file. COMPUTEPROF_CONFIG_DIR in the environment says
 * where they are installed if not where the build put them.
 */
char *config_find(const char *name);

#endif

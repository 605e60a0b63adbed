/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_SAME_FILE_H
#define CLI_RUN_SAME_FILE_H

#include "cli/flag.h"
#include "settings/settings.h"

/* Whether each of log, trace, -o and --log-file is a file of its own. 0, or -1 with one sentence
 * said, where one of them would overwrite another. */
int same_file_check(const struct flags *flags, const struct settings *settings);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_SAME_FILE_H
#define CLI_RUN_SAME_FILE_H

#include "cli/flag.h"
#include "settings/settings.h"

/* Checks that the log, the trace, -o and --log-file are different files, and none of them is the
 * program, the configuration file, or the file of standard output or error. Returns 0, or -1 after
 * one message if one would overwrite another. */
int same_file_check(const struct flags *flags, const struct settings *settings);

#endif

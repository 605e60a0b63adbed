/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_UNLISTED_H
#define CLI_RUN_UNLISTED_H

#include <stdint.h>

#include "cli/run/artifacts.h"

/* Adds ring files of the run that are not in its list, whose path is `list` (or NULL), to
 * lists->rings: a process to which another file system hides the list, as a private /tmp does,
 * leaves its ring file for the tool. It is in /dev/shm, or beside the log. */
void unlisted_find(const char *list, struct artifact_lists *lists);

/* Returns the path, malloc'ed, of a log with the name for this run that was written after `since`
 * (CLOCK_REALTIME ns), or NULL. Names that depend on the process are not known. */
char *unlisted_log(int64_t since);

#endif

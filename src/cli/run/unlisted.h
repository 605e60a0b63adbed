/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_UNLISTED_H
#define CLI_RUN_UNLISTED_H

#include <stdint.h>

#include "cli/run/artifacts.h"

/* Sets MANIFEST_RINGS to the first of these directories that exists: of the log, if the run has
 * one; of the trace, unless `own_trace`: it is in the run's own folder; of the file `output`, a
 * pattern of names or NULL; and the working directory. Call before the program runs, with all
 * variables set. */
void unlisted_choose_directory(const char *output, bool own_trace);

/* Adds ring files of the run that are not in its list, whose path is `list` (or NULL), to
 * lists->rings: a process to which another file system hides the list, as a private /tmp does,
 * leaves its ring file for the tool. It is in /dev/shm, beside the log or trace, or in the
 * directory of MANIFEST_RINGS. */
void unlisted_find(const char *list, struct artifact_lists *lists);

/* Returns the path, malloc'ed, of a log with the name for this run that was written after `since`
 * (CLOCK_REALTIME ns), or NULL. Names that depend on the process are not known. */
char *unlisted_log(int64_t since);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_DIFF_INPUTS_H
#define CLI_DIFF_INPUTS_H

#include "view/compare/runs.h"

/* Adds the runs of a path: of a log, trace or database, of our own JSON, or of a directory, whose
 * files are those of the processes of one run. Returns 0, or -1 after one message. */
int inputs_add(struct runs *runs, enum runs_side side, const char *path);

#endif

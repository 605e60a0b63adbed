/* SPDX-License-Identifier: MIT */
#ifndef CLI_DIFF_INPUTS_H
#define CLI_DIFF_INPUTS_H

#include "cli/flag.h"
#include "view/compare/runs.h"

/* Adds the runs of a path: of a log, trace or database, of our own JSON, or of a directory, whose
 * files are those of the processes of one run. Returns 0, or -1 after one message. */
int inputs_add(struct runs *runs, enum runs_side side, const char *path);

/* Notes a run that is left out, with the reason: a sentence that begins with its name. */
void inputs_leave_out(struct runs *runs, enum runs_side side, const char *reason);

/* Returns true if the side has runs, otherwise false after one message, and one for each run that
 * was left out. `name` is that of the side or its file. */
bool inputs_have_runs(const struct runs *runs, enum runs_side side, const char *name);

/* Returns true after one message if --junit, --folded or --save names a file that inputs_add would
 * read for the path. */
bool inputs_are_outputs(const struct flags *flags, const char *path);

#endif

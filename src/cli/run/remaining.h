/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_REMAINING_H
#define CLI_RUN_REMAINING_H

#include "cli/run/artifacts.h"

/* Processes of the run that continue after the program, such as daemons. Their later records are
 * not in the tool's list or tables. */

/* `trace`: the pattern of the traces' names, if their records are in traces of the user's, or NULL.
 * Finds them, and names those on stderr that have recorded nothing yet; endings_tell names others.
 * They have the path of the list in their environment; processes of other users are not found.
 * Waits a tenth of a second for processes that are about to end. Returns their number. */
unsigned remaining_tell(const char *list, const char *trace, struct artifact_lists *lists);

#endif

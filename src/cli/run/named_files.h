/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_NAMED_FILES_H
#define CLI_RUN_NAMED_FILES_H

#include "cli/flag.h"
#include "cli/run/artifacts.h"

/* Prints a message for the log and the trace that options name if the run has written others
 * instead: the program, such as a computeprof in it, can set another name. Names with %d, %p, %h,
 * %r or %q are not checked. */
void named_files_tell(const struct flags *flags, struct artifact_lists *lists);

#endif

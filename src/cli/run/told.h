/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_TOLD_H
#define CLI_RUN_TOLD_H

#include "cli/run/artifacts.h"
#include "cli/run/child.h"

/* Prints the messages of processes about losses (session/tell.h) that are not on the tool's stderr,
 * since the stderr of those processes is another file, or did not take them. */
void told_again(const struct artifact_lists *lists, const struct child *child);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_CUT_STREAMS_H
#define CLI_RUN_CUT_STREAMS_H

#include <stdint.h>

#include "cli/run/artifacts.h"

/* Prints a message for each event stream of the run, in a regular file, that has lines of this
 * process without its last one: the process has not ended itself. Also prints one if the variable
 * names a stream, and no process of the run has opened one. */
void cut_streams_tell(struct artifact_lists *lists, uint32_t pid);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_UNTRACED_H
#define CLI_RUN_UNTRACED_H

#include "cli/print/export.h"

/*
 * Processes that could not write a trace, and have said how many records they lack for that. For
 * each of them a trace is made in memory that has its number and these counts, so that all that is
 * made of a run counts them.
 */

/* Appends one for each process in `missing` (cli/run/artifacts.h) to the malloc'ed list. How many
 * there are then. A process for which none can be made is said. */
size_t untraced_add(struct export_trace **traces, size_t count, struct strbuf *missing);

/* Whether the trace is one of these. */
bool untraced_is(const char *path);

#endif

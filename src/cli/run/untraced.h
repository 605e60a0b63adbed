/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_UNTRACED_H
#define CLI_RUN_UNTRACED_H

#include "cli/print/export.h"

/*
 * Processes that could not write a trace but reported their number of lost records. An in-memory
 * trace with the process number and these counts is made for each, so that every view counts them.
 */

/* Appends a trace for each process in `missing` (cli/run/artifacts.h) to the malloc'ed list.
 * Returns the new count. Prints a message for each failure. */
size_t untraced_add(struct export_trace **traces, size_t count, struct strbuf *missing);

/* Returns true if `path` is one of these traces. */
bool untraced_is(const char *path);

#endif

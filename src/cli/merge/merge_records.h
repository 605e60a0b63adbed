/* SPDX-License-Identifier: MIT */
#ifndef CLI_MERGE_MERGE_RECORDS_H
#define CLI_MERGE_MERGE_RECORDS_H

#include <stddef.h>

#include "cli/flag.h"

/* Returns 0 if the options of merge --records are valid and the file may be written, or -1 after a
 * message. */
int merge_records_check(const struct flags *flags);

/* Writes the records of all traces to the file of -o; `paths` are sorted. A trace that cannot be
 * read is left out after a message. Returns the exit code. */
int merge_records(const struct flags *flags, char **paths, size_t count);

#endif

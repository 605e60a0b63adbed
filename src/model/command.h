/* SPDX-License-Identifier: MIT */
#ifndef MODEL_COMMAND_H
#define MODEL_COMMAND_H

#include "base/strbuf.h"
#include "model/catalog.h"

/* How process.command is shown. */

/* Appends the arguments with blanks between them, for a single line: control characters, hidden
 * ones and what is not UTF-8 are written as \xNN. More than `most` bytes end with "...". Nothing
 * is appended if the command is unknown. */
void command_put(struct strbuf *to, const struct process *process, size_t most);

/* The argument at `at`, which is moved behind it; NULL behind the last one. */
const char *command_next(const struct process *process, size_t *at, size_t *length);

#endif

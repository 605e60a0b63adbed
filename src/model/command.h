/* SPDX-License-Identifier: MIT */
#ifndef MODEL_COMMAND_H
#define MODEL_COMMAND_H

#include "base/strbuf.h"
#include "model/catalog.h"

/* Formats process.command. */

/* Appends the arguments on one line, separated by blanks. Control characters, hidden characters and
 * invalid UTF-8 are written as \xNN. A text of more than `most` bytes is cut and ends in "...".
 * Appends nothing if the command is unknown. */
void command_put(struct strbuf *to, const struct process *process, size_t most);

/* Returns the argument at `at` and moves `at` past it; NULL after the last one. */
const char *command_next(const struct process *process, size_t *at, size_t *length);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_JSON_COMMAND_H
#define VIEW_FORMAT_JSON_COMMAND_H

#include "base/strbuf.h"
#include "model/catalog.h"

/* Appends the arguments of a process as a list: `, "command": ["./app", "1"]`. */
void json_command_put(struct strbuf *to, const struct process *process);

#endif

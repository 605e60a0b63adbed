/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "base/strbuf.h"
#include "cli/flag.h"

/* The usage lines of `command`; those of all commands for COMMAND_RUN. */
void help_usage(struct strbuf *to, enum command_id command);

/* --help: usage, one sentence and the flags. At most 24 lines of 80 columns. */
void help_text(struct strbuf *to, enum command_id command);

/* --version */
void help_version(struct strbuf *to);

#endif

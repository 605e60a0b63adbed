/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "base/strbuf.h"
#include "cli/flag.h"

/* Appends the usage line of `command`; for COMMAND_RUN, those of all commands. */
void help_usage(struct strbuf *to, enum command_id command);

/* Appends the text of --help: usage, one sentence and the options. At most 24 lines of 80
 * columns. */
void help_text(struct strbuf *to, enum command_id command);

/* Appends all options of `command` except `without`, each with its help. */
void help_options(struct strbuf *to, enum command_id command, enum flag_id without);

/* Prints the text of --help on stdout. */
void help_print(enum command_id command);

/* Appends the text of --version. */
void help_version(struct strbuf *to);

#endif

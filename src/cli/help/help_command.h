/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_HELP_COMMAND_H
#define CLI_HELP_HELP_COMMAND_H

/* Calls `take` with each word that `computeprof help` takes for a whole list. */
void help_lists(void (*take)(void *data, const char *word), void *data);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_PRECHECK_H
#define CLI_RUN_PRECHECK_H

#include "cli/flag.h"
#include "settings/settings.h"

/*
 * Before a program runs: what the library in it would find out too late. The settings are read by
 * the library's own code.
 *
 * 0; -1 with one sentence said where the configuration file cannot be used, or a log or trace that
 * was asked for cannot be written or would overwrite a file. Unknown words of the file are said.
 */
int precheck_run(const struct flags *flags);

/* Whether the configuration file that the user calls `name` can be used. 0, or -1 with one sentence
 * said, which has a suggestion. */
int precheck_config(const char *name);

/* Says which words of the configuration file nobody knows, with suggestions. */
void precheck_words(struct settings *settings);

/* Whether --log-file can be written, as far as that is known before the program runs. 0, or -1 with
 * one sentence said. Of a FIFO, `reader` becomes a descriptor that keeps its reader. */
int precheck_tables(const struct flags *flags, const char *pattern, int *reader);

/* Whether a file that is written beside it and renamed can be made at `path`. 0, or -1 with one
 * sentence said. */
int precheck_new_file(const struct flags *flags, const char *path);

#endif

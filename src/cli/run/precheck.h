/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_PRECHECK_H
#define CLI_RUN_PRECHECK_H

#include "cli/flag.h"
#include "settings/settings.h"
#include "view/view.h"

/*
 * Checks before a program runs, for errors that the library could only report during the run.
 * The settings are read by the library's own code.
 *
 * Returns 0. Returns -1 after one message if the configuration file cannot be used, or if a
 * requested log or trace cannot be written or would overwrite a file. Unknown words of the
 * configuration file and unknown variables are reported.
 */
int precheck_run(const struct flags *flags);

/* Checks that the configuration file `name` can be used. Returns 0, or -1 after one message with a
 * suggestion. */
int precheck_config(const char *name);

/* Reports the unknown words of the configuration file, with suggestions. */
void precheck_words(struct settings *settings);

/* Checks whether --log-file can be written, as far as that is known before the program runs. For a
 * FIFO, `reader` is set to a descriptor that keeps it open. Returns 0, or -1 after one message. */
int precheck_tables(const struct flags *flags, const char *pattern, int *reader);

/* Checks whether the view's file can be made at `path` by writing a temporary one beside it and
 * renaming it. Returns 0, or -1 after one message. */
int precheck_new_file(const struct flags *flags, const struct view *view, const char *path);

#endif

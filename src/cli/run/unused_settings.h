/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_UNUSED_SETTINGS_H
#define CLI_RUN_UNUSED_SETTINGS_H

#include "cli/flag.h"
#include "view/view.h"

/*
 * Finds what is requested and is in no output of the run: not in its logs, trace or event stream,
 * nor in the view for -o (or NULL) and the tables (1 << enum table). Call before the names of the
 * run's own traces are set. Call stacks and values are reported and switched off, so that they do
 * not slow the program down. Samples are as well if there is neither a view nor a table. Limits,
 * columns, the format and the dialect without a log, and other settings without an effect, are
 * reported.
 *
 * Returns 0; or -1 after a message that no program is run: a view or tables without samples.
 */
int unused_settings_tell(const struct flags *flags, const struct view *view, unsigned int tables);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_REDIRECT_H
#define SESSION_REDIRECT_H

#include "settings/settings.h"

/*
 * Makes the names of the log and of the trace those of files in `directory`, whatever they were:
 * what stands behind the last slash, without a dot at its start, and with no % escape but %d and
 * %p. 0, or -1 without memory.
 */
int redirect_rules(struct settings *rules, const char *directory);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_REDIRECT_H
#define SESSION_REDIRECT_H

#include "settings/settings.h"

/*
 * Moves the names of the log and of the trace to `directory`: keeps the part after the last slash,
 * without a leading dot, and without % escapes except %d and %p. Returns 0, or -1 without memory.
 */
int redirect_rules(struct settings *rules, const char *directory);

#endif

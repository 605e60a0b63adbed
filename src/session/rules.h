/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RULES_H
#define SESSION_RULES_H

#include "model/frames.h"
#include "settings/settings.h"

/*
 * The part of the settings that the logs need, in a form that outlives the process: file names are
 * absolute, with only %d and %p unexpanded, so they stay valid after a chdir, in a forked child and
 * in recovery.
 */

/* Returns the absolute pattern of a file name, as in the rules, malloc'ed; NULL with errno. */
char *rules_pattern(const char *pattern);

/* Fills `rules` from the user's settings; rules_free frees the strings. Returns 0, or -1 with errno
 * if a name is too long or without memory. */
int rules_from_settings(struct settings *rules, const struct settings *settings);
void rules_free(struct settings *rules);

/* Appends a frame, and one with RULES_API_LOG if there is an API log. */
void rules_put_frame(struct strbuf *to, const struct settings *rules, bool forked);
/* Takes the pattern of a frame with RULES_API_LOG. Returns -1 if the frame is inconsistent, or
 * without memory. */
int rules_add_api_log(struct settings *rules, const struct rules_frame *frame);
/* Returns -1 if the frame is inconsistent. Invalid warnings are left out. */
int rules_from_frame(struct settings *rules, bool *forked, const struct rules_frame *frame);

#endif

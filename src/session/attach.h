/* SPDX-License-Identifier: MIT */
#ifndef SESSION_ATTACH_H
#define SESSION_ATTACH_H

#include "session/session.h"

/* The two halves of session_attach. attach_prepare makes `rules` from `settings`. It returns 0, or
 * -1 after a message, which ends with `instead`, the consequence. attach_take applies them, with
 * `meta` held; the session then owns `rules`. */
int attach_prepare(struct settings *rules, const struct settings *settings, const char *instead);
void attach_take(enum api api, struct settings *rules, const struct settings *settings,
		 const struct source *source);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_REGISTRY_H
#define SESSION_REGISTRY_H

#include "session/state.h"

/* With `meta` held: registry_store adds `frames` to the ring file, if there is one, and frees them;
 * registry_store_all adds the whole catalog to a new ring file. */
void registry_store(struct strbuf *frames);
void registry_store_all(struct session *session);

/* With `meta` held: returns the id of a text, or 0 if there is no room for the text. If the text is
 * new, appends its frame to `frames`. */
uint32_t registry_text(const char *text, size_t length, struct strbuf *frames);

/* Reports how many names and texts did not fit since the last call. */
void registry_report_refused(void);

#endif

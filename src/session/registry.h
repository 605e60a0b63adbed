/* SPDX-License-Identifier: MIT */
#ifndef SESSION_REGISTRY_H
#define SESSION_REGISTRY_H

#include "session/state.h"

/* With `meta` held: registry_frames returns the buffer for frames of the catalog that are new;
 * registry_store adds them to the ring file, if there is one, and empties the buffer;
 * registry_store_all adds the whole catalog to a new ring file. */
struct strbuf *registry_frames(void);
void registry_store(void);
void registry_store_all(struct session *session);

/* With `meta` held: returns the id of a text, or 0 if there is no room for the text. If the text is
 * new, its frame is in the buffer for registry_store. */
uint32_t registry_text(const char *text, size_t length);

/* Reports how many names and texts did not fit since the last call. */
void registry_report_refused(void);

#endif

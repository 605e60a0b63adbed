/* SPDX-License-Identifier: MIT */
#ifndef SESSION_REGISTRY_H
#define SESSION_REGISTRY_H

#include "session/state.h"

/* With `meta` held: puts `frames` into the spool if there is one, and frees them; puts everything
 * known so far into a new spool. */
void registry_tell(struct strbuf *frames);
void registry_tell_all(struct session *session);

/* Says how many names and texts there was no room for since this was last called. */
void registry_tell_refused(void);

#endif

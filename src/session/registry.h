/* SPDX-License-Identifier: MIT */
#ifndef SESSION_REGISTRY_H
#define SESSION_REGISTRY_H

#include "session/state.h"

/* With `meta` held: registry_tell adds `frames` to the spool, if there is one, and frees them;
 * registry_tell_all adds the whole catalog to a new spool. */
void registry_tell(struct strbuf *frames);
void registry_tell_all(struct session *session);

/* Reports the number of names and texts that did not fit, since the last call. */
void registry_tell_refused(void);

#endif

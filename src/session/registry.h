/* SPDX-License-Identifier: MIT */
#ifndef SESSION_REGISTRY_H
#define SESSION_REGISTRY_H

#include "session/state.h"

/* With `meta` held: registry_store adds `frames` to the ring file, if there is one, and frees them;
 * registry_store_all adds the whole catalog to a new ring file. */
void registry_store(struct strbuf *frames);
void registry_store_all(struct session *session);

/* Reports the number of names and texts that did not fit, since the last call. */
void registry_report_refused(void);

#endif

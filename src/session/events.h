/* SPDX-License-Identifier: MIT */
#ifndef SESSION_EVENTS_H
#define SESSION_EVENTS_H

#include "session/state.h"

/* With `drain` held: writes an event into the trace's buffer; writes that out,
 * too. */
void events_take(struct session *session, const struct record *slot);
void events_flush(struct session *session);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_EVENTS_H
#define SESSION_EVENTS_H

#include "session/state.h"

/* With `drain` held: events_take writes an event to the trace's buffer; events_flush writes the
 * buffer. */
void events_take(struct session *session, const struct record *slot);
void events_flush(struct session *session);

#endif

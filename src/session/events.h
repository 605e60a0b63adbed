/* SPDX-License-Identifier: MIT */
#ifndef SESSION_EVENTS_H
#define SESSION_EVENTS_H

#include "session/state.h"

/* With `drain` held: writes an event into the trace's buffer, and adds it to the totals, which sets
 * FRAME_TOTALLED in it; writes the buffer out, too. */
void events_take(struct session *session, struct frame *event);
void events_flush(struct session *session);

#endif

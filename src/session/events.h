/* SPDX-License-Identifier: MIT */
#ifndef SESSION_EVENTS_H
#define SESSION_EVENTS_H

#include "session/state.h"

/* With `drain` held: events_take writes an event to the buffers of its files and adds it to the
 * totals, which sets FRAME_TOTALLED in it; events_flush writes the buffers to the files. */
void events_take(struct session *session, struct frame *event);
void events_flush(struct session *session);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_EVENTSTREAM_H
#define SESSION_EVENTSTREAM_H

#include "session/state.h"

/*
 * The event stream of a process ([output] events, doc/LOG): a line for each record and event, for a
 * reader that runs beside the program. The lines wait in a bounded buffer for the reader, never the
 * program: what does not fit is counted, and the stream has the number where the lines are missing.
 * Everything is used under the drain lock. There is none, and none of these functions is called,
 * unless the settings of the API name one.
 */

/* A record that is complete, and an event, of an API with these settings. */
void eventstream_take_record(struct session *session, const struct settings *settings,
			     const struct record *record);
void eventstream_take_event(struct session *session, const struct settings *settings,
			    const struct frame *event);

/* Writes what the reader takes now. */
void eventstream_write(struct session *session);

/* Returns true if a reader is there that has not taken everything. */
bool eventstream_is_waiting(const struct session *session);

/* Before an exec: writes what is left, for a limited time, and prints how many lines are not
 * written. */
void eventstream_write_rest(struct session *session);

/* At the end: also writes the last line. */
void eventstream_close(struct session *session);

/* In a forked child, which makes a stream of its own. `none`: it has inherited no descriptor. */
void eventstream_forked(struct session *session, bool none);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_PFLOG_H
#define SESSION_PFLOG_H

#include "session/state.h"

/*
 * The metrics logs of a process (doc/METRICS): the events of its calls and allocations are counted
 * and, from time to time, written to metrics.log, timeline.log and metrics.prom. Everything is used
 * under the drain lock. There are none, and none of these functions is called, unless the settings
 * of the API name a directory.
 *
 * The lines of timeline.log are ordered by their start. So a call waits until no earlier one of its
 * thread can come, and is counted then, too: at any time the files agree.
 */

/* An event of an API with these settings. */
void pflog_take_event(struct session *session, const struct settings *settings,
		      const struct frame *event);

/* A record that has come, before the event of its call; and a record that is complete. */
void pflog_take_record(struct session *session, const struct settings *settings,
		       const struct record *record);
void pflog_take_finished(struct session *session, const struct settings *settings,
			 const struct record *record);

/* Writes the files if the period is over. No event of an API that is entered before its horizon
 * comes any more (CLOCK_MONOTONIC ns, by enum api). NULL: writes in any case, and nothing waits. */
void pflog_write(struct session *session, const uint64_t *horizons);

/* Returns true if there is something to write soon. */
bool pflog_is_waiting(const struct session *session);

/* At the end: writes everything, and prints what could not be written. */
void pflog_close(struct session *session);

/* In a forked child, which makes metrics logs of its own. `none`: it has inherited no
 * descriptor. */
void pflog_forked(struct session *session, bool none);

#endif

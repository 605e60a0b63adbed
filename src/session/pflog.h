/* SPDX-License-Identifier: MIT */
#ifndef SESSION_PFLOG_H
#define SESSION_PFLOG_H

#include "session/state.h"

/*
 * The metrics logs of a process (doc/METRICS). The functions count its calls and allocations,
 * and write metrics.log, timeline.log and metrics.prom from time to time. They are called under the
 * drain lock, and only if the settings of the API name a directory for metrics logs.
 *
 * The lines of timeline.log are in the order of the starts of the calls. So a call waits until no
 * earlier call is expected. It is counted only then, so that the files agree at any time.
 */

/* Takes an event of an API with these settings. */
void pflog_take_event(struct session *session, const struct settings *settings,
		      const struct frame *event);

/* Take a record that has come, before the event of its call; a record that is complete. */
void pflog_take_record(struct session *session, const struct settings *settings,
		       const struct record *record);
void pflog_take_finished(struct session *session, const struct settings *settings,
			 const struct record *record);

/* Writes the files if the period is over. `horizons`, by enum api: no more events are expected that
 * were entered before this time (CLOCK_MONOTONIC ns). NULL: writes everything now. */
void pflog_write(struct session *session, const uint64_t *horizons);

/* Returns true if there is something to write soon. */
bool pflog_is_waiting(const struct session *session);

/* At the end: writes everything, and prints what could not be written. */
void pflog_close(struct session *session);

/* Called in a forked child, which makes metrics logs of its own. `none`: the child has inherited no
 * descriptor. */
void pflog_forked(struct session *session, bool none);

#endif

/* SPDX-License-Identifier: MIT */
#include "session/events.h"

#include "session/logcalls.h"
#include "session/pflog.h"
#include "session/state.h"

/*
 * Writes events (model/event.h) to the trace, and calls to the API log. They wait for nothing, but
 * each has a pending place until it is in its files, so that a kill does not lose it.
 */
enum { EVENTS = 1 << 12 /* most events in the buffers */ };

void events_flush(struct session *session)
{
	logs_flush_trace(&session->logs);
	if (session->logs.stalled)
		return;
	logcalls_flush(&session->logs);
	if (session->logs.stalled)
		return;
	for (uint32_t index = session->events, next; index; index = next) {
		next = session->pending.links[PENDING_ORDER][index].next;
		pending_remove(&session->pending, index);
	}
	session->events = 0;
	session->event_count = 0;
}

/* The number of the commit tells recovery whether the row is in the file. */
static void write_call(struct session *session, struct frame *event, struct frame *place)
{
	const void *call = event;
	uint8_t batch = logcalls_write(&session->logs, call);

	event->flags |= batch;
	if (place)
		place->flags |= batch;
}

/* An event without a pending place is written to the files at once. Its ring keeps it until then.
 * An event that is only in the totals has no place: it is in its ring until it is in them. */
void events_take(struct session *session, struct frame *event)
{
	const struct call *call = (const void *)event;
	const struct settings *settings = session->logs.settings[call->api];
	bool logged = logcalls_has(settings, event);
	bool totals = false, traced;
	struct frame *place = NULL;
	uint32_t index = 0;

	if (settings->watched) {
		if (settings->metrics.directory)
			pflog_take_event(session, settings, event);
		if (settings->metrics.directory && !settings->api_calls)
			return;
		totals = state_keeps_totals(session, settings);
	}
	logs_begin_trace(&session->logs, event);
	traced = logs_has_trace(&session->logs, settings);
	if (traced || logged)
		index = pending_add_event(&session->pending, &session->ringfile, event);
	if (index)
		place = &pending_record(&session->pending, index)->frame;
	if (traced)
		logs_write_event(&session->logs, event);
	if (logged)
		write_call(session, event, place);
	if (totals)
		totals_take_event(&session->totals, event, place);
	if (!traced && !logged)
		return;
	if (index) {
		session->pending.links[PENDING_ORDER][index].next = session->events;
		session->events = index;
		session->event_count++;
	}
	if (!index || session->event_count == EVENTS ||
	    (logged && logcalls_are_full(&session->logs)))
		events_flush(session);
}

/* SPDX-License-Identifier: MIT */
#include "session/events.h"

#include "session/pflog.h"
#include "session/state.h"

/*
 * Writes events (model/event.h) to the trace. They wait for nothing, but each has a pending place
 * until it is in the file, so that a kill does not lose it.
 */
enum { EVENTS = 1 << 12 /* most events in the trace's buffer */ };

void events_flush(struct session *session)
{
	logs_flush_trace(&session->logs);
	if (session->logs.stalled)
		return;
	for (uint32_t index = session->events, next; index; index = next) {
		next = session->pending.links[PENDING_ORDER][index].next;
		pending_remove(&session->pending, index);
	}
	session->events = 0;
	session->event_count = 0;
}

/* Writes it to the trace's buffer. Returns the index of its pending place; 0: it has none. */
static uint32_t write_event(struct session *session, const struct frame *event)
{
	uint32_t index = pending_add_event(&session->pending, &session->ringfile, event);

	logs_write_event(&session->logs, event);
	return index;
}

/* An event without a pending place is written to the file at once. Its ring keeps it until then. An
 * event that is only in the totals has no place: it is in its ring until it is in them. */
void events_take(struct session *session, struct frame *event)
{
	const struct call *call = (const void *)event;
	const struct settings *settings = session->logs.settings[call->api];
	bool totals = false, traced;
	struct frame *place;
	uint32_t index;

	if (settings->watched) {
		if (settings->metrics.directory)
			pflog_take_event(session, settings, event);
		if (settings->metrics.directory && !settings->api_calls)
			return;
		totals = state_keeps_totals(session, settings);
	}
	logs_begin_trace(&session->logs, event);
	traced = logs_has_trace(&session->logs, settings);
	index = traced ? write_event(session, event) : 0;
	place = index ? &pending_record(&session->pending, index)->frame : NULL;
	if (totals)
		totals_take_event(&session->totals, event, place);
	if (!traced)
		return;
	if (index) {
		session->pending.links[PENDING_ORDER][index].next = session->events;
		session->events = index;
		session->event_count++;
	}
	if (!index || session->event_count == EVENTS)
		events_flush(session);
}

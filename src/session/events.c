/* SPDX-License-Identifier: MIT */
#include "session/events.h"

#include "session/eventstream.h"
#include "session/logcalls.h"
#include "session/logtrace.h"
#include "session/pflog.h"
#include "session/state.h"
#include "session/untraced.h"

/*
 * Writes events (model/event.h) to the trace, and calls to the API log. An event is in its ring,
 * then in a pending place until its files have it, so that a kill does not lose it. The place is a
 * copy that is made after the write to the trace, so it has FRAME_UNTRACED if that write failed.
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
	if (session->events)
		pending_remove_events(&session->pending, session->events);
	session->events = 0;
	session->event_count = 0;
}

/* Writes a call to the API log. Sets its log_batch: recovery then knows if the file has the row. */
static void write_call(struct session *session, struct frame *event, struct frame *place)
{
	const void *call = event;
	uint8_t batch = logcalls_write(&session->logs, call);

	event->flags |= batch;
	if (place)
		place->flags |= batch;
}

/* Called when the event is in the buffers. If the event has no pending place (`index` is 0), the
 * buffers are written to the files at once, while its ring still has the event. */
static void keep(struct session *session, const struct frame *event, uint32_t index)
{
	if (index) {
		session->pending.links[PENDING_ORDER][index].next = session->events;
		session->events = index;
		session->event_count++;
	}
	if (index && session->event_count < EVENTS)
		return;
	events_flush(session);
	if (!index && session->logs.trace.failed)
		untraced_mark(&session->logs, event);
}

/* Takes an event if there are totals, metrics logs, an API log or an event stream, with or without
 * a trace. An event for the totals only gets no pending place: it is added while in its ring. */
__attribute__((noinline)) static void take_for_all(struct session *session,
						   const struct settings *settings,
						   struct frame *event)
{
	bool logged = logcalls_has(settings, event), totals, traced;
	struct frame *place = NULL;
	uint32_t index = 0;

	if (settings->events)
		eventstream_take_event(session, settings, event);
	if (settings->metrics.directory)
		pflog_take_event(session, settings, event);
	/* All other events are requested by the metrics logs only. */
	if (settings->metrics.directory && !settings->api_calls && event->kind != FRAME_SAMPLE)
		return;
	totals = state_keeps_totals(session, settings);
	logs_begin_trace(&session->logs, event);
	traced = logs_has_trace(&session->logs, settings);
	if (traced)
		logs_write_event(&session->logs, settings, event);
	if (traced || logged)
		index = pending_add_event(&session->pending, &session->ringfile, event);
	if (index)
		place = &pending_record(&session->pending, index)->frame;
	if (logged)
		write_call(session, event, place);
	if (totals)
		totals_take_event(&session->totals, event, place);
	if (traced || logged)
		keep(session, event, index);
	if (logged && logcalls_are_full(&session->logs))
		events_flush(session);
}

void events_take(struct session *session, struct frame *event)
{
	const struct call *call = (const void *)event;
	const struct settings *settings = session->logs.settings[call->api];
	uint32_t index;

	if (settings->more_outputs) {
		take_for_all(session, settings, event);
		return;
	}
	logs_begin_trace(&session->logs, event);
	if (!logs_has_trace(&session->logs, settings))
		return;
	logs_write_event(&session->logs, settings, event);
	index = pending_add_event(&session->pending, &session->ringfile, event);
	keep(session, event, index);
}

/* SPDX-License-Identifier: MIT */
#include "session/collect.h"

#include <string.h>

#include "model/event.h"
#include "session/events.h"
#include "session/last_moment.h"
#include "session/locks.h"
#include "session/pflog.h"
#include "session/round.h"
#include "session/start.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/untraced.h"
#include "session/writer.h"

/* Records that are not made by probes: a back end delivers them in each round. */

/* The ring number in the correlations of these records. */
enum { COLLECTED = MAX_RINGS + 1 };

enum { SAMPLER = API_COUNT, SOURCES /* the APIs and the sampler */ };

/* Returns the source with that number if it delivers records, or NULL. */
static const struct source *collected(int number)
{
	const struct source *source;

	if (number == SAMPLER)
		return __atomic_load_n(&globals.sampler, __ATOMIC_ACQUIRE);
	source = state_source(number);
	return source && source->collect ? source : NULL;
}

void session_attach_sampler(const struct source *source)
{
	__atomic_store_n(&globals.sampler, source, __ATOMIC_RELEASE);
}

uint64_t collect_records(enum collecting how)
{
	uint64_t moved = 0;

	for (int i = 0; i < SOURCES; i++) {
		const struct source *source = collected(i);

		if (!source)
			continue;
		if (how == COLLECT_COMPLETE) {
			drain_call_begin_long();
			source->fetch();
			drain_call_end();
		}
		moved += source->collect(how);
	}
	return moved;
}

void collect_horizons(uint64_t horizons[API_COUNT])
{
	for (int api = 0; api < API_COUNT; api++) {
		const struct source *source = collected(api);

		horizons[api] = source ? source->horizon() : UINT64_MAX;
	}
}

void collect_event_horizons(uint64_t horizons[API_COUNT])
{
	for (int api = 0; api < API_COUNT; api++) {
		const struct source *source = collected(api);

		horizons[api] = source && source->event_horizon ? source->event_horizon()
								 : UINT64_MAX;
	}
}

bool collect_is_used(void)
{
	for (int api = 0; api < API_COUNT; api++)
		if (collected(api))
			return true;
	return false;
}

bool collect_is_waiting(void)
{
	for (int api = 0; api < API_COUNT; api++) {
		const struct source *source = collected(api);

		if (source && source->waiting())
			return true;
	}
	return false;
}

/* Takes a record with its values, which belong to its device's newest counter set. */
static void take_counted(struct session *session, const struct record *record,
			 const struct counter_set *set, const double *values)
{
	static struct counted_record counted; /* guarded by the drain lock */

	counted.record = *record;
	counted_record_set(&counted, set->id, set->count);
	memcpy(counted.values, values, set->count * sizeof(*values));
	round_take_in(session, &counted.record);
}

void session_take(struct record *record, const double *values, uint32_t count)
{
	struct session *session = globals.session;
	const struct counter_set *set = NULL;

	record->frame.size = sizeof(*record);
	record->frame.correlation = ((uint64_t)COLLECTED << 40) + ++session->collected;
	if (count)
		set = catalog_counters_of(&globals.catalog, record->device);
	if (set && set->count == count)
		take_counted(session, record, set, values);
	else
		round_take_in(session, record);
}

void session_take_event(struct frame *event)
{
	struct session *session = globals.session;

	event->correlation = ((uint64_t)COLLECTED << 40) + EVENT_NUMBERS + ++session->events_taken;
	event->size = frames_fixed_size(event->kind);
	events_take(session, event);
	event->flags &= (uint16_t) ~(FRAME_TOTALLED | FRAME_UNTRACED); /* it may be used again */
}

void session_count_call(const struct call *call)
{
	const struct settings *settings = globals.settings[call->api];

	if (settings && settings->metrics.directory)
		pflog_take_event(globals.session, settings, &call->frame);
}

uint64_t session_last_correlation(void)
{
	return ((uint64_t)COLLECTED << 40) + globals.session->collected;
}

void session_expect(void)
{
	struct session *session = thread_live_session();

	if (!session)
		session = session_start();
	/* Threads of the program do not drain these records, so a writer is needed. */
	if (session && !atomic_load(&session->writer_alive))
		writer_start_again(session);
}

void session_lost(uint64_t count)
{
	struct session *session = thread_live_session();

	atomic_fetch_add_explicit(&globals.lost, count, memory_order_relaxed);
	if (session)
		__atomic_fetch_add(&session->ringfile.header->lost, count, __ATOMIC_RELAXED);
}

void session_gap(void)
{
	struct session *session = thread_live_session();

	atomic_fetch_add_explicit(&globals.gaps, 1, memory_order_relaxed);
	if (session)
		__atomic_fetch_add(&session->ringfile.header->gaps, 1, __ATOMIC_RELAXED);
}

void session_lost_events(uint64_t count)
{
	struct trace_file *trace = &globals.session->logs.trace;

	trace->missing += count;
	trace->missing_events += count;
}

void session_filtered(void)
{
	atomic_fetch_add_explicit(&globals.filtered, 1, memory_order_relaxed);
	session_gap();
}

void probe_lost(uint64_t count)
{
	if (atomic_load(&globals.ended))
		last_moment_wait();
	else
		session_lost(count);
}

void session_not_lost(uint64_t count)
{
	struct session *session = thread_live_session();

	atomic_fetch_sub_explicit(&globals.lost, count, memory_order_relaxed);
	if (session)
		__atomic_fetch_sub(&session->ringfile.header->lost, count, __ATOMIC_RELAXED);
}

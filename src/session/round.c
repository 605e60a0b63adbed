/* SPDX-License-Identifier: MIT */
#include "session/round.h"

#include "base/clock.h"
#include "session/collect.h"
#include "session/events.h"
#include "session/eventstream.h"
#include "session/locks.h"
#include "session/logfile.h"
#include "session/logtrace.h"
#include "session/merge.h"
#include "session/overhead.h"
#include "session/pflog.h"
#include "session/state.h"
#include "session/watermark.h"

/* A round of the writer: rings and back ends -> pending places -> logs. writer.c decides when it
 * runs. */
enum {
	TURN = 1 << 13, /* records taken out of the rings before complete ones are written, */
	TURNS = 8,	/* and how often in one round */
	LAST_TURNS = MAX_RINGS * (RINGFILE_SEGMENT / sizeof(struct call)) / TURN,
	ROWS_BUFFER = 1 << 18,	/* bytes of rows that are written at once, */
	ROWS_WAIT = 3 * 1000000, /* and ns between writes if rounds follow each other sooner */
	MANY_NAMES = 1 << 10,
	PLACES = 1 << 10, /* per allocation when all places are taken: one system call for each
			     would be too slow */
};

/* Returns true if the log's file takes rows: it is open and no file system stalls. Permanent errors
 * are reported for the row itself. */
static bool is_ready(struct session *session, struct log_file *log)
{
	const struct logs *logs = &session->logs;

	/* Usually both files are open. */
	if (!logs->stalled &&
	    (!log->path || (logs_has_trace(logs, log->settings) && !logs->trace.path)))
		logs_must_wait(&session->logs, log);
	return !logs->stalled;
}

/* Writes a record that is also in totals, metrics logs or an event stream, or only there. */
__attribute__((noinline)) static void write_for_all(struct session *session, struct log_file *log,
						    struct record *record)
{
	const struct settings *settings = log->settings;
	bool totals = state_keeps_totals(session, settings);

	if (!settings->no_log)
		logs_write(&session->logs, log, record);
	if (totals)
		totals_take_record(&session->totals, &globals.catalog, record);
	if (settings->events)
		eventstream_take_record(session, settings, record);
	if (settings->metrics.prometheus)
		pflog_take_finished(session, settings, record);
}

/* Returns false, and leaves the record in place, while a file system does not respond. */
static bool write_first(struct session *session, struct log_file *log)
{
	struct record *record;
	uint32_t index;

	if (!is_ready(session, log))
		return false;
	index = pending_order_pop(&session->pending, &log->order);
	record = pending_record(&session->pending, index);
	if (log->settings->more_outputs)
		write_for_all(session, log, record);
	else
		logs_write(&session->logs, log, record);
	drain_moved_record();
	record->batch = log_batch(log->sequence + 1);
	session->pending.links[PENDING_ORDER][index].next = log->written;
	log->written = index;
	return true;
}

/* Writes the log's and the trace's buffer. Only then may the places of its records be reused: a
 * record that is in neither the ring file nor all of its files would not survive a kill. While a
 * file system does not respond, nothing changes. */
static void flush_log(struct session *session, struct log_file *log)
{
	if (log->of_calls) /* events_flush does it */
		return;
	if (log->written)
		events_flush(session);
	if (session->logs.stalled)
		return;
	logs_flush(&session->logs, log);
	if (session->logs.stalled)
		return;
	logfile_note_lost(log, session->ringfile.header);
	totals_publish(&session->totals);
	for (uint32_t index = log->written, next; index; index = next) {
		next = session->pending.links[PENDING_ORDER][index].next;
		pending_remove(&session->pending, index);
	}
	log->written = 0;
}

/* Returns true if files can be written now. Interrupted writes are continued first, since their
 * bytes are in the buffers. */
static bool files_answer(struct session *session)
{
	struct logs *logs = &session->logs;

	if (!logs->stalled)
		return true;
	if (filethread_is_busy())
		return false;
	logs->stalled = false;
	events_flush(session);
	for (uint32_t i = 0; i < logs->count && !logs->stalled; i++)
		if (logfile_is_waiting(&logs->files[i]))
			flush_log(session, &logs->files[i]);
	return !logs->stalled;
}

static const struct source *source_of(const struct record *record)
{
	return globals.sources[catalog_device(&globals.catalog, record->device)->api];
}

static void release_handle(struct record *record)
{
	drain_call_begin();
	source_of(record)->release(record);
	drain_call_end();
}

/* Stops waiting for the command: its row has no times. At the very end the driver may be unloaded
 * and is not called. */
static void stop_waiting(struct session *session, uint32_t index, bool final)
{
	struct record *record = pending_record(&session->pending, index);

	if (!record->handle)
		return;
	if (!final)
		release_handle(record);
	record->handle = 0;
	record->frame.flags |= RECORD_UNFINISHED;
	pending_stop_polling(&session->pending, index);
}

static struct log_file *longest_waiting(struct session *session)
{
	struct log_file *longest = NULL;

	for (uint32_t i = 0; i < session->logs.count; i++) {
		struct log_file *log = &session->logs.files[i];

		if (log->order.first &&
		    (!longest ||
		     launched_before(pending_record(&session->pending, log->order.first),
				     pending_record(&session->pending, longest->order.first))))
			longest = log;
	}
	return longest;
}

bool writer_flush_rows(struct session *session)
{
	bool any = false;

	for (uint32_t i = 0; i < session->logs.count; i++) {
		if (!session->logs.files[i].written)
			continue;
		any = true;
		flush_log(session, &session->logs.files[i]);
	}
	return any;
}

/* All places are taken: frees those of rows that wait for a larger write. If there are none, writes
 * the record that has waited longest, and the complete ones after it in its log. Returns false if
 * nothing waits or no file can be written. */
static bool make_place(struct session *session, bool final)
{
	struct log_file *longest;

	if (writer_flush_rows(session))
		return !session->logs.stalled;
	longest = longest_waiting(session);
	if (!longest || !is_ready(session, longest))
		return false;
	stop_waiting(session, longest->order.first, final);
	session->logs.crowded = true;
	write_first(session, longest);
	session->logs.crowded = false;
	for (int i = 1; i < PLACES && longest->order.first &&
			!pending_record(&session->pending, longest->order.first)->handle &&
			write_first(session, longest);
	     i++)
		;
	flush_log(session, longest);
	return !session->logs.stalled;
}

/* Counts a record as lost for which there is neither memory nor a place. Returns true. */
static bool count_lost(struct session *session, const struct record *record, bool final)
{
	struct record copy = *record;

	if (copy.handle && !final)
		release_handle(&copy);
	session->logs.lost++;
	session->logs.dropped++;
	__atomic_fetch_add(&session->ringfile.header->lost, 1, __ATOMIC_RELAXED);
	return true;
}

/* Returns false without a change if no place is free while a file system does not respond. */
static bool take_in(struct session *session, const struct record *record, bool final)
{
	struct log_file *log = logs_of(&session->logs, record->device, record->context);
	uint32_t index;

	if (!log)
		return count_lost(session, record, final);
	session->worked[record->context] = 1;
	if (session->notes_copies)
		pflog_take_record(session, log->settings, record);
	/* Records with values have their own places, so a record that goes may free a place of the
	 * other kind. */
	while (!(index = pending_add(&session->pending, &session->ringfile, record)) &&
	       make_place(session, final))
		;
	if (index) {
		pending_order(&session->pending, &log->order, index);
		return true;
	}
	return !session->logs.stalled && count_lost(session, record, final);
}

void round_take_in(struct session *session, const struct record *record)
{
	if (!take_in(session, record, false))
		count_lost(session, record, false);
}

static uint64_t drain(struct session *session, bool final)
{
	struct record *record;
	uint64_t moved = 0;

	merge_begin(session);
	/* Bounded, since the program's threads may fill their rings as fast as they are emptied. */
	while (moved < TURN && !session->logs.stalled && (record = merge_first(session))) {
		if (frames_is_event(&record->frame))
			events_take(session, &record->frame);
		else if (!take_in(session, record, final))
			break;
		merge_consume(session);
		drain_moved_record();
		moved++;
	}
	return moved;
}

bool session_writes_trace(enum api api)
{
	const struct logs *logs = &globals.session->logs;

	return logs_has_trace(logs, logs->settings[api]);
}

static int poll_source(struct record *record)
{
	struct record copy;
	int over;

	record_copy(&copy, record);
	drain_call_begin();
	over = source_of(record)->poll(&copy);
	drain_call_end();
	if (!over) {
		record->handle = copy.handle;
		return 0;
	}
	/* Recovery reads the record there, so the times are written before the flag. */
	record->frame.flags = copy.frame.flags;
	record->queued = copy.queued;
	record->submitted = copy.submitted;
	record->started = copy.started;
	record->ended = copy.ended;
	__atomic_store_n(&record->known, copy.known, __ATOMIC_RELEASE);
	__atomic_store_n(&record->handle, copy.handle, __ATOMIC_RELEASE);
	return 1;
}

/* Prefetches the name of the next row, which may not be cached if there are many names. */
static void fetch_next_name(const struct session *session, const struct log_file *log)
{
	uint32_t next;

	if (names_count(globals.catalog.names) < MANY_NAMES)
		return;
	next = session->pending.links[PENDING_ORDER][log->order.first].next;
	if (next)
		names_prefetch(globals.catalog.names,
			       pending_record(&session->pending, next)->name);
}

/* Returns true if a file of the log has to be opened later. Without totals the trace may begin with
 * the first record, and has to be open then, too. */
static bool must_wait(struct session *session, struct log_file *log)
{
	state_keeps_totals(session, log->settings);
	return logs_must_wait(&session->logs, log);
}

static void write_ready(struct session *session, struct log_file *log,
			const struct watermarks *marks, bool final)
{
	if (!final && log->order.first && must_wait(session, log))
		return;
	while (log->order.first) {
		const struct record *record = pending_record(&session->pending, log->order.first);

		if (!final && (record->handle || watermark_blocks(marks, session, log, record)))
			return;
		if (record->handle)
			stop_waiting(session, log->order.first, true);
		fetch_next_name(session, log);
		if (!write_first(session, log))
			return;
		if (log->buffer.length >= ROWS_BUFFER)
			flush_log(session, log);
	}
}

static void empty(struct session *session, struct log_file *log)
{
	while (log->order.first && is_ready(session, log)) {
		stop_waiting(session, log->order.first, false);
		write_first(session, log);
		if (log->buffer.length >= ROWS_BUFFER)
			flush_log(session, log);
	}
	flush_log(session, log);
}

/* Drains all records launched until now; later ones may remain. */
static void drain_until_now(struct session *session)
{
	uint64_t now = clock_monotonic();
	const struct record *next;

	do {
		drain(session, false);
		next = merge_first(session);
	} while (next && next->enter <= now && !session->logs.stalled);
}

void writer_write_all(struct session *session)
{
	if (!files_answer(session))
		return;
	collect_records(COLLECT_LAST);
	drain_until_now(session);
	for (uint32_t i = 0; i < session->logs.count; i++)
		empty(session, &session->logs.files[i]);
	if (session->logs.stalled)
		return;
	overhead_take();
	events_flush(session);
}

void writer_close_api(struct session *session, enum api api)
{
	collect_records(COLLECT_ALL);
	drain_until_now(session);
	events_flush(session);
	for (uint32_t i = 0; i < session->logs.count; i++) {
		struct log_file *log = &session->logs.files[i];

		if (log->target.layout.api != api || log->of_calls)
			continue;
		empty(session, log);
		logs_close_for_good(&session->logs, log);
	}
}

/* A kill loses no row that waits: it is in its pending place, if that is in a file. */
static bool may_wait(const struct session *session, const struct log_file *log, uint64_t now)
{
	const struct ringfile *ringfile = &session->ringfile;

	return log->written && now - log->flushed < ROWS_WAIT && ringfile->path[0] &&
	       !ringfile->header->in_memory;
}

/* Rows of a busy program are written once in several rounds: large writes take less time per row.
 * The next round comes within the writer's PERIOD, since pending places are in use. */
static void flush_rows(struct session *session, struct log_file *log, bool final)
{
	uint64_t now = log->written ? clock_monotonic() : 0;

	if (!final && may_wait(session, log, now)) {
		totals_publish(&session->totals);
		return;
	}
	flush_log(session, log);
	if (now)
		log->flushed = now;
}

static void write_out(struct session *session, const struct watermarks *marks, bool final)
{
	for (uint32_t i = 0; i < session->logs.count; i++) {
		struct log_file *log = &session->logs.files[i];

		write_ready(session, log, marks, final);
		flush_rows(session, log, final);
	}
	if (session->logs.stalled)
		return;
	overhead_take();
	events_flush(session);
}

/* A turn may end between the record of a nested call and that of the outer call, so records
 * launched after any record left in the rings wait for the next turn. */
static void hold_back(const struct session *session, struct watermarks *marks)
{
	uint64_t left = merge_left(session);

	if (left < marks->threads)
		marks->threads = left;
}

/* Returns true if another thread waits for the lock, or the process for its end. */
static bool is_awaited(struct session *session)
{
	return drain_is_wanted() || atomic_load(&session->leaving) == LEAVING_WANTED ||
	       atomic_load(&session->stopping) != STOPPING_NOT;
}

uint64_t writer_round(struct session *session, bool final)
{
	/* In the last round: as many as all rings can hold. All are taken in before the first one
	 * is written, since the watermark does not order them then. */
	int turns = final ? LAST_TURNS : TURNS;
	uint64_t more = final ? 1 : TURN; /* taken in the last turn; more may be in the rings */
	uint64_t moved, taken;
	struct watermarks marks;

	/* Records stay in the rings; those that do not fit are counted. */
	if (!files_answer(session))
		return 0;
	moved = collect_records(final ? COLLECT_LAST : COLLECT_COMPLETE);
	collect_horizons(marks.sources);
	do {
		marks.threads = watermark_threads(session);
		taken = drain(session, final);
		moved += taken;
		if (final)
			continue;
		hold_back(session, &marks);
		moved += pending_poll(&session->pending, poll_source);
		write_out(session, &marks, false);
	} while (taken >= more && --turns && !session->logs.stalled &&
		 (final || !is_awaited(session)));
	if (final)
		write_out(session, &marks, true);
	return moved;
}

/* SPDX-License-Identifier: MIT */
#include "session/call_totals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "model/amount.h"
#include "model/api.h"
#include "model/totals_row.h"
#include "session/collect.h"
#include "session/locks.h"
#include "session/session.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/totals_table.h"

enum {
	SLOTS = 1 << 10,
	ROWS = SLOTS / 4 * 3, /* most rows of a table: further functions are events */
	SEGMENT_ROWS = 12, /* of a segment with buckets, which is 52 KiB: each thread has one */
};

/* The hash table from the key of a row to the row. */
struct slot {
	struct totals_row *row; /* NULL: the slot is free */
	uint32_t number; /* of the row */
	uint32_t name;
	int32_t code;
	uint16_t api;
	uint16_t kind; /* enum totals_kind */
};

struct call_table {
	struct totals_table table;
	const struct thread_ring *ring;
	bool full; /* no row can be added */
	struct slot slots[SLOTS];
};

_Atomic bool call_totals_on[API_COUNT];
static _Atomic bool ranges_begun;

void call_totals_attach(enum api api)
{
	const struct settings *settings = globals.settings[api];
	bool traced = settings->trace &&
		      (!settings->trace_from_ranges || atomic_load(&ranges_begun));
	bool events = traced || settings->api_log || settings->events;

	/* Metrics logs are made from events. */
	events |= settings->metrics.directory != NULL;
	atomic_store(&call_totals_on[api], settings->totals && settings->api_calls && !events);
}

void session_need_calls(void)
{
	if (atomic_load_explicit(&ranges_begun, memory_order_acquire))
		return;
	meta_lock();
	atomic_store(&ranges_begun, true);
	for (int api = 0; api < API_COUNT; api++)
		if (globals.settings[api])
			call_totals_attach((enum api)api);
	meta_unlock();
}

/* With `meta` held. */
static bool has_percentiles(void)
{
	bool any = false;

	for (int api = 0; api < API_COUNT; api++)
		any |= globals.settings[api] && globals.settings[api]->totals_percentiles;
	return any;
}

/* With `meta` held: returns the table of the thread's ring, which may have been another thread's,
 * or NULL. */
static struct call_table *table_of(const struct thread *self)
{
	uint32_t index = (uint32_t)(self->correlations[0] >> 40) - 1;
	struct call_table **place = &self->session->call_tables[index];
	struct call_table *calls = *place;

	if (calls)
		return calls;
	calls = memory_map(sizeof(*calls));
	if (!calls)
		return NULL;
	calls->ring = self->rings[0];
	calls->table = (struct totals_table){
		.ringfile = &self->session->ringfile,
		.number = index + 1,
		.stride = sizeof(struct totals_row),
	};
	if (has_percentiles()) {
		calls->table.stride = sizeof(struct totals_buckets_row);
		calls->table.room = SEGMENT_ROWS;
	}
	*place = calls;
	return calls;
}

/* Finds or makes the table of the calling thread; NULL without a ring or memory. */
static struct call_table *enter(struct thread *self)
{
	int error = errno;

	self->calls = NULL;
	if (self->session != thread_live_session() || !self->rings[0])
		thread_enter(self);
	if (self->rings[0]) {
		meta_lock();
		/* A signal handler may have forked just before. */
		if (self->session == thread_live_session())
			self->calls = table_of(self);
		/* The ring's former thread may have been cancelled during an addition. */
		if (self->calls && totals_undo(&self->calls->table))
			probe_lost(1);
		meta_unlock();
	}
	errno = error;
	return self->calls;
}

static bool has_buckets(const struct call_table *calls)
{
	return calls->table.stride > sizeof(struct totals_row);
}

static bool is_of(const struct slot *slot, const struct slot *key)
{
	return slot->name == key->name && slot->kind == key->kind && slot->api == key->api &&
	       slot->code == key->code;
}

/* Returns the slot of the key, or a free one. */
static struct slot *slot_of(struct call_table *calls, const struct slot *key)
{
	uint32_t at = (key->name + (uint32_t)key->code * 37) % SLOTS;

	while (calls->slots[at].row && !is_of(&calls->slots[at], key))
		at = (at + 1) % SLOTS;
	return &calls->slots[at];
}

/* Adds a row for the call under meta_lock, which blocks signals. Returns false without memory. */
static bool add_row(struct call_table *calls, struct slot *slot, const struct slot *key,
		    const struct call *call)
{
	struct totals_row row;
	int error = errno;
	int64_t number = -1;

	if (calls->full)
		return false;
	if (key->kind == TOTALS_FAILURE)
		totals_row_of_failure(&row, call);
	else
		totals_row_of_function(&row, call, has_buckets(calls));
	meta_lock();
	if (calls->table.count < ROWS)
		number = totals_table_add(&calls->table, &row, 0);
	if (number >= 0) {
		*slot = *key;
		slot->number = (uint32_t)number;
		slot->row = totals_table_row(&calls->table, slot->number);
	}
	calls->full = number < 0;
	meta_unlock();
	errno = error;
	return number >= 0;
}

/* Returns the slot of the call's row of this kind, NULL without memory. */
static const struct slot *find(struct call_table *calls, const struct call *call,
			       enum totals_kind kind)
{
	const struct slot key = {
		.name = call->name,
		.code = kind == TOTALS_FAILURE ? call->result : 0,
		.api = call->api,
		.kind = (uint16_t)kind,
	};
	struct slot *slot = slot_of(calls, &key);

	return slot->row || add_row(calls, slot, &key, call) ? slot : NULL;
}

static inline struct totals_row *change(struct call_table *calls, const struct slot *slot,
					unsigned bucket)
{
	return totals_change_at(&calls->table, slot->number, slot->row, bucket,
				TOTALS_PART_OF_CALL);
}

/* Returns false if there is no memory for a row. */
static bool add_call(struct call_table *calls, const struct call *call)
{
	const struct slot *function = find(calls, call, TOTALS_FUNCTION), *failure = NULL;
	bool failed = api_is_failure(call->api, call->result);
	unsigned bucket = TOTALS_BUCKETS;
	struct totals_row *row;

	if (failed)
		failure = find(calls, call, TOTALS_FAILURE);
	if (!function || (failed && !failure))
		return false;
	if (has_buckets(calls))
		bucket = totals_bucket(amount_call_duration(call));
	totals_begin(&calls->table, 0);
	row = change(calls, function, bucket);
	totals_row_add_call(row, call);
	totals_row_add_bucket(row, bucket);
	if (failed)
		change(calls, failure, TOTALS_BUCKETS)->count++;
	totals_commit(&calls->table);
	return true;
}

/* Returns true if an addition of this thread was left by longjmp: its stack frame was at or below
 * this one, unless a signal handler has its own stack. */
static bool was_jumped_over(const void *adding, const void *frame)
{
	stack_t stack;

	if ((const char *)adding > (const char *)frame)
		return false;
	return sigaltstack(NULL, &stack) || !(stack.ss_flags & SS_ONSTACK);
}

/* Called after a signal handler has left an addition by longjmp: undoes the addition. */
static void repair(struct call_table *calls)
{
	totals_undo(&calls->table);
	probe_lost(1);
}

/* A signal handler that has interrupted an addition may make calls, too. */
bool call_totals_add(const struct call *call)
{
	const void *frame = __builtin_frame_address(0);
	struct thread *self = thread_self();
	struct call_table *calls = self->calls;
	bool left = false, done;

	if (!call_totals_are_on(call->api))
		return false;
	if (self->adding) {
		if (!was_jumped_over(self->adding, frame))
			return false;
		left = true;
	}
	self->adding = frame;
	atomic_signal_fence(memory_order_seq_cst);
	if (!calls || calls->ring != self->rings[0] || self->session != thread_live_session())
		calls = enter(self);
	else if (left)
		repair(calls);
	done = calls && add_call(calls, call);
	atomic_signal_fence(memory_order_seq_cst);
	self->adding = NULL;
	return done;
}

/* If a signal handler has forked during an addition, the addition goes on in the child when the
 * handler returns. The child maps private memory over the table, so the parent's is not changed. */
void call_totals_forked(void)
{
	struct thread *self = thread_self();
	struct call_table *calls = self->calls;

	for (uint32_t i = 0; self->adding && calls && i < calls->table.segment_count; i++)
		mmap(calls->table.segments[i], calls->table.segments[i]->segment.size,
		     PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	self->calls = NULL;
}

static uint64_t count_calls(const struct totals_table *table)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < table->count; i++) {
		const struct totals_row *row = totals_table_row(table, i);

		if ((row->frame.flags & ~TOTALS_OTHER) == TOTALS_FUNCTION)
			count += row->count;
	}
	return count;
}

uint64_t call_totals_count(const struct session *session)
{
	uint64_t count = count_calls(&session->totals.table);

	for (int i = 0; i < MAX_RINGS; i++)
		if (session->call_tables[i])
			count += count_calls(&session->call_tables[i]->table);
	return count;
}

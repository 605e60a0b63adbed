/* SPDX-License-Identifier: MIT */
#ifndef SESSION_STATE_H
#define SESSION_STATE_H

#include <stdatomic.h>

#include "base/ring.h"
#include "base/worker.h"
#include "model/catalog.h"
#include "model/event.h"
#include "session/logs.h"
#include "session/pending.h"
#include "session/ringfile.h"
#include "session/session.h"
#include "session/totals.h"

/*
 * The state of a profiled process; private to src/session. A forked child gets a new one. The locks
 * are in session/locks.h.
 */
enum { MAX_RINGS = 4096 };

struct thread_ring {
	struct segment segment;
	uint32_t thread; /* kernel thread id of the owner */
	uint32_t reserved[15];
	struct ring ring;
};

/* A ring that is not empty, and the record at its tail. */
struct ring_head {
	struct record *record;
	struct ring *ring;
};

enum ring_owner { RING_TAKEN, RING_LEFT };

/* The state of the writer. */
enum writer_stage {
	WRITER_NEWBORN, /* may hold locks that the C library or a sanitizer takes at a thread's
			 * start */
	WRITER_AT_WORK,
	WRITER_PARKED, /* makes no more rounds */
	WRITER_GONE,
};

enum stopping { STOPPING_NOT, STOPPING_ROUNDS, STOPPING_ALL };

enum leaving { LEAVING_NOT, LEAVING_WANTED, LEAVING_WRITTEN };

/* The longest of the rounds by threads of one kind: see session/overhead.h. */
struct longest_round {
	struct overhead event; /* the longest round since */
	uint64_t written;      /* CLOCK_MONOTONIC ns of the last written one, 0: none */
};

struct session {
	struct ringfile ringfile;
	struct pending pending;
	struct logs logs;
	struct thread_ring *_Atomic rings[MAX_RINGS];
	_Atomic uint8_t owner[MAX_RINGS]; /* enum ring_owner */
	_Atomic uint32_t ring_count;
	struct call_table *call_tables[MAX_RINGS]; /* of the rings' owners: call_totals.c */
	struct ring_head heads[MAX_RINGS]; /* merge.c's; guarded by drain, as their number */
	uint32_t head_count;
	uint32_t events;     /* list of those in the buffers of the trace and the API logs, through
			      * PENDING_ORDER's next */
	uint32_t event_count; /* length of that list */
	uint8_t *worked;     /* by context id: 1 once it had a record */
	uint32_t names_stored; /* names with an id up to this are in the ring file */
	uint64_t collected;  /* records that back ends have delivered so far */
	uint64_t events_taken; /* events so far */
	struct running_totals totals; /* guarded by drain */
	bool notes_copies; /* for the metrics logs */
	struct eventstream *eventstream; /* or NULL; guarded by drain */
	struct pflog *pflog; /* the metrics logs, or NULL; guarded by drain */
	struct longest_round longest[2]; /* the writer's, and those of the program's threads */
	uint32_t failed_execs;	/* number of failed execs of the program; guarded by drain */
	_Atomic uint32_t begun; /* rounds of the writer */
	_Atomic uint32_t ended; /* those that have ended; writer_await_files sleeps on it */
	_Atomic uint8_t used[CATALOG_DEVICES]; /* by device id: 1 from its first record on */
	_Atomic uint32_t wake; /* the writer sleeps on this */
	_Atomic uint64_t looked; /* CLOCK_MONOTONIC ns of the writer's last round */
	_Atomic int writer_alive;
	_Atomic int writer_stage; /* enum writer_stage */
	_Atomic int stopping; /* enum stopping: the work that the writer must not do any more */
	_Atomic int leaving; /* enum leaving */
	_Atomic uint64_t exit_begun; /* CLOCK_MONOTONIC ns; 0: it has not */
	atomic_bool
		compiler_ends; /* the exit handlers of a driver's compiler are called: it crashes if
				* later commands are given time, so none is waited for */
	uint64_t settled;  /* rings_recorded() of exit_wait.c when all of that was written; 0:
			    * unknown. Of the thread that exits */
	uint64_t given_up; /* when running commands were not waited for any longer, or 0; guarded by
			    * drain */
	_Atomic uint64_t signals; /* signal mask of the thread that ended last */
	struct worker writer;
};

struct globals {
	struct catalog catalog;
	struct settings rules[API_COUNT]; /* see session/rules.h */
	const struct settings *settings[API_COUNT]; /* into rules, NULL where an API is off */
	const struct source *sources[API_COUNT];
	const struct source *sampler; /* session_attach_sampler */
	bool marked[API_COUNT]; /* attached by session_attach_marks only */
	struct session *session; /* NULL before the first record and in a forked child */
	_Atomic uint64_t lost;   /* records that reached no log, also without a session */
	_Atomic uint64_t filtered; /* kernels that [filter] excluded */
	_Atomic uint64_t gaps; /* see session_gap */
	_Atomic uint64_t names_refused; /* names, and texts of marks, that did not fit */
	_Atomic uint64_t texts_refused;
	_Atomic uint64_t stacks_refused; /* stacks that are cut off: there is no room for nodes */
	atomic_bool stacks; /* some API's settings request stacks, and it has a trace */
	pid_t pid;               /* the process that `session` belongs to */
	_Atomic bool ended;      /* session_end is complete: later calls are not recorded */
	bool forked;             /* this process has not executed a program since its parent was
				  * profiled */
	uint32_t first_context;  /* contexts below this are the parent's */
};

extern struct globals globals;

/* Returns the API's source, or NULL if the API is off or none is attached. */
const struct source *state_source(int api);

/* Returns the session of this process, or NULL. */
struct session *session_current(void);

static inline bool stacks_wanted(void)
{
	return __builtin_expect(atomic_load_explicit(&globals.stacks, memory_order_acquire), false);
}

/* With `drain` held: returns true if the ring file keeps running totals for the API with these
 * settings. If it cannot, the trace is whole, also with trace_from_ranges. */
bool state_keeps_totals(struct session *session, const struct settings *settings);

#endif

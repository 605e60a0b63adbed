/* SPDX-License-Identifier: MIT */
#ifndef SESSION_STATE_H
#define SESSION_STATE_H

#include <stdatomic.h>

#include "base/ring.h"
#include "base/worker.h"
#include "model/catalog.h"
#include "model/event.h"
#include "session/join.h"
#include "session/logs.h"
#include "session/session.h"
#include "session/spool.h"

/*
 * What one process keeps while it is profiled; the floor's own, nobody else's. A forked child
 * starts over with a new one. The locks are in session/locks.h.
 */
enum { MAX_RINGS = 4096 };

struct thread_ring {
	struct segment segment;
	uint32_t thread; /* kernel thread id of the owner */
	uint32_t reserved[15];
	struct ring ring;
};

/* A ring that is not empty, and what is at its tail. */
struct ring_head {
	const struct record *record;
	struct ring *ring;
};

enum ring_owner { RING_TAKEN, RING_LEFT };

/* How far the writer has come. */
enum writer_stage {
	WRITER_NEWBORN, /* holds what the C library or a sanitizer locks for that moment */
	WRITER_AT_WORK,
	WRITER_PARKED, /* makes no more rounds */
	WRITER_GONE,
};

enum stopping { STOPPING_NOT, STOPPING_ROUNDS, STOPPING_ALL };

enum leaving { LEAVING_NOT, LEAVING_WANTED, LEAVING_SETTLED };

/* Of the rounds of threads of one kind that moved records: see session/overhead.h. */
struct longest_round {
	struct overhead event; /* the longest since */
	uint64_t told; /* CLOCK_MONOTONIC ns, 0: there was none */
};

struct session {
	struct spool spool;
	struct join join;
	struct logs logs;
	struct thread_ring *_Atomic rings[MAX_RINGS];
	_Atomic uint8_t owner[MAX_RINGS]; /* enum ring_owner */
	_Atomic uint32_t ring_count;
	struct ring_head heads[MAX_RINGS]; /* merge.c's; guarded by drain, as their number */
	uint32_t head_count;
	uint32_t events;     /* in the trace's buffer, a chain through JOIN_ORDER's next */
	uint32_t event_count; /* of them */
	uint8_t *worked;     /* by context id: 1 once it had a record */
	uint32_t names_told; /* names with an id up to this are in the spool */
	uint64_t collected;  /* records ever handed on by a back end */
	uint64_t events_taken; /* and events */
	struct longest_round longest[2]; /* the writer's, and those of the program's threads */
	uint64_t noted;	     /* what the ring file says of logs.lost; guarded by drain */
	_Atomic uint32_t wake; /* the writer sleeps on this */
	_Atomic uint64_t looked; /* CLOCK_MONOTONIC ns of the writer's last round */
	_Atomic int writer_alive;
	_Atomic int writer_stage; /* enum writer_stage */
	_Atomic int stopping; /* enum stopping: what the writer shall do no more */
	_Atomic int leaving; /* enum leaving */
	_Atomic uint64_t signals; /* blocked in the thread that left last */
	struct worker writer;
};

struct globals {
	struct catalog catalog;
	struct settings rules[API_COUNT]; /* see session/rules.h */
	const struct settings *settings[API_COUNT]; /* into rules, NULL where an API is off */
	const struct source *sources[API_COUNT];
	bool marked[API_COUNT]; /* attached by session_attach_marks alone */
	struct session *session; /* NULL before the first record and in a forked child */
	_Atomic uint64_t lost;   /* records that no log ever saw: there may be no session */
	_Atomic uint64_t names_refused; /* names, and texts of marks, that there was no room for */
	_Atomic uint64_t texts_refused;
	pid_t pid;               /* the process that `session` belongs to */
	_Atomic bool ended;      /* session_end is through: what comes now is not recorded */
	bool forked;             /* this process never exec'ed since its parent was profiled */
	uint32_t first_context;  /* contexts below this are the parent's */
};

extern struct globals globals;

/* Makes the session if there is none; called with nothing held. NULL if it cannot be had. */
struct session *session_start(void);

/* The two halves of session_attach. attach_prepare makes `rules` of `settings`: 0, or -1 if they
 * cannot be used; then it says so, and `instead`, what happens now. attach_take puts them into
 * force, with `meta` held; `rules` are the session's then. */
int attach_prepare(struct settings *rules, const struct settings *settings, const char *instead);
void attach_take(enum api api, struct settings *rules, const struct settings *settings,
		 const struct source *source);

/* The writer (writer.c, round.c). writer_round must be called with `drain` held; with `final`
 * everything there is goes out, finished or not. Returns how many records moved. */
void writer_start(struct session *session);
void writer_start_again(struct session *session); /* where there was no thread to be had */

/* With `meta` held, before a fork: waits for a writer that is just coming to life. What the C
 * library or a sanitizer locks for that moment would be locked in the child for ever. */
void writer_await(struct session *session);

/* Its rounds end; it waits to be asked for the last one. */
void writer_park(struct session *session);

/* Has the writer do everything that is left to do, session_finish: the thread that ends the process
 * may have forbidden itself, by a seccomp filter, what that takes. False if there is no writer, or
 * it does not come to its end: then that is left to the caller. Both wait ten seconds at most. */
bool writer_finish(struct session *session);

/* The session of this very process, or NULL; what was launched until now comes out of it, as far as
 * the device gets on. */
struct session *session_there(void);
void session_bring_out(struct session *session);
/* Says that a file system does not answer, and what finishes the log. */
void session_tell_stalled(const struct session *session);

/* With `drain` held: a last round, and the files are closed. For once; more often is nothing. */
void session_finish(struct session *session);
uint64_t writer_round(struct session *session, bool final);
void writer_wake(struct session *session);

/* With `drain` held: everything there is goes out now, and the driver lets go of what still
 * runs. */
void writer_give_up(struct session *session);

/* The same for the logs of one API, which are closed for good. */
void writer_retire(struct session *session, enum api api);

/* With `drain` held: has the back ends hand their records on (collect.c); up to which moment each
 * API's has done so for good, UINT64_MAX where it is none that does. */
uint64_t collect_records(enum collecting how);
void collect_horizons(uint64_t horizons[API_COUNT]);
bool collect_is_waiting(void);

/* CLOCK_MONOTONIC ns: what was launched before has come out of the calls of all threads, and of
 * each API's back end. */
struct marks {
	uint64_t threads;
	uint64_t sources[API_COUNT];
};

/* Must be called before the rings are drained. */
uint64_t marks_threads(const struct session *session);

/* With `drain` held: whether `log` must wait with `record`, since an older one may still come. No
 * more than JOIN_WAITING records wait for a thread. */
bool marks_elders(const struct marks *marks, const struct session *session,
		  const struct log_file *log, const struct record *record);

/* With `drain` held: looks into all rings. From then on merge_first is the record in them that was
 * launched first, or NULL, and merge_consume takes it out. What a ring gets that was found empty is
 * left to the next look; it was launched after the marks that were made before this one. */
void merge_begin(struct session *session);
void merge_consume(struct session *session);

/* The smallest `enter` of what the last merge_begin found and has not been taken out, and of what
 * came behind it since; UINT64_MAX if nothing is left. */
uint64_t merge_left(const struct session *session);

static inline const struct record *merge_first(const struct session *session)
{
	return session->head_count ? session->heads[0].record : NULL;
}

/* With `drain` held: writes an event into the trace's buffer; writes that out,
 * too. */
void events_take(struct session *session, const struct record *slot);
void events_flush(struct session *session);

/* With `drain` held: a record comes into its place among those of its log. */
void round_take_in(struct session *session, const struct record *record);

/* With `meta` held: puts `frames` into the spool if there is one, and frees them; puts everything
 * known so far into a new spool. */
void registry_tell(struct strbuf *frames);
void registry_tell_all(struct session *session);

/* Says how many names and texts there was no room for since this was last called. */
void registry_tell_refused(void);

/* In a forked child: nothing of the parent's is written any more. */
void session_forked(void);

/* So many records of probes are lost, unless recording has ended. Takes no lock. */
void probe_lost(uint64_t count);

/* Has forks of this process keep the locks and the child's session in order. */
void forks_watch(void);

/* Lets the writer, if there is one, bring everything out that was launched until now, and waits as
 * long as it gets on. False if there is none. */
bool writer_settle(struct session *session);

/* A thread's ring is full: make room. False if this thread may not (it holds the lock itself). */
bool writer_help(struct session *session, const struct ring *ring);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * How a record comes from a thread of the program into a log, for spin to try every order of steps:
 * threads, the writer, a fork, a kill at any step, a recovery that is killed as well. Each part
 * names the function of src/ that it stands for.
 *
 * A step is a store or a load that another thread or process can see, also the recovery after a
 * kill. Steps that only the owner of the drain lock can see are part of the step before or after.
 * Memory is sequentially consistent: release and acquire have that effect here, except for `open`,
 * for which there is SLACK. A record is identified by the time at which its call was entered; each
 * time of the clock is used once. A row in a log is two cells, so that a write may tear it.
 *
 * model.test has the sizes, and the -D of each guard that it breaks.
 */
#ifndef THREADS
#define THREADS 2 /* of the parent */
#endif
#ifndef CALLS
#define CALLS 1 /* of each thread */
#endif
#ifndef FORKS
#define FORKS 0 /* 1: one of the threads forks, and the child makes a call */
#endif
#ifndef RING
#define RING 1 /* records in a thread's ring */
#endif
#ifndef PLACES
#define PLACES 2 /* pending records */
#endif

#define FIRST 2 /* of the clock: `open` has meanings for 0 and 1 */
#define KEYS (FIRST + THREADS * CALLS + FORKS)
#define TORN 98
#define NONE 99

/* The ring file: shared memory, which outlives its process (ringfile.h, ring.h, frames.h). */
typedef ringfile {
	byte head[THREADS];
	byte tail[THREADS];
	byte open[THREADS];
	byte data[THREADS * RING];
	byte place[PLACES];
	bool valid[PLACES];  /* frame.size is not 0 */
	byte batch[PLACES];  /* record.batch: the commit that its row is in */
	byte sequence[2];    /* struct log_commit, twice */
	byte size[2];
	byte last[2];
	byte lost;
}

/* The memory of one process; a child starts with a copy (state.h, logs.h, thread.h). */
#define FREE 0
#define PENDING 1 /* in log_file.order */
#define WRITTEN 2 /* in log_file.written */
typedef memory {
	byte session; /* whose ring file and log it uses */
	bool stale;   /* differs from thread_live_session(): a fork wipes that page */
	bool locked;  /* drain */
	bool ended;   /* globals.ended */
	byte state[PLACES];
	byte buffer[KEYS];
	byte buffered;
	byte last;
	byte sequence; /* log_file.sequence */
	byte lost;
	bool crowded; /* make_place was needed */
}

typedef file {
	byte length;
	byte cell[2 * KEYS];
}

ringfile ringfiles[1 + FORKS];
memory memories[1 + FORKS];
file logs[1 + FORKS];
byte clock = FIRST;
bool running[1 + FORKS];
bool alive[1 + FORKS] = true;
bool over[1 + FORKS]; /* its log is finished, by itself or by recovery */

/* The properties are about these: the process of a record, whether it must be in the log, and the
 * numbers of made and dropped records. */
byte maker[KEYS] = NONE;
bool due[KEYS];
byte made[1 + FORKS];

#define M memories[p]
#define S ringfiles[M.session]
#define L logs[M.session]
#define SLOT(t, at) ((t) * RING + (at) % RING)
#define VARIABLES byte i, from, key, mark, place, slot, heads[THREADS]

#ifdef NO_LOCK
#define is_locked false
#else
#define is_locked M.locked
#endif

/* A new session's memory: session_forked, and create (session.c). */
inline forget()
{
	d_step {
		M.session = p;
		M.stale = false;
		M.locked = false;
		M.last = 0;
		M.sequence = 0;
		M.lost = 0;
		M.crowded = false;
		i = 0;
		do
		:: i < PLACES -> M.state[i] = FREE; i++
		:: else -> break
		od;
		i = 0;
		do
		:: M.buffered > 0 -> M.buffered--; M.buffer[M.buffered] = 0
		:: else -> break
		od
	}
}

#include "round.pml"
#include "recovery.pml"

proctype writer() provided (alive[0])
{
	byte p = 0;
	VARIABLES;

	do
	:: atomic { !is_locked && !M.ended -> M.locked = true; watermark_begin() };
		writer_round(false);
		M.locked = false
	:: M.ended -> break
	od
}

/* drop (probe.c), session_lost. */
inline drop()
{
	d_step {
		if
		:: !M.ended ->
			made[p]++;
			M.lost++;
#ifndef LOST_LATE
			S.lost++
#endif
		:: else
		fi
	}
}

/* probe_begin, open_window: the clock is read when the window is open already. */
inline probe_begin()
{
#ifndef LATE_OPEN
	S.open[t] = 1;
#endif
	d_step { enter = clock; clock++; maker[enter] = p };
	S.open[t] = enter
}

#define has_room (S.head[t] - S.tail[t] < RING)

/* ring_commit: from now on the record must be in the log, unless the end has begun. */
inline ring_commit()
{
	d_step {
		S.head[t]++;
		due[enter] = !M.ended;
		made[p] = made[p] + due[enter]
	}
}

/* probe_record, probe_commit; reserve, writer_make_room, ring_reserve. */
inline probe_record()
{
	do
	:: atomic { has_room ->
#ifdef HEAD_FIRST
			ring_commit() };
		S.data[SLOT(t, S.head[t] - 1)] = enter;
#else
			S.data[SLOT(t, S.head[t])] = TORN };
		S.data[SLOT(t, S.head[t])] = enter;
		ring_commit();
#endif
		break
	:: atomic { !has_room && !is_locked && !M.ended -> M.locked = true; watermark_begin() };
		writer_round(false);
		M.locked = false
	:: atomic { !has_room && (M.locked || M.ended) -> drop() } -> /* out of patience */
		break
	od
}

inline probe_end()
{
	assert(M.session == p); /* the watermark is its parent's */
	S.open[t] = 0
}

/* The final round of session_end. Records committed after `ended` need not be in the log. */
inline session_end()
{
	atomic { !is_locked -> M.locked = true; M.ended = true; watermark_begin() };
	writer_round(true);
	atomic {
		over[p] = true; /* ringfile_unlink */
		M.locked = false
	}
}

#if FORKS
/* Any kind of fork: the locks of fork handlers (forks.c) only exclude some moments. */
inline fork(inside)
{
	if
	:: atomic { !running[1] ->
		running[1] = true;
		d_step {
			memories[1].stale = true;
			i = 0;
			do
			:: i < PLACES -> memories[1].state[i] = M.state[i]; i++
			:: else -> break
			od;
			i = 0;
			do
			:: i < KEYS -> memories[1].buffer[i] = M.buffer[i]; i++
			:: else -> break
			od;
			i = 0;
			memories[1].buffered = M.buffered;
			memories[1].last = M.last;
			memories[1].sequence = M.sequence
		};
		run child(t, inside, enter) }
	:: true
	fi
}

/* A child, in its only thread. `inside`: it returns from a call that began before the fork. */
proctype child(byte t; bool inside; byte enter) provided (alive[1])
{
	byte p = 1;
	VARIABLES;

#ifdef NO_CHECK_RECORD
	if
	:: inside -> probe_record()
	:: else
	fi;
#endif
#ifdef NO_CHECK_END
	if
	:: inside -> probe_end()
	:: else
	fi;
#endif
	if
	:: true ->
#ifndef NO_CHECK_BEGIN
		forget(); /* thread_enter: session_forked, create */
		t = 0;
#endif
		probe_begin();
		probe_record();
		probe_end()
	:: true
	fi;
	if
#ifndef NO_CHECK_EXIT
	:: atomic { M.stale -> over[p] = true } /* session_at_end: of another process */
	:: !M.stale ->
#else
	:: true ->
#endif
		session_end()
	fi
}
#else
#define fork(inside) skip
#endif

proctype thread(byte t) provided (alive[0])
{
	byte p = 0, enter, calls = CALLS;
	VARIABLES;

	do
	:: atomic { calls && !M.ended -> calls-- };
		fork(false);
		probe_begin();
		fork(true); /* in the driver's own call */
		probe_record();
		probe_end()
	:: !calls || M.ended -> break
	od
}

/* The end of the program, which does not wait for its threads. */
proctype ender() provided (alive[0])
{
	byte p = 0;
	VARIABLES;

	session_end()
}

/* No process waits without end. */
#define finished(p) if :: over[p] :: timeout -> assert(over[p]) fi

init
{
	byte i, p, from, key;
	bool seen[KEYS];

	atomic {
		running[0] = true;
		run writer();
		run thread(0);
#if THREADS > 1
		run thread(1);
#endif
		run killer();
		run ender()
	}
	finished(0);
#if FORKS
	if
	:: running[1] -> finished(1); p = 1; M.session = 1; check()
	:: else
	fi;
	p = 0;
#endif
	check()
}

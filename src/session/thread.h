/* SPDX-License-Identifier: MIT */
#ifndef SESSION_THREAD_H
#define SESSION_THREAD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct probe;
struct session;
struct thread_ring;

/* A thread's own records, and those of a signal handler that comes while it fills one in, and of
 * one that comes while that does. */
enum { THREAD_RINGS = 3 };

/* How a thread was to be cancelled before it took a lock. */
struct thread_manners {
	int cancel_state;
	int cancel_type;
};

/* What each thread of the program keeps: its rings, and where it stands. */
struct thread {
	struct session *session; /* the one that `rings` belong to */
	struct thread_ring *rings[THREAD_RINGS]; /* NULL while there is none */
	uint64_t correlations[THREAD_RINGS];	 /* the high bits of all records of the ring */
	const struct probe *innermost;
	int filling;   /* records between probe_record and probe_commit: 0, or those of handlers */
	int inherited; /* of a forked child: those of its parent, which it does not commit */
	bool draining; /* has the drain lock */
	struct thread_manners drain_manners;
	bool registering; /* has the meta lock */
	struct thread_manners meta_manners;
	sigset_t meta_signals; /* that were blocked before */
	bool fork_locked; /* took the drain lock for a fork */
};

struct thread *thread_self(void);

/* The session of this very process, NULL in a child that was forked by any means. */
struct session *thread_live_session(void);

/* Makes `session` the live one (NULL: none). */
void thread_set_live(struct session *session);

/* 0, or -1 without memory: once per process, before anything else here. */
int thread_prepare(void);

/* Gives the calling thread a ring, and the process a session if it has none. On failure
 * self->rings[0] is NULL and stays so until the next call. */
void thread_enter(struct thread *self);
/* The ring for a record that is made while `level` others are filled in, or NULL. */
struct thread_ring *thread_ring_at(struct thread *self, int level);

/* The thread is not cancelled from here to thread_be_cancelled. */
void thread_hold_out(struct thread_manners *manners);
void thread_be_cancelled(const struct thread_manners *manners);

#endif

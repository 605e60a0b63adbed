/* SPDX-License-Identifier: MIT */
#ifndef SESSION_THREAD_H
#define SESSION_THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct probe;
struct session;
struct thread_ring;

/* What each thread of the program keeps: its ring, and where it stands. */
struct thread {
	struct session *session;  /* the one that `ring` belongs to */
	struct thread_ring *ring; /* NULL while there is none */
	uint64_t correlation;	  /* of this ring: the high bits of all its records */
	const struct probe *innermost;
	bool filling;  /* between probe_record and probe_commit */
	bool draining; /* holds the drain lock */
	int cancel_state; /* to go back to when it lets go of it */
	bool registering; /* holds the meta lock */
	int meta_cancel_state;
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
 * self->ring is NULL and stays so until the next call. */
void thread_enter(struct thread *self);

#endif

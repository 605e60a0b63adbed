/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LOCKS_H
#define SESSION_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ring.h"

/*
 * The session's two locks, taken in this order:
 *   drain  whoever takes records out: the writer thread, or a thread of the program
 *   meta   the catalog and the list of rings
 * A thread that has one is not cancelled. Both are made anew in a forked child.
 *
 * The drain lock is held for a whole round, and taken again at once by the writer and by threads
 * that help it as long as there are records. Who takes it with drain_lock is on the way out, forks
 * or waits for an answer, and goes before these.
 */

/* False if this thread has it already, or cannot get it within ten seconds, or in one in which its
 * owner waits for a driver in vain. */
bool drain_lock(void);
void drain_unlock(void);

/* Whether somebody waits in drain_lock: who has it shall hand it over soon. */
bool drain_is_wanted(void);

/* The writer's own way to it: waits without a bound. */
void drain_enter(void);
void drain_leave(void);

/* For a thread whose `ring` is full: waits no longer than until half of it is free. */
bool drain_lock_for_room(const struct ring *ring);

/* For a thread that will not return to the program: takes the lock away from an owner who waits for
 * a driver in vain. Never given back. */
bool drain_lock_for_good(void);

/* The calling thread has the lock and keeps it: the process ends. */
void drain_keep(void);

/* Around each call of a source, with the lock held. drain_answered does not return if the lock's
 * rights were taken away meanwhile. */
void drain_ask(void);
void drain_ask_long(void); /* for what a driver may take a few seconds to answer */
void drain_answered(void);

void meta_lock(void);
void meta_unlock(void);

/* In a forked child. */
void locks_forked(void);

/* How long to wait for another thread. */
struct patience {
	uint64_t begin;	  /* CLOCK_MONOTONIC ns */
	uint64_t answers; /* how often drivers had answered when it was last looked at, */
	uint64_t since;	  /* and since when they have not, */
	unsigned looks;	  /* and how often that was seen */
};

struct patience patience_begin(void);

/* After ten seconds. */
bool patience_is_over(const struct patience *patience);

/* No driver has answered for as long as it may take, which is a second where nobody said that it
 * takes long; the other: and somebody waits for one. */
bool patience_is_stalled(struct patience *patience);
bool patience_is_stuck(struct patience *patience);

#endif

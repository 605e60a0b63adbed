/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LOCKS_H
#define SESSION_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ring.h"

/*
 * The session's two locks, taken in this order:
 *   drain  taken to remove records: by the writer, or by a thread of the program
 *   meta   the catalog and the list of rings
 * A thread that has one is not cancelled. Both are reinitialized in a forked child.
 *
 * The writer, and threads that help it, hold the drain lock for a whole round and take it again at
 * once while there are records. A thread that calls drain_lock exits, forks or waits for an answer,
 * and has priority over these.
 */

/* Returns false if this thread already has it, if ten seconds pass, or if its owner's call of a
 * driver is stalled for one second. */
bool drain_lock(void);
void drain_unlock(void);

/* Returns true if a thread waits in drain_lock: the owner must release it soon. */
bool drain_is_wanted(void);

/* For the writer: waits without a limit. */
void drain_enter(void);
void drain_leave(void);

/* For a thread whose `ring` is full: waits until it has the lock or half of the ring is free.
 * Returns whether it has the lock. It waits as long as the owner takes records out of rings or
 * calls a driver that answers, and for ten seconds otherwise. */
bool drain_lock_for_room(const struct ring *ring);

/* With the lock held: a record has been taken out of a ring, or has been written. */
void drain_moved_record(void);

/* For a thread that does not return to the program: revokes the lock of an owner whose call of a
 * driver is stalled. It is never released. */
bool drain_revoke(void);

/* The calling thread has the lock and keeps it: the process ends. */
void drain_keep(void);

/* Called around each call of a source with the lock held. drain_call_end does not return if the
 * lock was revoked meanwhile. */
void drain_call_begin(void);
void drain_call_begin_long(void); /* for a call that may take a few seconds */
void drain_call_end(void);

void meta_lock(void);
void meta_unlock(void);

/* Called in a forked child. */
void locks_forked(void);

/* A wait for another thread, with its limits. One is checked by patience_is_idle, or by
 * patience_is_stalled and patience_is_stuck. */
struct patience {
	uint64_t begin;	   /* CLOCK_MONOTONIC ns */
	uint64_t progress; /* what is counted, at the last check, */
	uint64_t since;	   /* time of the last change of it, */
	unsigned looks;	   /* number of checks since then */
};

struct patience patience_begin(void);

/* Returns true after ten seconds. */
bool patience_is_over(const struct patience *patience);

/* Returns true if for ten seconds no driver call has returned, and no record was moved. */
bool patience_is_idle(struct patience *patience);

/* patience_is_stalled returns true if no driver call has returned within its limit, one second
 * unless a longer one was announced. patience_is_stuck returns true if, in addition, a driver call
 * is in progress. */
bool patience_is_stalled(struct patience *patience);
bool patience_is_stuck(struct patience *patience);

#endif

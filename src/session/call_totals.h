/* SPDX-License-Identifier: MIT */
#ifndef SESSION_CALL_TOTALS_H
#define SESSION_CALL_TOTALS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "model/api.h"
#include "model/event.h"

struct session;

/*
 * The running totals of the program's calls. A call that no trace needs is added in its own thread
 * to a table in the ring file (session/totals_table.h), whose number is that of the thread's ring,
 * and makes no event. A table stays with its ring: a later thread that gets the ring continues it.
 */

/* With `meta` held: the settings of the API have changed. */
void call_totals_attach(enum api api);

/* Returns true if the calls of the API are added to tables now. */
extern _Atomic bool call_totals_on[API_COUNT];
static inline bool call_totals_are_on(unsigned int api)
{
	return atomic_load_explicit(&call_totals_on[api], memory_order_acquire);
}

/*
 * Adds a call by the program, with the members enter, leave, result, name and api. Returns false if
 * nothing was added and the caller has to make an event: calls of the API are in a trace or not in
 * the totals, the ring file has no memory for the row, or the caller is a signal handler that has
 * interrupted this function. No lock is taken and nothing is allocated, except at the first call of
 * a function in a thread. errno is kept.
 */
bool call_totals_add(const struct call *call);

/* Called in a forked child: an addition that its thread has begun in the parent, and that a signal
 * handler interrupted to fork, does not change the parent's table. */
void call_totals_forked(void);

/* With `drain` held, after the last round: the number of calls in the totals of all threads, and in
 * those of the writer. */
uint64_t call_totals_count(const struct session *session);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_OVERHEAD_H
#define SESSION_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "model/catalog.h"
#include "model/event.h"

/*
 * The overhead of profiling, as events of the trace (struct overhead). They are recorded if an
 * API's calls are recorded, for the first such API. `begun` is the result of overhead_begin.
 *
 * Each is an interval of CLOCK_MONOTONIC, but not all are recorded: of the rounds that take records
 * out of the rings, the longest in each fifth of a second.
 */
struct session;

/* Sets whether this API's calls are recorded. */
void overhead_attach(enum api api, bool api_calls);

/* Returns the time; 0 if overheads are not recorded, which disables the other calls. */
uint64_t overhead_begin(void);

/* Returns this thread's kernel id if it has records, else 0. Makes no system call. */
uint64_t overhead_thread(void);

/* Records an overhead until now on `thread`; 0: of no thread of the program. Any thread may call it
 * with any locks; the next round writes it. */
void overhead_note(enum overhead_kind kind, uint64_t thread, uint64_t begun, uint64_t count);

/* With `drain` held: records a round made by `thread` (0: the writer) that moved `moved` records; a
 * last one (`final`) is written at once. */
void overhead_round(struct session *session, uint64_t thread, uint64_t begun, uint64_t moved,
		    bool final);

/* With `drain` held: writes the recorded overheads to the trace's buffer. */
void overhead_take(void);

/* Called in a forked child: drops the parent's entries. */
void overhead_forked(void);

#endif

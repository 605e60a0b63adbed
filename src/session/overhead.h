/* SPDX-License-Identifier: MIT */
#ifndef SESSION_OVERHEAD_H
#define SESSION_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "model/catalog.h"
#include "model/event.h"

/*
 * What profiling takes from the program, as events of the trace (struct overhead): only where some
 * API's calls are recorded, and of the first such API. `begun` is what overhead_begin gave.
 *
 * Each is a true interval of CLOCK_MONOTONIC, but not all are told: of the rounds that take records
 * out of the rings, the longest of each fifth of a second.
 */
struct session;

/* Whether this API's calls are recorded. */
void overhead_attach(enum api api, bool api_calls);

/* Now; 0 where overheads are not recorded, and then nothing comes of it. */
uint64_t overhead_begin(void);

/* This thread's kernel id where it has records, else 0. Enters no kernel. */
uint64_t overhead_thread(void);

/* It lasted until now, and stopped this thread, or, with 0, nobody but the process. On any thread,
 * with any locks or none; the next round writes it. */
void overhead_note(enum overhead_kind kind, uint64_t thread, uint64_t begun, uint64_t count);

/* With `drain` held: a round that this thread made (0: the writer) and that moved so many records;
 * in a last one (`final`) nothing is held back. */
void overhead_round(struct session *session, uint64_t thread, uint64_t begun, uint64_t moved,
		    bool final);

/* With `drain` held: what was noted goes into the trace's buffer. */
void overhead_take(void);

/* In a forked child: what was noted is the parent's. */
void overhead_forked(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_PFLOG_CALLS_H
#define SESSION_PFLOG_CALLS_H

#include "base/map.h"
#include "model/catalog.h"
#include "output/pflog.h"
#include "session/memory_in_use.h"

/*
 * The calls of the metrics logs: counts them, and makes the lines of timeline.log in the order of
 * their starts. Used under the drain lock.
 */
struct pflog_entry;
struct pflog_copy;

struct pflog_calls {
	const struct metrics_settings *settings;
	const struct catalog *catalog;
	struct pflog_counts counts;
	struct memory_in_use memory;
	uint64_t peak; /* most bytes in use */
	struct map rows; /* by name: enum pflog_row + 1 */
	bool initialized; /* the first call that counts as cuInit has come */
	struct pflog_entry *entries, *sorted; /* calls that wait for earlier ones; mapped lazily */
	uint32_t entry_count;
	struct pflog_copy *copies; /* whose calls may still come */
	struct strbuf *lines; /* of timeline.log, that are not in the file yet */
	uint64_t missing; /* lines for which there was no room */
	bool changed; /* the counts, since the caller has set it to false */
};

/* The struct is zeroed, except for settings, catalog, counts.pid and lines. Returns 0, or -1
 * without memory. */
int pflog_calls_prepare(struct pflog_calls *calls);

/* A copy, before the event of the call that has made it; a call, and an allocation. */
void pflog_calls_note_copy(struct pflog_calls *calls, const struct record *record);
void pflog_calls_take(struct pflog_calls *calls, const struct call *call);
void pflog_calls_take_allocation(struct pflog_calls *calls, const struct allocation *event);

/* Counts the calls that were entered before the horizon of their API (CLOCK_MONOTONIC ns, by enum
 * api), and makes their lines; all of them for NULL. */
void pflog_calls_count(struct pflog_calls *calls, const uint64_t *horizons);

#endif

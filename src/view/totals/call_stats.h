/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_CALL_STATS_H
#define VIEW_TOTALS_CALL_STATS_H

#include "view/totals/activity.h"

/*
 * The totals of the program's calls. Memory grows with the functions and their error codes, not
 * with the calls.
 */
struct failure {
	uint64_t count;
	uint32_t name; /* of the function */
	int32_t code;
};

struct call_stats {
	struct activities functions; /* set its settings first */
	uint64_t count;
	uint64_t failed;
	uint64_t total;	      /* sum of the calls' times in ns */
	uint64_t first, last; /* enter of the first, leave of the last; CLOCK_MONOTONIC ns */
	struct map failures;
	struct strbuf list; /* of pointers to them */
};

/* Returns -1 without memory. */
int call_stats_add(struct call_stats *called, const struct call *call);

/* Adds a row of TOTALS_FUNCTION or TOTALS_FAILURE. Returns -1 without memory. */
int call_stats_add_row(struct call_stats *called, const struct catalog *catalog,
		       const struct totals_row *row);

/* Returns the most frequent failure; NULL if none failed. */
const struct failure *call_stats_worst(const struct call_stats *called);
void call_stats_free(struct call_stats *called);

#endif

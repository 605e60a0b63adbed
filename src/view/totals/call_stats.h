/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_CALL_STATS_H
#define VIEW_TOTALS_CALL_STATS_H

#include "view/totals/activity.h"

/*
 * What the program's own calls add up to. Takes memory for each function and for each error code
 * of a function, none for a call.
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
	uint64_t total;	      /* nanoseconds in all of them */
	uint64_t first, last; /* the first was entered, the last left; CLOCK_MONOTONIC ns */
	struct map failures;
	struct strbuf list; /* of pointers to them */
};

/* -1 when memory ran out. */
int call_stats_add(struct call_stats *called, const struct call *call);

/* The failure that there was most often; NULL: none failed. */
const struct failure *call_stats_worst(const struct call_stats *called);
void call_stats_free(struct call_stats *called);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_BUSY_H
#define BASE_BUSY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/*
 * Sums up the time in which at least one interval was active, in constant memory. Intervals may
 * come in any order, but those of a trace come roughly in the order of their ends. When there are
 * too many, the oldest are summed up. A later one that starts before them is assumed to fill as
 * many gaps there as possible, so the idle time is never too long.
 */
enum { BUSY_INTERVALS = 1024 };

struct busy {
	struct span intervals[BUSY_INTERVALS]; /* apart from each other, ascending */
	unsigned count;
	uint64_t ran;	 /* busy time, of the intervals and before `horizon` */
	uint64_t gaps;	 /* idle time before it */
	uint64_t horizon;
	uint64_t first, last; /* of all times */
	bool any;	      /* there are some */
};

/* A zeroed struct is empty. `from` <= `to`. */
void busy_add(struct busy *busy, uint64_t from, uint64_t to);

/* Adds a sum of intervals, `busy` ns between `from` and `to`, to an empty struct or to sums. */
void busy_add_sum(struct busy *sums, uint64_t from, uint64_t to, uint64_t busy);

/* Returns true if nothing was added. */
bool busy_is_empty(const struct busy *busy);

uint64_t busy_span(const struct busy *busy); /* from the first start to the last end */
uint64_t busy_idle(const struct busy *busy); /* a lower bound of the time in which nothing ran */
uint64_t busy_time(const struct busy *busy); /* the rest of the span */

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_BUSY_H
#define VIEW_TOTALS_BUSY_H

#include <stdint.h>

#include "base/span.h"

/*
 * For how long something ran, whatever ran at the same time, in constant memory. Intervals may come
 * in any order, but those of a trace come roughly in the order of their ends: the oldest are summed
 * up when there are too many. What comes later and reaches back behind them is taken to have filled
 * all gaps there that it can: the idle time is never told too long.
 */
enum { BUSY_INTERVALS = 1024 };

struct busy {
	struct span intervals[BUSY_INTERVALS]; /* apart from each other, ascending */
	unsigned count;
	uint64_t summed; /* busy time before `horizon` */
	uint64_t gaps;	 /* idle time before it */
	uint64_t horizon;
	uint64_t first, last; /* of all times */
};

/* All zeros is an empty one. `from` <= `to`. */
void busy_add(struct busy *busy, uint64_t from, uint64_t to);

uint64_t busy_span(const struct busy *busy); /* from the first start to the last end */
uint64_t busy_idle(const struct busy *busy); /* of which nothing ran for at least so long */

#endif

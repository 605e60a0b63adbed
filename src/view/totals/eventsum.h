/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_EVENTSUM_H
#define VIEW_TOTALS_EVENTSUM_H

#include "view/stream/recent_map.h"
#include "view/totals/activity.h"
#include "view/totals/busy.h"
#include "view/totals/memory_usage.h"

/*
 * What the events that are no calls add up to. Takes memory for each distinct text, and for
 * EVENTSUM_RANGES ranges that are open at once; of more the oldest are not counted. What memory is
 * in use at once is told as well as view/totals/memory_usage.h can.
 */
enum { EVENTSUM_RANGES = 1 << 16 };

struct eventsum {
	struct activities ranges; /* by their text, of all domains; set its settings first */
	struct recent_map starts;	  /* without an end so far, and the other way round */
	struct recent_map ends;
	uint64_t unfinished;	  /* ranges without an end */
	uint64_t marks;		  /* at one moment */
	uint64_t allocations;
	uint64_t allocated; /* bytes, of all of them */
	struct memory_usage inuse;
	uint64_t peak; /* bytes at once, as far as eventsum_end has been called */
	uint64_t waits;
	uint64_t waiting; /* nanoseconds of the host */
	uint64_t overheads;   /* that were the profiler's, not the driver's own */
	struct busy overhead; /* when there was one at least */
};

/* An event that is no call; -1 when memory ran out. */
int eventsum_add(struct eventsum *sum, const struct frame *event);

/* There are no more of them. */
void eventsum_end(struct eventsum *sum);

/* Behind eventsum_end: how many of the allocations were never released, and how many bytes they
 * are. What was released and is not among them was there before. */
uint64_t eventsum_left(const struct eventsum *sum, uint64_t *bytes);

/* Nanoseconds at which one overhead at least was on. */
uint64_t eventsum_overhead(const struct eventsum *sum);

void eventsum_free(struct eventsum *sum);

#endif

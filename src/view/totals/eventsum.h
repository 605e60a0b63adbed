/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_EVENTSUM_H
#define VIEW_TOTALS_EVENTSUM_H

#include "view/totals/activity.h"
#include "view/totals/busy.h"
#include "view/totals/memory_usage.h"

/*
 * What the events that are no calls add up to. Takes memory for each distinct text, and what
 * view/stream/ordered.h and view/totals/memory_usage.h say for any number of ranges and
 * allocations, if there are some.
 */
struct eventsum {
	struct activities ranges; /* by their text, of all domains; set its settings first */
	struct ordered *pairs;	  /* of starts and ends of ranges; NULL: none came */
	uint64_t unfinished;	  /* behind eventsum_end: ranges without an end */
	uint64_t marks;		  /* at one moment */
	uint64_t allocations;
	uint64_t allocated; /* bytes, of all of them */
	struct memory_usage *inuse; /* NULL: none came */
	uint64_t peak; /* behind eventsum_end: bytes at once */
	uint64_t waits;
	uint64_t waiting; /* nanoseconds of the host */
	uint64_t overheads;   /* that were the profiler's, not the driver's own */
	struct busy overhead; /* when there was one at least */
};

/* An event that is no call. 0, or -1 with one sentence in `error`. */
int eventsum_add(struct eventsum *sum, const struct frame *event, struct strbuf *error);

/* There are no more of them. The same. */
int eventsum_end(struct eventsum *sum, struct strbuf *error);

/* Behind eventsum_end: how many of the allocations were never released, and how many bytes they
 * are. What was released and is not among them was there before. */
uint64_t eventsum_left(const struct eventsum *sum, uint64_t *bytes);

/* Nanoseconds at which one overhead at least was on. */
uint64_t eventsum_overhead(const struct eventsum *sum);

void eventsum_free(struct eventsum *sum);

#endif

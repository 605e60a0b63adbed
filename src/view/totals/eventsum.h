/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_EVENTSUM_H
#define VIEW_TOTALS_EVENTSUM_H

#include "view/totals/activity.h"
#include "view/totals/busy.h"
#include "view/totals/memory_usage.h"

/*
 * The totals of events other than calls. Takes memory per distinct text, and that of
 * view/stream/ordered.h and view/totals/memory_usage.h if there are ranges and allocations.
 */
struct eventsum {
	struct activities ranges; /* by their text, of all domains; set its settings first */
	struct ordered *pairs;	  /* of starts and ends of ranges; NULL: none so far */
	uint64_t unfinished;	  /* after eventsum_end: ranges without an end */
	uint64_t marks;		  /* moments */
	uint64_t allocations;
	uint64_t allocated; /* bytes, of all of them */
	struct memory_usage *usage; /* NULL: none so far */
	uint64_t peak; /* after eventsum_end: maximum bytes in use */
	uint64_t waits;
	uint64_t waiting; /* nanoseconds of the host */
	uint64_t overheads;   /* caused by the profiler, not by the driver itself */
	struct busy overhead; /* times with at least one overhead */
};

/* Adds an event other than a call. Returns 0, or -1 with one sentence in `error`. */
int eventsum_add(struct eventsum *sum, const struct frame *event, struct strbuf *error);

/* Ends the input. Return values as above. */
int eventsum_end(struct eventsum *sum, struct strbuf *error);

/* After eventsum_end: the number of allocations that were not released, and their bytes. Releases
 * of earlier allocations do not count. */
uint64_t eventsum_left(const struct eventsum *sum, uint64_t *bytes);

/* Nanoseconds in which at least one overhead was active. */
uint64_t eventsum_overhead(const struct eventsum *sum);

void eventsum_free(struct eventsum *sum);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_EVENT_TOTALS_H
#define VIEW_TOTALS_EVENT_TOTALS_H

#include "view/totals/activity.h"
#include "base/busy.h"
#include "view/totals/memory_usage.h"

/*
 * The totals of events other than calls. Takes memory per distinct text, and that of
 * view/stream/ordered.h and view/totals/memory_usage.h if there are ranges and allocations.
 */
struct event_totals {
	struct activities ranges; /* by their text, of all domains; set its settings first */
	struct ordered *pairs;	  /* of starts and ends of ranges; NULL: none so far */
	uint64_t unfinished;	  /* after event_totals_end: ranges without an end */
	uint64_t marks;		  /* moments */
	uint64_t allocations;
	uint64_t allocated; /* bytes, of all of them */
	struct memory_usage *usage; /* NULL: none so far */
	uint64_t peak; /* after event_totals_end: maximum bytes in use */
	uint64_t waits;
	uint64_t waiting; /* nanoseconds of the host */
	uint64_t overheads;   /* caused by the profiler, not by the driver itself */
	struct busy overhead; /* times with at least one overhead */
	uint64_t overhead_sum; /* and ns of running totals */
	uint64_t left;	 /* of running totals: allocations that were not released, */
	uint64_t in_use; /* and their bytes */
};

/* Adds an event other than a call. Returns 0, or -1 with one sentence in `error`. */
int event_totals_add(struct event_totals *sum, const struct frame *event, struct strbuf *error);

/* Adds the row of a process. Ranges are not in it. */
void event_totals_add_row(struct event_totals *sum, const struct totals_process *row);

/* Ends the input. Return values as above. */
int event_totals_end(struct event_totals *sum, struct strbuf *error);

/* After event_totals_end: the number of allocations that were not released, and their bytes.
 * Releases of earlier allocations do not count. */
uint64_t event_totals_left(const struct event_totals *sum, uint64_t *bytes);

/* Nanoseconds in which at least one overhead was active. */
uint64_t event_totals_overhead(const struct event_totals *sum);

void event_totals_free(struct event_totals *sum);

#endif

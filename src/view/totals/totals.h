/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_TOTALS_H
#define VIEW_TOTALS_TOTALS_H

#include "view/format/name_filter.h"
#include "view/stream/stream.h"
#include "view/totals/activity.h"
#include "base/busy.h"
#include "view/totals/call_stats.h"
#include "view/totals/event_totals.h"

/*
 * One reading of a stream: the selection of records, and all totals for the tables except the
 * single records. Memory grows with the distinct names, not with the records.
 */
enum missing {
	MISSING_UNFINISHED = TOTALS_UNFINISHED,
	MISSING_FAILED = TOTALS_FAILED,
	MISSING_BAD = TOTALS_BAD_TIMES,
	MISSING_UNKNOWN = TOTALS_UNKNOWN,
	MISSING_COUNT = TOTALS_MISSING
};

struct totals {
	bool demangled;		 /* set these first; the pattern may match the demangled name */
	const char *kernels;	 /* a regular expression, or NULL */
	const uint32_t *devices; /* their numbers, of either API; none: all */
	unsigned device_count;
	bool no_starts; /* records have no start: `busy` stays empty */
	bool has_gaps; /* as stream_has_gaps at the end: the time in which nothing ran is unknown */
	bool gaps_unknown; /* not known: the file does not have it */

	struct activities activities; /* with its settings */
	struct call_stats call_stats;     /* with its settings; of all calls, selected or not */
	struct event_totals events;	      /* likewise */
	struct name_filter filter;
	bool *wanted; /* per name: whether it matches */
	bool *asked;
	uint32_t names;
	struct busy busy;
	uint64_t seen;			 /* records in the stream */
	uint64_t records;		 /* selected records */
	uint64_t missing[MISSING_COUNT]; /* selected records without times, by reason */
	struct histogram kernels_time;	 /* of all kernels */
	struct histogram copies_size;	 /* of all copies */
	uint64_t copy_time;
	uint64_t pageable_time; /* of copies from or to pageable memory */
	uint64_t pageable_count;
	uint64_t waited_time; /* on the host, in calls that returned after their copy's end */
	uint64_t waited_count;
	uint64_t kernel_count;
	uint64_t transfer_count; /* copies and fills */
	bool has_records; /* a record or event was added; then rows of running totals are not, */
	bool has_rows;	  /* and the other way round */
	uint64_t ranges;  /* of rows: NVTX's ranges, whose times are not in the rows */
	uint64_t unnamed; /* of rows: kernels and functions without a row of their own */
	uint64_t in_process; /* of rows: records of the process, see totals_unplaced */
};

/* Returns -1 with one sentence in `error` if the expression is invalid or too expensive. */
int totals_open(struct totals *totals, struct strbuf *error);
void totals_close(struct totals *totals);

/* Returns 1 if the record is selected, 0 if not; -1 without memory. */
int totals_wants(struct totals *totals, const struct catalog *catalog, const struct record *record);

/*
 * Returns 1 if the record is selected, after adding it; 0 if not; -1 without memory, with one
 * sentence in `error`.
 */
int totals_add(struct totals *totals, const struct catalog *catalog, const struct record *record,
	       struct strbuf *error);

/* Add a call, or any event. Return 0, or -1 with one sentence in `error`. */
int totals_add_call(struct totals *totals, const struct call *call, struct strbuf *error);
int totals_add_event(struct totals *totals, const struct frame *event, struct strbuf *error);

/* Adds a row of running totals, which stands for the records and events of a process. It is left
 * out if the input has these themselves. Return values as above. */
int totals_add_row(struct totals *totals, const struct catalog *catalog, const struct frame *row,
		   struct strbuf *error);

/* Ends the input. Return values as above. */
int totals_end(struct totals *totals, struct strbuf *error);

/* Returns the number of records that are in no row of running totals, for lack of memory. */
uint64_t totals_unplaced(const struct totals *totals);

/* Returns the number of selected records without times. */
uint64_t totals_untimed(const struct totals *totals);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_TOTALS_H
#define VIEW_TOTALS_TOTALS_H

#include <regex.h>

#include "view/stream/stream.h"
#include "view/totals/activity.h"
#include "view/totals/busy.h"
#include "view/totals/call_stats.h"
#include "view/totals/eventsum.h"

/*
 * One reading of a stream: what is wanted of it, and all that tables say about it but the single
 * records. Takes memory for each distinct name, none for a record.
 */
enum missing { MISSING_UNFINISHED, MISSING_FAILED, MISSING_BAD, MISSING_UNKNOWN, MISSING_COUNT };

struct totals {
	bool demangled;		 /* set these first; names may match demangled, too */
	const char *kernels;	 /* a regular expression, or NULL */
	const uint32_t *devices; /* their numbers, of either API; none: all */
	unsigned device_count;
	bool no_starts; /* nobody knows when the records ran: `busy` stays empty */

	struct activities activities; /* its settings, too */
	struct call_stats called;     /* its settings, too; of all calls, whatever is wanted */
	struct eventsum events;	      /* the same */
	regex_t pattern;
	bool *wanted; /* of each name: whether it matches */
	bool *asked;
	uint32_t names;
	struct busy busy;
	uint64_t seen;			 /* records in the stream */
	uint64_t records;		 /* those that are wanted */
	uint64_t missing[MISSING_COUNT]; /* times */
	struct histogram kernels_time;	 /* of all kernels */
	struct histogram copies_size;	 /* of all copies */
	uint64_t copy_time;
	uint64_t pageable_time; /* of copies from or to pageable memory */
	uint64_t pageable_count;
	uint64_t waited_time; /* on the host, in calls that returned after their copy's end */
	uint64_t waited_count;
	uint64_t kernel_count;
	uint64_t transfer_count; /* copies and fills */
};

/* -1 with one sentence in `error` if the expression is none or may take forever. */
int totals_open(struct totals *survey, struct strbuf *error);
void totals_close(struct totals *survey);

/* 1 if the record is wanted, 0 if not; -1 when memory ran out. */
int totals_wants(struct totals *survey, const struct catalog *catalog, const struct record *record);

/*
 * 1 if the record is wanted, and then it is counted in; 0 if not; -1 when memory ran out, with one
 * sentence in `error`.
 */
int totals_add(struct totals *survey, const struct catalog *catalog, const struct record *record,
	       struct strbuf *error);

/* Each counts in a call, or any event; 0, or -1 with one sentence in `error`. */
int totals_add_call(struct totals *survey, const struct call *call, struct strbuf *error);
int totals_add_event(struct totals *survey, const struct frame *event, struct strbuf *error);

/* There are no more of them. The same. */
int totals_end(struct totals *survey, struct strbuf *error);

/* Records that are wanted and have no times. */
uint64_t totals_untimed(const struct totals *survey);

#endif

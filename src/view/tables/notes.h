/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_NOTES_H
#define VIEW_TABLES_NOTES_H

#include "view/format/label.h"
#include "view/totals/totals.h"

/*
 * The notes: hints from the totals how the program may be made faster. Each note has a number that
 * was measured and a next step. It is put only if its condition holds. The limits of these:
 */
enum {
	NOTES_IDLE_PERCENT = 20,     /* of the time nothing ran on a device */
	NOTES_SHORT_KERNEL = 10000,  /* nanoseconds; a launch takes 2 to 10 microseconds */
	NOTES_SHORT_KERNELS = 100,   /* the least number for a note */
	NOTES_SMALL_COPY = 64 << 10, /* bytes; below, the fixed cost of a copy dominates */
	NOTES_SMALL_COPIES = 100,
	NOTES_COPY_PERCENT = 10,      /* of the device's time */
	NOTES_PAGEABLE_PERCENT = 50,  /* of the time of all copies */
	NOTES_HOT_PERCENT = 20,	      /* of the device's time */
	NOTES_OCCUPANCY_PERCENT = 50, /* below, too few threads may hide latencies */
	NOTES_FAILED_CALLS = 10,      /* the least number for a note */
	NOTES_CALLS_PERCENT = 10, /* of the time from the first to the last call */
	NOTES_BUILD_PERCENT = 20, /* of the time of all calls: building programs */
	NOTES_WAIT_PERCENT = 50,  /* of the time of all calls: waiting for the device */
	NOTES_LEFT = 10,	  /* allocations that were not released */
	NOTES_MOST = 5,		  /* lines */
};

/* Appends "Notes:" and at most NOTES_MOST lines, each with `prefix`; nothing without a hint. Sorts
 * the activities of the totals. */
void notes_put(struct strbuf *to, struct totals *totals, struct label *shown, const char *prefix);

/* Call instead of notes_put if records are missing, since partial totals may mislead. */
void notes_put_none(struct strbuf *to, const char *prefix);

#endif

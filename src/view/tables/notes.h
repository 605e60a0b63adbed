/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_NOTES_H
#define VIEW_TABLES_NOTES_H

#include "view/format/label.h"
#include "view/totals/totals.h"

/*
 * What the sums tell of a program that could be faster: each finding with its number and with what
 * to do next, and only where its condition holds. These are the limits; they say "look here", not
 * "this is wrong".
 */
enum {
	NOTES_IDLE_PERCENT = 20,     /* of the time nothing ran: the host is what takes the time */
	NOTES_SHORT_KERNEL = 10000,  /* nanoseconds; to launch one takes 2 to 10 microseconds */
	NOTES_SHORT_KERNELS = 100,   /* so many before it is worth a word */
	NOTES_SMALL_COPY = 64 << 10, /* bytes; below, the fixed cost of a copy is most of it */
	NOTES_SMALL_COPIES = 100,
	NOTES_COPY_PERCENT = 10,      /* of the device's time: copies matter */
	NOTES_PAGEABLE_PERCENT = 50,  /* of the copies' time */
	NOTES_HOT_PERCENT = 20,	      /* of the device's time: a kernel matters */
	NOTES_OCCUPANCY_PERCENT = 50, /* below, too few threads may be there to hide waiting */
	NOTES_FAILED_CALLS = 10,      /* so many before they are worth a word */
	NOTES_CALLS_PERCENT = 10, /* of the time from the first to the last of them: they matter */
	NOTES_BUILD_PERCENT = 20, /* of the calls' time, building programs */
	NOTES_WAIT_PERCENT = 50,  /* of the calls' time, waiting for the device */
	NOTES_LEFT = 10,	  /* allocations that were never released */
	NOTES_MOST = 5,		  /* lines */
};

/* At most NOTES_MOST lines, each with `prefix` in front, below a line "Notes:"; nothing if there is
 * nothing to say. The survey's activities are sorted afterwards. */
void notes_put(struct strbuf *to, struct totals *survey, struct label *shown, const char *prefix);

/* In their place where something is missing: sums of a part tell nothing of the whole. */
void notes_put_none(struct strbuf *to, const char *prefix);

#endif

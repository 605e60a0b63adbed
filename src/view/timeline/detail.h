/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_DETAIL_H
#define VIEW_TIMELINE_DETAIL_H

#include "view/timeline/timeline.h"

/* The values of an event besides its name and times, for viewers that list them. */
enum detail_type {
	DETAIL_NUMBER,
	DETAIL_SIGNED, /* one number, an int64_t as it is in 64 bits */
	DETAIL_VECTOR, /* three numbers */
	DETAIL_REAL,   /* always finite */
	DETAIL_TEXT,   /* not escaped */
	DETAIL_TIME,   /* nanoseconds since the epoch */
};

struct detail {
	const char *name;
	enum detail_type type;
	uint64_t number[3]; /* only the first, except for VECTOR */
	double real;
	const char *text;
	size_t length;
};

enum { DETAILS = 22 /* maximum */ };

/* Returns their number; they are valid as long as the event. */
unsigned details_of(const struct timeline_event *event, struct detail details[DETAILS]);

/* Returns the counters of the event's record, or NULL: they belong to commands. */
const struct counter_set *details_counters(const struct timeline *timeline,
					   const struct timeline_event *event);

#endif

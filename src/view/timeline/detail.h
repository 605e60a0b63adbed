/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_DETAIL_H
#define VIEW_TIMELINE_DETAIL_H

#include "view/timeline/timeline.h"

/* What is said of an event besides its name and its times, for viewers that show such things one
 * below the other. */
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
	uint64_t number[3]; /* but for VECTOR only the first */
	double real;
	const char *text;
	size_t length;
};

enum { DETAILS = 22 /* the most */ };

/* How many there are; they are valid as long as the event. */
unsigned details_of(const struct timeline_event *event, struct detail details[DETAILS]);

/* The counters whose values the event's record has, or NULL: they belong to commands. */
const struct counter_set *details_counters(const struct timeline *timeline,
					   const struct timeline_event *event);

#endif

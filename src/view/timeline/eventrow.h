/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_EVENTROW_H
#define VIEW_TIMELINE_EVENTROW_H

#include "base/names.h"
#include "model/field.h"
#include "view/timeline/track.h"

/* The kinds of events in timelines: the rows of model/events.def. */
enum { EVENT_DETAILS = 6 /* maximum */ };

struct event_row {
	const char *label; /* NULL: timelines do not show the kind */
	enum track_role role;
	enum field_id thread; /* the thread of its track */
	enum field_id name;   /* name of a single event */
	enum field_id details[EVENT_DETAILS]; /* up to FIELD_NONE */
};

/* Indexed by the kind of the frame; all zero for kinds that are not events. */
extern const struct event_row event_rows[FRAME_KINDS];

/* Returns the name of the event: its text, or the word for its kind. */
const char *event_name(const struct frame *frame, const struct names *names, size_t *length);

#endif

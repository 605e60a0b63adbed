/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_EVENTROW_H
#define VIEW_TIMELINE_EVENTROW_H

#include "base/names.h"
#include "model/field.h"
#include "view/timeline/track.h"

/* How timelines show a kind of event: the rows of model/events.def. */
enum { EVENT_DETAILS = 6 /* the most */ };

struct event_row {
	const char *label; /* NULL: there is no event of this kind in timelines */
	enum track_role role;
	enum field_id thread; /* whose track it is on */
	enum field_id name;   /* what a single event is called */
	enum field_id details[EVENT_DETAILS]; /* up to FIELD_NONE */
};

/* By the kind of the frame; all zero for kinds that are no events. */
extern const struct event_row event_rows[FRAME_KINDS];

/* What the event is called: the text of its name, or the word for its kind. */
const char *event_name(const struct frame *frame, const struct names *names, size_t *length);

#endif

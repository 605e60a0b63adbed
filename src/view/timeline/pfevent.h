/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_PFEVENT_H
#define VIEW_TIMELINE_PFEVENT_H

#include "base/names.h"
#include "view/timeline/timeline.h"

/* The events of a Perfetto trace (view/timeline/pftrace.c). */

/* timeline->own: texts that events speak of by their number, which stand in the file once. */
struct pfevents {
	struct names *events;
	struct names *annotations; /* what they are called */
	struct names *strings;	   /* what they say */
	uint64_t last;		   /* the latest end of an event */
};

void pfevent_open(struct timeline *timeline);
void pfevent_free(struct timeline *timeline);
void pfevent_put(struct timeline *timeline, const struct timeline_event *event);

/* Says on a track that the stream lacks something. */
void pfevent_lost(struct timeline *timeline, uint64_t track, const struct stream *stream);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_PFEVENT_H
#define VIEW_TIMELINE_PFEVENT_H

#include "base/names.h"
#include "view/timeline/timeline.h"

/* The events of a Perfetto trace (view/timeline/pftrace.c). */

/* timeline->own: interned texts, written once and referred to by number. */
struct pfevents {
	struct names *events;
	struct names *annotations; /* names of annotations */
	struct names *strings;	   /* values of annotations */
	uint64_t last;		   /* the latest end of an event */
};

void pfevent_open(struct timeline *timeline);
void pfevent_free(struct timeline *timeline);
void pfevent_put(struct timeline *timeline, const struct timeline_event *event);

/* Marks a track with a message about losses of the stream. */
void pfevent_lost(struct timeline *timeline, uint64_t track, const struct stream *stream);

#endif

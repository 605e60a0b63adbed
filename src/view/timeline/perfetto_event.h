/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_PERFETTO_EVENT_H
#define VIEW_TIMELINE_PERFETTO_EVENT_H

#include "base/names.h"
#include "view/timeline/perfetto_stacks.h"
#include "view/timeline/timeline.h"

/* The events of a Perfetto trace (view/timeline/perfetto.c). */

/* timeline->own: interned texts, written once and referred to by number. */
struct perfetto_events {
	struct names *events;
	struct names *annotations; /* names of annotations */
	struct names *strings;	   /* values of annotations */
	struct perfetto_stacks stacks;
	uint64_t last;		   /* the latest end of an event */
};

void perfetto_event_open(struct timeline *timeline);
void perfetto_event_free(struct timeline *timeline);
void perfetto_event_put(struct timeline *timeline, const struct timeline_event *event);
void perfetto_event_put_sample(struct timeline *timeline, const struct sample *sample);

/* Marks a track with a message about losses of the stream. */
void perfetto_event_lost(struct timeline *timeline, uint64_t track, const struct stream *stream);

#endif

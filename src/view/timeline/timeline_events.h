/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TIMELINE_EVENTS_H
#define VIEW_TIMELINE_TIMELINE_EVENTS_H

#include "view/timeline/timeline.h"

/* Events other than calls in timelines: marks, waits and overheads, and the memory in use. */

/* Returns 0, or -1 with one sentence in `error`; without one if the file cannot be written, as
 * sink_flow. */
int timeline_events_take(struct timeline *timeline, const struct frame *frame,
			 struct strbuf *error);

/* Shows the ranges with distant ends or without end, and the memory in use. Return values as
 * above. */
int timeline_events_end(struct timeline *timeline, struct strbuf *error);

void timeline_events_close(struct timeline *timeline);

#endif

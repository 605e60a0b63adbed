/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TIMELINEOTHER_H
#define VIEW_TIMELINE_TIMELINEOTHER_H

#include "view/timeline/timeline.h"

/* Events other than calls in timelines: marks, waits and overheads, and the memory in use. */

/* Returns 0, or -1 with one sentence in `error`; without one if the file cannot be written, as
 * sink_flow. */
int timelineother_take(struct timeline *timeline, const struct frame *frame, struct strbuf *error);

/* Shows the ranges with distant ends or without end, and the memory in use. Return values as
 * above. */
int timelineother_end(struct timeline *timeline, struct strbuf *error);

void timelineother_close(struct timeline *timeline);

#endif

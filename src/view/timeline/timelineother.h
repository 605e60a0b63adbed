/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TIMELINEOTHER_H
#define VIEW_TIMELINE_TIMELINEOTHER_H

#include "view/timeline/timeline.h"

/* What a timeline shows of events that are no calls: marks, waits and overheads, and
 * the memory that is in use. */

/* 0, or -1 with one sentence in `error`; none where the file cannot be written, as sink_flow. */
int timelineother_take(struct timeline *timeline, const struct frame *frame, struct strbuf *error);

/* The ranges whose ends were not near, or that have none, and the memory in use. The same. */
int timelineother_end(struct timeline *timeline, struct strbuf *error);

void timelineother_close(struct timeline *timeline);

#endif

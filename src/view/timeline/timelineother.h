/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TIMELINEOTHER_H
#define VIEW_TIMELINE_TIMELINEOTHER_H

#include "view/timeline/timeline.h"

/* What a timeline shows of events that are no calls: marks, waits and overheads, and
 * the memory that is in use. */

/* 0, or -1 without memory; timelineother_close is for a zeroed timeline, too. */
int timelineother_open(struct timeline *timeline);
void timelineother_close(struct timeline *timeline);

void timelineother_take(struct timeline *timeline, const struct frame *frame);

/* The ranges that have no end, and the last allocations. 0, or -1 if the file cannot be written. */
int timelineother_end(struct timeline *timeline);

#endif

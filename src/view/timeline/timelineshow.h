/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TIMELINESHOW_H
#define VIEW_TIMELINE_TIMELINESHOW_H

#include "view/timeline/timeline.h"

/* The single events of a timeline: each finds itself a line, tells of it where it is new, and goes
 * to the format. */

/* A file may claim anything. What is not within 146 years of the machine's start is no time: sums
 * and differences of others fit into the signed numbers that viewers have. */
bool timelineshow_may_be(uint64_t start, uint64_t end);

/* A device's time as CLOCK_MONOTONIC nanoseconds, those of the host's calls. */
uint64_t timelineshow_moment(const struct timeline *timeline, uint64_t epoch);

/* Whether the record says when its call was, and when the device ran its command. */
bool timelineshow_has_call(const struct record *record);
bool timelineshow_has_times(const struct timeline *timeline, const struct record *record);

/* A mark, wait or overhead, from `start` to `end` (CLOCK_MONOTONIC ns). */
void timelineshow_other(struct timeline *timeline, struct timeline_event *event, uint64_t start,
			uint64_t end);
void timelineshow_memory(struct timeline *timeline, const struct memory_usage_sample *sample);

/* Each returns where its arrows begin or end. The call as its record tells of it: */
struct timeline_end timelineshow_call(struct timeline *timeline, const struct record *record,
				      bool has_times);
/* The call that the trace has itself, with so many of timeline->flows: */
struct timeline_end timelineshow_own(struct timeline *timeline, const struct call *call,
				     uint32_t flows);
struct timeline_end timelineshow_command(struct timeline *timeline, const struct record *record,
					 bool is_called);

/* A record of which nothing is known but its place among the others of its queue. */
void timelineshow_mark(struct timeline *timeline, const struct record *record);

#endif

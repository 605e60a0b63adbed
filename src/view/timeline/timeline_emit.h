/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TIMELINE_EMIT_H
#define VIEW_TIMELINE_TIMELINE_EMIT_H

#include "view/timeline/timeline.h"

/* The single events of a timeline: each function selects a track, announces a new one, and passes
 * the event to the format. */

/* A file may have any number. Only times within 146 years of the machine's start are valid, so sums
 * and differences fit into the signed numbers of viewers. */
bool timeline_emit_may_be(uint64_t start, uint64_t end);

/* Converts a device's time to CLOCK_MONOTONIC nanoseconds, as of the host's calls. */
uint64_t timeline_emit_moment(const struct timeline *timeline, uint64_t epoch);

/* Return true if the record has the times of its call; those of its command on the device. */
bool timeline_emit_has_call(const struct record *record);
bool timeline_emit_has_times(const struct timeline *timeline, const struct record *record);

/* A mark, wait or overhead, from `start` to `end` (CLOCK_MONOTONIC ns). */
void timeline_emit_other(struct timeline *timeline, struct timeline_event *event, uint64_t start,
			 uint64_t end);
void timeline_emit_memory(struct timeline *timeline, const struct memory_usage_sample *sample);

/* Each returns the place where its arrows start or end. The call, from its record: */
struct timeline_end timeline_emit_call(struct timeline *timeline, const struct record *record,
				       bool has_times);
/* A call of the trace, with this number of timeline->flows: */
struct timeline_end timeline_emit_own(struct timeline *timeline, const struct call *call,
				      uint32_t flows);
struct timeline_end timeline_emit_command(struct timeline *timeline, const struct record *record);

/* A record of which only the place among the others of its queue is known. */
void timeline_emit_mark(struct timeline *timeline, const struct record *record);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_LANE_H
#define VIEW_TIMELINE_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/*
 * One line of a timeline, on which events do not overlap, in any order of arrival. Its busy time is
 * stored as a limited number of spans. When there are too many, the two that are furthest from the
 * newest are merged, and the gap between them counts as busy. So a late event may get another line
 * although this one has room; it never overlaps another event.
 */
enum { LANE_SPANS = 32 };

struct lane {
	uint32_t number; /* of its track */
	uint32_t next;	 /* 1 + index of the owner's next lane, 0: none */
	uint32_t count;	 /* of spans, in the order of time */
	struct span spans[LANE_SPANS]; /* none is empty */
};

/*
 * Returns true and adds the event from `start` to `end` (not before it) if it fits. One that ends
 * where another begins must come before it: viewers with separate begin and end events order equal
 * times by their position in the file. An event of no length may be anywhere but inside another
 * one.
 */
bool lane_take(struct lane *lane, uint64_t start, uint64_t end);

/*
 * As lane_take, for a line on which events nest; inner ones come first. Of two that begin at the
 * same time viewers take the first one as the outer one, so the second is refused. An unfinished
 * event that begins inside a finished one is refused, too, since others of its kind may have the
 * same end.
 */
bool lane_nest(struct lane *lane, uint64_t start, uint64_t end, bool is_open);

#endif

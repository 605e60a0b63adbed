/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_LANE_H
#define VIEW_TIMELINE_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/*
 * One line of a timeline, on which no two events overlap, whatever order they come in. What it has
 * on it is kept as spans of time that are busy. There are only so many of them: when there is one
 * too many, the two at the far end from the newest become one, and what is between them counts as
 * busy, too. So an event that comes long after its neighbours in time may be sent to another line
 * although there is room for it; it is never put where there is none.
 */
enum { LANE_SPANS = 32 };

struct lane {
	uint32_t number; /* of the track that it is */
	uint32_t next;	 /* 1 + index of the owner's next lane, 0: none */
	uint32_t count;	 /* of spans, in the order of time */
	struct span spans[LANE_SPANS]; /* none is empty */
};

/*
 * Whether an event from `start` to `end` (not before it) can be here; if so, it is from now on. One
 * that ends where another begins has to come before it, since viewers that get beginnings and ends
 * apart take those of one moment in the order of the file. An event of no length may be anywhere
 * but inside another one.
 */
bool lane_take(struct lane *lane, uint64_t start, uint64_t end);

/*
 * The same for a line on which events may be inside others, whose insides come first. Of two that
 * begin at one moment viewers would take the one that came first as the outer one: the second
 * cannot be here. Nor can one that has no end of its own and begins inside of one that has; it is
 * not taken, since more of its kind may have the same end.
 */
bool lane_nest(struct lane *lane, uint64_t start, uint64_t end, bool is_open);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_UNTRACED_H
#define SESSION_UNTRACED_H

#include "session/logs.h"

/*
 * Records and events that could not be written to the trace. Each is counted in the ring file at
 * once, one at a time: a commit has the new number and the correlation of the one that it counts,
 * which gets FRAME_UNTRACED after that. So after a kill recovery knows of each record that still is
 * in the ring file whether it is counted.
 */

/* frame.flags of records and events in rings and pending places, never in other files */
enum { FRAME_UNTRACED = 1 << 14 };

/* Counts a record in its pending place, or an event in its slot of the ring. */
void untraced_note(struct logs *logs, const struct frame *frame);

/* Marks one that is counted. */
static inline void untraced_mark(const struct logs *logs, const struct frame *frame)
{
	struct frame *place = (struct frame *)(uintptr_t)frame; /* writers may not change more */

	if (!logs->keep_existing)
		__atomic_store_n(&place->flags, place->flags | FRAME_UNTRACED, __ATOMIC_RELEASE);
}

/* Counts those that are in the trace's buffer, which begins with a header or not, and could not be
 * written. */
void untraced_note_buffer(struct logs *logs, bool header);

/* Returns the last commit of a ring file; all numbers are 0 if there is none. */
const struct trace_commit *untraced_commit(const struct ringfile_header *header);

/* Returns true if the commit has counted the record or event of the ring file. */
static inline bool untraced_has(const struct trace_commit *commit, const struct frame *frame)
{
	return frame->flags & FRAME_UNTRACED ||
	       (commit->sequence && frame->correlation == commit->correlation);
}

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RESUME_H
#define SESSION_RESUME_H

#include "session/logs.h"

/*
 * Going on in the files that a dead process left, if they are still what it left: another run may
 * have begun them anew. What cannot be gone on with stays untouched and closed.
 */
struct traced {
	uint64_t *correlations; /* of what the trace has, sorted, malloc'ed */
	uint64_t count;
};

/* Opens the log that the frame speaks of, cut back to its last whole committed row. The frame's
 * path must lie in the frame. */
void resume_log(struct logs *logs, const struct log_frame *frame);

/* Opens the trace, cut back to its last whole frame; `traced` becomes what it has. */
void resume_trace(struct logs *logs, const struct trace_frame *frame, struct traced *traced);

bool resume_has(const struct traced *traced, uint64_t correlation);

#endif

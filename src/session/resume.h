/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RESUME_H
#define SESSION_RESUME_H

#include "session/owntail.h"

/*
 * Continues the files of a dead process, if they are unchanged: another run may have started them
 * again. Other files are closed unchanged.
 */
struct traced {
	uint64_t *correlations; /* of the trace's records and calls, sorted, malloc'ed */
	uint64_t count;
	uint64_t known; /* records in the trace, and those that it counts as not written */
};

/* Opens the log of the frame, cut to its last committed row. The frame's path must be within the
 * frame. If others have added lines to the log, it is not continued, and its rows are in
 * records->kept. */
void resume_log(struct logs *logs, const struct log_frame *frame, struct resume_records *records);

/* Opens the trace, cut to its last whole frame, and fills `traced`. */
void resume_trace(struct logs *logs, const struct trace_frame *frame, struct traced *traced);

bool resume_has(const struct traced *traced, uint64_t correlation);

#endif

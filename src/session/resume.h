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
};

/* Returns the frame as a LOG frame; NULL if it is another one or its path is not within it. */
const struct log_frame *resume_log_frame(const struct frame *frame);

/* `owners` maps the hash of a path to its last LOG frame. Only that frame describes the file, since
 * an earlier recovery may have started the file again. Returns 0, or -1 without memory. */
int resume_set_owner(struct map *owners, const struct log_frame *frame);
bool resume_is_owner(const struct map *owners, const struct log_frame *frame);

/* Opens the log of the frame, cut to its last committed row. The frame's path must be within the
 * frame. If others have added lines to the log, it is not continued, and its rows are in
 * records->kept. */
void resume_log(struct logs *logs, const struct log_frame *frame, struct resume_records *records);

/* Opens the trace, cut to its last whole frame, and fills `traced`. */
void resume_trace(struct logs *logs, const struct trace_frame *frame, struct traced *traced);

bool resume_has(const struct traced *traced, uint64_t correlation);

#endif

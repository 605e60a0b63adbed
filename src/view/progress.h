/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PROGRESS_H
#define VIEW_PROGRESS_H

#include "view/stream/stream.h"

/* Prints the progress of a stream on stderr if that is a terminal: a line that is updated after the
 * first second and erased at the end. */
struct progress {
	uint64_t next; /* time of the next update, CLOCK_MONOTONIC ns */
	bool shown;
};

void progress_begin(struct progress *progress, struct stream *stream);
void progress_end(struct progress *progress, struct stream *stream);

#endif

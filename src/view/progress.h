/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PROGRESS_H
#define VIEW_PROGRESS_H

#include "view/stream/stream.h"

/* How far the stream is, on stderr if that is a terminal: a line that is written over and over,
 * once it has taken a second, and is gone in the end. */
struct progress {
	uint64_t next; /* when to write it, CLOCK_MONOTONIC ns */
	bool shown;
};

void progress_begin(struct progress *progress, struct stream *stream);
void progress_end(struct progress *progress, struct stream *stream);

#endif

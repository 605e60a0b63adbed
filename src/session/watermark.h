/* SPDX-License-Identifier: MIT */
#ifndef SESSION_WATERMARK_H
#define SESSION_WATERMARK_H

#include "session/state.h"

/* CLOCK_MONOTONIC ns: records launched earlier have left the calls of all threads, and each API's
 * back end. */
struct watermarks {
	uint64_t threads;
	uint64_t sources[API_COUNT];
};

/* Must be called before the rings are drained. */
uint64_t watermark_threads(const struct session *session);

/* With `drain` held: returns true if `log` must keep `record` waiting, since an older one may still
 * come. At most PENDING_ENDED_MOST records wait for a thread. */
bool watermark_blocks(const struct watermarks *marks, const struct session *session,
		  const struct log_file *log, const struct record *record);

#endif

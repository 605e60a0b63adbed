/* SPDX-License-Identifier: MIT */
#ifndef SESSION_WATERMARK_H
#define SESSION_WATERMARK_H

#include "session/state.h"

/* CLOCK_MONOTONIC ns: what was launched before has come out of the calls of all threads, and of
 * each API's back end. */
struct watermarks {
	uint64_t threads;
	uint64_t sources[API_COUNT];
};

/* Must be called before the rings are drained. */
uint64_t watermark_threads(const struct session *session);

/* With `drain` held: whether `log` must wait with `record`, since an older one may still come. No
 * more than JOIN_WAITING records wait for a thread. */
bool watermark_blocks(const struct watermarks *marks, const struct session *session,
		  const struct log_file *log, const struct record *record);

#endif

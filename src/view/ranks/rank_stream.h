/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_STREAM_H
#define VIEW_RANKS_RANK_STREAM_H

#include "view/ranks/rank_sums.h"
#include "view/stream/stream.h"

/* Adds a stream as one process. Returns 0; 1 with one sentence in `error` if lines of a log are
 * left out, which count as lost; or -1 with one sentence and a part of the stream added, so the
 * caller reads each file into sums of its own. */
int rank_stream_read(struct rank_sums *sums, struct stream *stream, const char *path,
		     struct strbuf *error);

#endif

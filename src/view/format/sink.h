/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_SINK_H
#define VIEW_FORMAT_SINK_H

#include "base/strbuf.h"

/* A file that is written from its beginning to its end, as it is or gzipped, in pieces. */
struct sink_gzip;

struct sink {
	struct strbuf text; /* what is written next: append to it, then call sink_flow */
	const char *path;
	int fd;
	int error;		/* errno of what went wrong, 0 */
	struct sink_gzip *gzip; /* NULL: as it is */
};

/* The file is there and empty; `path` stays the caller's. 0, or -1 with one sentence in `error`:
 * this computeprof may have been built without zlib. */
int sink_open(struct sink *sink, const char *path, bool gzipped, struct strbuf *error);

/* Writes when there is enough to write. -1 once something went wrong: sink_close says what. */
int sink_flow(struct sink *sink);

/* Writes the rest. 0, or -1 with one sentence in `error`, unless there is one already. */
int sink_close(struct sink *sink, struct strbuf *error);

#endif

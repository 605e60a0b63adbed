/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_SINK_H
#define VIEW_FORMAT_SINK_H

#include "base/strbuf.h"

/* A file that is written sequentially, plain or gzipped, in pieces. */
struct sink_gzip;

struct sink {
	struct strbuf text; /* bytes to be written: append to it, then call sink_flow */
	const char *path;
	int fd;			/* -1 without a path */
	int error;		/* errno of the first error, 0 */
	struct sink_gzip *gzip; /* NULL: not compressed */
};

/* Opens an existing empty file; the caller owns `path`. NULL: nothing will be appended. Returns 0,
 * or -1 with one sentence in `error`, also if the tool was built without zlib. */
int sink_open(struct sink *sink, const char *path, bool gzipped, struct strbuf *error);

/* Writes if enough bytes are buffered. Returns -1 after an error; sink_close describes it. */
int sink_flow(struct sink *sink);

/* Writes the rest. Returns 0, or -1 with one sentence in `error`, unless it has one already. */
int sink_close(struct sink *sink, struct strbuf *error);

#endif

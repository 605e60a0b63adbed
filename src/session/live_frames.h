/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LIVE_FRAMES_H
#define SESSION_LIVE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/catalog.h"

/* A segment of frames in the ring file of a process that may run. It is read without a mapping. */
struct live_frames {
	int fd;
	uint64_t at; /* of the segment in the file, */
	uint64_t size; /* and its bytes */
	struct catalog *catalog; /* gets the frames */
	struct strbuf *logs;	 /* gets the patterns of the names of logs, each with a NUL */
	struct strbuf *buffer;	 /* for reading */
};

/* Reads the frames after the first *applied bytes, and adds theirs. A segment with an invalid frame
 * is read up to it, and not again: then *applied is UINT64_MAX. Returns -1 without memory. */
int live_frames_read(const struct live_frames *frames, uint64_t *applied);

/* Returns false if the file has not all of these bytes. */
bool live_frames_pread(int fd, void *to, uint64_t size, uint64_t at);

#endif

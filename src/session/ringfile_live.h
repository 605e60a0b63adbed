/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_LIVE_H
#define SESSION_RINGFILE_LIVE_H

#include "base/strbuf.h"
#include "session/ringfile.h"

/*
 * The ring file of a process that may run, for readers. It is read with pread only: it is not
 * locked, mapped or changed, so its process and a recovery do not notice, and if it gets shorter,
 * less is read and no signal comes. After its removal it can still be read.
 */
struct ringfile_live {
	int fd;
	struct ringfile_header header; /* as it was last read */
	uint64_t end;		       /* of the segments that were returned */
};

struct ringfile_live_segment {
	uint64_t at; /* offset in the file */
	uint64_t size;
	uint32_t kind;
	uint64_t applied; /* SEGMENT_FRAMES: bytes of frames that were read; UINT64_MAX: damaged */
};

struct frame;
struct stat;

/* Returns 0, or -1 with one sentence in `reason`. Files of other users, copies, and files of
 * another boot are refused. */
int ringfile_live_open(struct ringfile_live *ring, const char *path, struct strbuf *reason);
void ringfile_live_close(struct ringfile_live *ring);

/* Returns true if `status` is that of this file. */
bool ringfile_live_is_file(const struct ringfile_live *ring, const struct stat *status);

/* Returns true if the process runs, and is the same program. What is read after a false is
 * complete. Reads the header. */
bool ringfile_live_is_alive(struct ringfile_live *ring);

/* Reads exactly `size` bytes; false if the file ends before. */
bool ringfile_live_read(const struct ringfile_live *ring, void *to, uint64_t size, uint64_t at);

/* Returns the next segment; false if there is none yet. */
bool ringfile_live_next(struct ringfile_live *ring, struct ringfile_live_segment *segment);

/* Calls `take` with each frame that was added to the segment since the last call; -1 from it marks
 * the segment as damaged, as an invalid size does. `buffer` is for reading. Returns -1 without
 * memory. */
int ringfile_live_frames(const struct ringfile_live *ring, struct ringfile_live_segment *segment,
			 struct strbuf *buffer,
			 int (*take)(void *argument, const struct frame *frame), void *argument);

/* Appends the paths of the ring files that process `pid` has mapped, each followed by NUL. */
void ringfile_live_find(uint32_t pid, struct strbuf *paths);

#endif

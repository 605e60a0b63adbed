/* SPDX-License-Identifier: MIT */
#ifndef SESSION_EVENTFILE_H
#define SESSION_EVENTFILE_H

#include "base/filesocket.h"
#include "base/filethread.h"
#include "base/strbuf.h"
#include "session/linefile.h"

/*
 * The FIFO, socket or file that takes an event stream, which the file thread opens and writes
 * without waiting for a reader. A regular file is locked: another process that finds it locked, and
 * a forked child, put their process id into its name. So does a process that finds a file that is
 * neither empty nor an event stream; with computeprof -f it empties the file.
 */
enum eventfile_kind {
	EVENTFILE_CLOSED,
	EVENTFILE_REGULAR,
	EVENTFILE_PIPE, /* a FIFO or a character device */
	EVENTFILE_STREAM,
	EVENTFILE_PACKETS, /* a socket with a packet for each line */
};

enum { EVENTFILE_PATH = 4096 };

/* A write. Between eventfile_write and its return of true only the file thread may use it. */
struct eventfile_job {
	struct file_job job;
	uint32_t pid;
	bool tagged;		   /* a regular file's name has the process id from the start */
	char path[EVENTFILE_PATH]; /* absolute */
	struct strbuf hello;	   /* the first line, for each reader */
	struct strbuf text;	   /* whole lines; the first `done` bytes need no write */
	size_t done;
	/* results */
	int error;	  /* errno, 0: all is written. EAGAIN: the reader is slow */
	uint64_t dropped; /* lines before `done` that the reader has not got as a whole */
	bool opened;	  /* it is open, or was once */
	bool renamed;	  /* another process writes `path`, or it is no event stream */
	/* the file thread's */
	enum eventfile_kind kind;
	enum eventfile_kind last; /* when it was open */
	struct linefile file;
	char used[EVENTFILE_PATH]; /* the path that is open */
	size_t greeted;		   /* bytes of `hello` that the reader has */
};

/* Returns false while a file system does not respond: call again with the same contents. If the job
 * is not in progress then (filethread_is_sent), lines may be added before. */
bool eventfile_write(struct eventfile_job *write);

/* Returns true if the error, of a stream that was never open, may be gone later. */
bool eventfile_may_open_later(int error);

#endif

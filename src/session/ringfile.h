/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_H
#define SESSION_RINGFILE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/boot_id.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "model/frames.h"
#include "session/identity.h"
#include "settings/settings.h"

/*
 * The file that outlives a killed process: the rings, the pending records and the frames that they
 * refer to. It is mapped shared, so committed data is in the page cache even if the process is
 * killed. It grows by segments. A segment is mapped when it is added and never moves. Disk space is
 * allocated before it is mapped, so a full disk cannot raise SIGBUS. If no file can be made, or if
 * it cannot grow, the memory is anonymous, its records cannot be recovered, and a message says so.
 *
 * The lock on the file, and the process id with its start time, both show that the owner runs.
 * Segments and frames may be added by several threads at once.
 */
enum { RINGFILE_VERSION = 10, RINGFILE_PAGE = 4096, RINGFILE_SEGMENT = 1 << 18 };

enum segment_kind {
	SEGMENT_RING = 1,
	SEGMENT_PENDING = 2,
	SEGMENT_FRAMES = 3,
	SEGMENT_TOTALS = 4,
	SEGMENT_FILLER = 5, /* up to the next page of the system */
};

#define RINGFILE_MAGIC "CPSPOOL"

enum { RINGFILE_KEEPER = 1024 };

struct ringfile_header {
	char magic[8];
	uint32_t version;
	uint32_t byte_order; /* 0x01020304 in the writer's byte order */
	uint32_t pid;
	uint32_t record_size;
	uint64_t process_start; /* as in /proc/PID/stat, 0 if unknown */
	uint64_t lost;		/* records that are in no log and not in the trace */
	uint64_t end;   /* bytes of whole segments in the file, header included */
	uint64_t file_device; /* st_dev and st_ino of this file, which differ in a copy */
	uint64_t file_inode;
	uint8_t boot[BOOT_ID]; /* boot id at creation */
	uint32_t owner; /* effective user id */
	uint32_t finished; /* 1: the process has ended cleanly, and nothing is left to write */
	uint64_t file_born; /* identity_file_created: inode numbers are reused, this is not */
	uint64_t lost_logs; /* other records, whose rows could not be written to a log */
	uint32_t executing; /* its owner executes, or has executed, another program */
	uint32_t locked; /* 1: the lock ends with the owner's memory, so it detects an exec */
	uint32_t totals_off; /* 1: running totals were requested, but cannot be kept */
	uint32_t in_memory; /* 1: the file could not grow, so records may be in memory only */
	char keeper[RINGFILE_KEEPER]; /* the list (session/manifest.h) of the tool that runs the
				       * process, with a NUL; "": none */
	uint64_t gaps; /* as in struct lost_frame */
	uint64_t user_namespace; /* identity_user_namespace: others have other numbers of users */
	uint64_t traced; /* records and events that were written to the trace, as far as known */
	struct trace_commit untraced[2]; /* see session/untraced.h */
	uint64_t lost_calls;		 /* calls that could not be written to an API log */
};

/* Returns how many records are missing in at least one log, as far as the process has counted them.
 */
static inline uint64_t ringfile_lost(const struct ringfile_header *header)
{
	return header->lost + header->lost_logs;
}

struct segment {
	uint32_t magic; /* SEGMENT_MAGIC, written last */
	uint32_t kind;
	uint64_t size; /* of the whole segment, a multiple of RINGFILE_PAGE */
	uint64_t used; /* SEGMENT_FRAMES: bytes of whole frames after this header */
	uint64_t stride; /* SEGMENT_PENDING: size of each place after this header */
	uint64_t reserved[4];
};

enum { SEGMENT_MAGIC = 0x47455343 };

struct ringfile {
	struct ringfile_header *header;
	struct segment *frames; /* the segment that frames go to, or NULL */
	char path[4096];        /* "" while the memory is anonymous */
	struct file file; /* may be closed or reused by the program, as any descriptor */
	struct file thread_file; /* the descriptor in a table of the file thread's own */
	bool by_thread; /* the file thread grows the file, see ringfile_storage_move */
	void *lock; /* a page of the file whose mapping holds the lock, see ringfile_storage.c */
	bool followed; /* a ring file of the program before an exec exists */
	bool frames_lost; /* frames, with names, are in memory only: the file had no room */
	bool resumed;  /* in recovery, which removes the segments that it added */
	bool anonymous; /* no file could be made */
	bool unseen;	/* the tool that started the process does not find the file, or there is
			   none although there should be one */
	int error;	/* errno of that; 0: no directory is suitable */
	int growth_error; /* errno with which the file could not grow, until a message is printed */
	struct strbuf added;
	pthread_mutex_t growth; /* held while a segment or frames are added; no other lock is taken
				   under it */
};

#define RINGFILE_CLOSED                                                                            \
	.file = FILE_CLOSED, .thread_file = FILE_CLOSED, .growth = PTHREAD_MUTEX_INITIALIZER

/* Makes the ring file of this process at `place` (see ringfile_storage.h), possibly beside `log`.
 * If the program's descriptor table is full, the file thread makes it, and is started for that.
 * With RING_NONE no file is made. Returns 0, also if the memory is anonymous, or -1 without
 * memory. */
int ringfile_create(struct ringfile *ringfile, const char *log, enum ring_place place);

/* Writes the name of this process's ring file in `directory` to `to`, after `tries` names that
 * were in use; -1 if it does not fit. RINGFILE_NAME bytes in addition to those of `directory` are
 * enough. */
enum { RINGFILE_NAME = 64 };
int ringfile_name(char *to, size_t size, const char *directory, int tries);

/* Returns the start of this process, CLOCK_REALTIME ns, to 10 ms; 0 if unknown. An exec does not
 * change it. */
int64_t ringfile_process_start(const struct ringfile *ringfile);

/* Returns a new zeroed segment of at least `size` bytes, header included, or NULL. */
struct segment *ringfile_segment(struct ringfile *ringfile, enum segment_kind kind, uint64_t size);

/* Lets the file thread grow the file from now on. Called by the writer before its first round. */
void ringfile_move(struct ringfile *ringfile);

/* Prints a message, once, if the file could not grow. To be called by the writer and at the end: a
 * seccomp filter may forbid other threads to print. */
void ringfile_tell_growth(struct ringfile *ringfile);

/* Appends whole frames and returns their address, which is constant, or NULL. */
void *ringfile_frames(struct ringfile *ringfile, const struct strbuf *frames);

/* For recovery: continues the ring file at `path`, open as `fd`, after its first `end` bytes.
 * Returns 0 or -1. */
int ringfile_resume(struct ringfile *ringfile, const char *path, int fd, uint64_t end);

/* Frees the header and, after ringfile_resume, all segments; those of a live process stay. */
void ringfile_free(struct ringfile *ringfile);

/* Marks the ring file as finished and removes the file; the memory stays usable. */
void ringfile_unlink(struct ringfile *ringfile);

/* Frees the whole pages within bytes `from` to `to` of a segment by a hole in the file; their bytes
 * are 0 then. Does nothing if the file system has no holes. */
void ringfile_make_hole(void *segment, uint64_t from, uint64_t to);

/* Marks the ring file as finished and keeps the file for the tool with this list; the memory stays
 * usable, and the rest of the segment of frames is given back. */
void ringfile_finish(struct ringfile *ringfile);

/* Called in a forked child: detaches from the parent's ring file without changing it. */
void ringfile_forget(struct ringfile *ringfile);

#endif

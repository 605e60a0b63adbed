/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SPOOL_H
#define SESSION_SPOOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "session/identity.h"
#include "settings/settings.h"

/*
 * The file that outlives a killed process: thread rings, pending records and the frames that say
 * who they speak of, all mapped shared, so that what was committed to memory is in the page cache
 * whatever happens to the process. It grows by segments, each mapped where it is made and never
 * moved. Disk space is allocated before it is mapped, so a full disk cannot raise SIGBUS. Where no
 * file can be had the same memory is anonymous: everything works, only recovery does not.
 *
 * The lock on the file and the process id with its start time both say that the owner lives.
 * Segments and frames may be added by several threads at once.
 */
enum { SPOOL_VERSION = 6, SPOOL_PAGE = 4096, SPOOL_SEGMENT = 1 << 18 };

enum segment_kind { SEGMENT_RING = 1, SEGMENT_PENDING = 2, SEGMENT_FRAMES = 3 };

#define SPOOL_MAGIC "CPSPOOL"

struct spool_header {
	char magic[8];
	uint32_t version;
	uint32_t byte_order; /* 0x01020304 */
	uint32_t pid;
	uint32_t record_size;
	uint64_t process_start; /* as /proc/PID/stat has it, 0 if unknown */
	uint64_t lost;	/* records dropped, kept up to date */
	uint64_t end;   /* bytes of the file that hold whole segments, header included */
	uint64_t file_device; /* st_dev and st_ino of this file: a copy has others */
	uint64_t file_inode;
	uint8_t boot[IDENTITY_BOOT]; /* of the machine when it was made */
	uint32_t owner; /* effective user id */
	uint32_t finished; /* 1: the process has ended by itself, and nothing is left to write */
	uint64_t file_born; /* identity_born: an inode number is used again, this is not */
	uint64_t lost_logs; /* of `lost`, those that only a log lacks: the trace has them */
	uint32_t executing; /* its owner becomes another program, or has: nobody has killed it */
	uint32_t locked; /* 1: the lock ends with the owner's memory, so that it tells of an exec */
};

struct segment {
	uint32_t magic; /* SEGMENT_MAGIC, written last */
	uint32_t kind;
	uint64_t size; /* of the whole segment, a multiple of SPOOL_PAGE */
	uint64_t used; /* SEGMENT_FRAMES: bytes of whole frames behind this header */
	uint64_t stride; /* SEGMENT_PENDING: bytes of each place behind this header */
	uint64_t reserved[4];
};

enum { SEGMENT_MAGIC = 0x47455343 };

struct spool {
	struct spool_header *header;
	struct segment *frames; /* the segment that frames go to, or NULL */
	char path[4096];        /* "" while the memory is anonymous */
	struct file file; /* what it grows by; the program may close it, as any descriptor */
	void *lock; /* a page of the file; its mapping holds the lock, see spoolfile.c */
	bool followed; /* there is one of the program that this process was before an exec */
	bool resumed;  /* for recovery, which gives back what it added */
	struct strbuf added;
	pthread_mutex_t growth; /* held while a segment or frames are added; innermost */
};

/* Makes the spool of this process at `place` (see spoolfile.h), beside `log` where that is said. 0,
 * or -1 when there is no memory at all. */
int spool_create(struct spool *spool, const char *log, enum ring_place place);

/* The name of this process's ring file in `directory`, after `tries` that were taken, into `to`; -1
 * if it does not fit. SPOOL_NAME bytes and those of `directory` are enough. */
enum { SPOOL_NAME = 64 };
int spool_name(char *to, size_t size, const char *directory, int tries);

/* When this process began, as CLOCK_REALTIME ns, to a hundredth of a second; 0 if it is not known.
 * An exec does not change it. */
int64_t spool_process_birth(const struct spool *spool);

/* A new zeroed segment of at least `size` bytes, header included, or NULL. */
struct segment *spool_segment(struct spool *spool, enum segment_kind kind, uint64_t size);

/* Appends whole frames; where they are now, or NULL. They never move. */
void *spool_frames(struct spool *spool, const struct strbuf *frames);

/* For recovery: goes on in the spool file at `path`, open as `fd`, behind its first `end` bytes. 0,
 * or -1 if that cannot be. */
int spool_resume(struct spool *spool, const char *path, int fd, uint64_t end);

/* Gives back the header's memory, and after spool_resume all segments; those of a process stay. */
void spool_release(struct spool *spool);

/* Notes that nothing is left to write, and removes the file; the memory stays usable. */
void spool_unlink(struct spool *spool);

/* In a forked child: let go of the parent's spool without harming it. */
void spool_forget(struct spool *spool);

#endif

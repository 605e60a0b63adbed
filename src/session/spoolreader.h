/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SPOOLREADER_H
#define SESSION_SPOOLREADER_H

#include "model/catalog.h"
#include "session/recover.h"
#include "session/spool.h"

/*
 * What a dead process left in its spool: the catalog, the frames about its logs, and every record
 * that is in a ring or pending, in launch order and once each. Nothing the file claims is believed
 * without a check. What it says of other files counts only if it is proven to be the file that a
 * process of this user and this boot has made: device, inode, owner and boot are as its header has
 * them, which nobody can know in advance who packs it into an archive.
 */
struct spool_reader {
	struct catalog catalog;
	const struct spool_header *header; /* the mapped file */
	uint64_t size;
	uint64_t end; /* where its last whole segment ends */
	int fd; /* locked while open */
	const char *unproven; /* why it may not be this process's own file, NULL if it is */
	const struct record **records;
	uint64_t count;
	uint64_t room;
};

/* RECOVER_DONE when the spool is open; otherwise a sentence in `reason`, nothing to close. */
enum recover_result spool_reader_open(struct spool_reader *reader, const char *path,
				      struct strbuf *reason);
void spool_reader_close(struct spool_reader *reader);

/* Whether no record is left in any ring or place; `header` and `size` are enough for that. */
bool spool_reader_is_empty(const struct spool_reader *reader);

/* Calls `take` with every frame of the frame segments, in the order they were written; stops at
 * the first that gives -1. */
int spool_reader_frames(struct spool_reader *reader,
			int (*take)(void *argument, const struct frame *frame), void *argument);

#endif

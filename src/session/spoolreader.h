/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SPOOLREADER_H
#define SESSION_SPOOLREADER_H

#include "model/catalog.h"
#include "session/recover.h"
#include "session/spool.h"

/*
 * The contents of a dead process's spool: the catalog, the frames about its logs, and every record
 * of a ring or pending place, in launch order without duplicates. Everything in the file is
 * checked. Its data about other files is trusted only if a process of this user and this boot
 * made the file: device, inode, owner and boot match its header, which cannot be predicted when an
 * archive is packed.
 */
struct spool_reader {
	struct catalog catalog;
	const struct spool_header *header; /* the mapped file */
	uint64_t size;
	uint64_t end; /* end of its last whole segment */
	int fd; /* locked while open */
	const char *unproven; /* reason why it may not be this user's own file, NULL if proven */
	const struct record **records;
	uint64_t count;
	uint64_t room;
};

/* Returns RECOVER_DONE when the spool is open; otherwise a sentence in `reason`, with nothing to
 * close. */
enum recover_result spool_reader_open(struct spool_reader *reader, const char *path,
				      struct strbuf *reason);
void spool_reader_close(struct spool_reader *reader);

/* Returns true if no record is left in a ring or pending place; needs `header` and `size` only. */
bool spool_reader_is_empty(const struct spool_reader *reader);

/* Calls `take` with every frame of the frame segments in the order of writing; stops when it
 * returns -1. */
int spool_reader_frames(struct spool_reader *reader,
			int (*take)(void *argument, const struct frame *frame), void *argument);

#endif

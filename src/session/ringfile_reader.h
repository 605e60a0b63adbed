/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_READER_H
#define SESSION_RINGFILE_READER_H

#include "model/catalog.h"
#include "session/recover.h"
#include "session/ringfile.h"

/*
 * The contents of a dead process's ring file: the catalog, the frames about its logs, and every
 * record of a ring or pending place, in launch order without duplicates. Everything in the file is
 * checked. Its data about other files is trusted only if a process of this user and this boot made
 * the file: its device, inode, owner and boot match the header. The maker of an archive cannot
 * predict these values.
 */
struct ringfile_reader {
	struct catalog catalog;
	const struct ringfile_header *header; /* the mapped file */
	uint64_t size;
	uint64_t end; /* end of its last whole segment */
	int fd; /* locked while open */
	const char *unproven; /* reason why it may not be this user's own file, NULL if proven */
	const struct record **records;
	uint64_t count;
	uint64_t room;
};

/* Returns RECOVER_DONE if the ring file is open. Otherwise it puts a sentence into `reason`, and
 * there is nothing to close. */
enum recover_result ringfile_reader_open(struct ringfile_reader *reader, const char *path,
					 struct strbuf *reason);
void ringfile_reader_close(struct ringfile_reader *reader);

struct stat;

/* Returns false if the file belongs to another user than the one who made it. Returns true if it is
 * from another user namespace, since the maker's number in this namespace is not known. */
bool ringfile_reader_has_owner(const struct ringfile_header *header, const struct stat *status);

/* Returns the reason why the header does not prove that a process of this user and boot made the
 * open file, or NULL. */
const char *ringfile_reader_distrust(const struct ringfile_header *header, int fd,
				     const struct stat *status);

/* Returns why a header is not one of this version, as the rest of a sentence; NULL if it is. */
const char *ringfile_reader_check(const struct ringfile_header *header);

/* Returns the segment after `segment` (NULL: the first one). Returns NULL if there is none that is
 * wholly in the file. Needs `header` and `size` only. */
const struct segment *ringfile_reader_next(const struct ringfile_reader *reader,
					   const struct segment *segment);

/* Returns true if no record is left in a ring or pending place; needs `header` and `size` only. */
bool ringfile_reader_is_empty(const struct ringfile_reader *reader);

/* Calls `take` with every frame of the frame segments in the order of writing; stops when it
 * returns -1. */
int ringfile_reader_frames(struct ringfile_reader *reader,
			   int (*take)(void *argument, const struct frame *frame), void *argument);

#endif

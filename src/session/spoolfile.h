/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SPOOLFILE_H
#define SESSION_SPOOLFILE_H

#include "session/spool.h"

/* The ring file of a spool, in a program that may close any descriptor, or take its number for a
 * file of its own, at any moment. Such a file is neither grown nor mapped. */

/*
 * Creates it, maps its header page and locks it: path, file, header and lock of the spool. 0, or
 * -1.
 *
 * A page fault on a file of a file system that stands still stops the program's launches. So the
 * file lies in /dev/shm where that is memory with at least SPOOLFILE_ROOM bytes free
 * (RING_BY_ROOM), or SPOOLFILE_LEAST (RING_IN_MEMORY); else beside `log`, but for a network file
 * system and what cannot be written: then in /dev/shm after all.
 */
#define SPOOLFILE_ROOM	(UINT64_C(256) << 20)
#define SPOOLFILE_LEAST (UINT64_C(4) << 20)

int spoolfile_create(struct spool *spool, const char *log, enum ring_place place);

/* Maps `size` more bytes at its end; NULL if it cannot have them. With the growth lock held. */
void *spoolfile_grow(struct spool *spool, uint64_t size);

#endif

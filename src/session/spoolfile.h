/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SPOOLFILE_H
#define SESSION_SPOOLFILE_H

#include "session/spool.h"

/* The ring file of a spool, in a program that may close or reuse any descriptor at any moment. A
 * file whose descriptor was reused is neither grown nor mapped. */

/*
 * Creates the file, maps its header page and locks it; sets path, file, header and lock of the
 * spool. Returns 0 or -1.
 *
 * A page fault on a stalled file system would block the program's launches. So the file is in
 * /dev/shm if that is memory with at least SPOOLFILE_ROOM bytes free (RING_BY_ROOM), or
 * SPOOLFILE_LEAST (RING_IN_MEMORY). Otherwise it is beside `log`, unless that is a network file
 * system or not writable: then in /dev/shm after all.
 */
#define SPOOLFILE_ROOM	(UINT64_C(256) << 20)
#define SPOOLFILE_LEAST (UINT64_C(4) << 20)

int spoolfile_create(struct spool *spool, const char *log, enum ring_place place);

/* Maps `size` more bytes at its end; NULL on failure. The caller holds the growth lock. */
void *spoolfile_grow(struct spool *spool, uint64_t size);

#endif

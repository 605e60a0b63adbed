/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_STORAGE_H
#define SESSION_RINGFILE_STORAGE_H

#include "session/ringfile.h"

/* The storage of a ring file, in a program that may close or reuse any descriptor at any moment. A
 * file whose descriptor was reused is neither grown nor mapped. */

/*
 * Creates the file, maps its header page and locks it; sets path, file, header and lock of the
 * ring file. Returns 0, or -1 with errno; 0: no directory is suitable.
 *
 * A page fault on a stalled file system would block the program's launches. So the file is in
 * /dev/shm if that is memory with at least RINGFILE_STORAGE_ROOM bytes free (RING_BY_ROOM), or
 * RINGFILE_STORAGE_LEAST (RING_IN_MEMORY). Otherwise it is beside `log`, unless that is a network
 * file system or not writable: then in /dev/shm after all.
 */
#define RINGFILE_STORAGE_ROOM  (UINT64_C(256) << 20)
#define RINGFILE_STORAGE_LEAST (UINT64_C(4) << 20)

int ringfile_storage_create(struct ringfile *ringfile, const char *log, enum ring_place place);

/* Maps `size` more bytes at its end; if the program's descriptor table is full, in the file thread.
 * NULL with errno on failure. The caller holds the growth lock. */
void *ringfile_storage_grow(struct ringfile *ringfile, uint64_t size);

#endif

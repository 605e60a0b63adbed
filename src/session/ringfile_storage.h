/* SPDX-License-Identifier: MIT */
#ifndef SESSION_RINGFILE_STORAGE_H
#define SESSION_RINGFILE_STORAGE_H

#include "session/ringfile.h"

/* The storage of a ring file, in a program that may close or reuse any descriptor at any moment. A
 * file whose descriptor was reused is neither grown nor mapped. */

/*
 * Creates the file, maps its header page and locks it; sets path, file, header, lock and unseen
 * of the ring file. Returns 0, or -1 with errno; 0: no directory is suitable.
 *
 * A page fault on a stalled file system would block the program's launches. So the file is in
 * /dev/shm if that is memory with at least RINGFILE_STORAGE_ROOM bytes free (RING_BY_ROOM), or
 * RINGFILE_STORAGE_LEAST (RING_IN_MEMORY), and RING_BY_ROOM also needs that it is the tool's
 * /dev/shm, if a tool has started the process. Otherwise it is beside `log`, unless that is a
 * network file system or not writable: then in the tool's directory (ringfile_place.h) if /dev/shm
 * is not the tool's, or in /dev/shm after all.
 */
#define RINGFILE_STORAGE_ROOM  (UINT64_C(256) << 20)
#define RINGFILE_STORAGE_LEAST (UINT64_C(4) << 20)

int ringfile_storage_create(struct ringfile *ringfile, const char *log, enum ring_place place);

/* With the growth lock held: from now on the file thread grows the file, by a descriptor of its
 * own. A thread of the program then makes no system call on files, which its seccomp filter may
 * forbid. Nothing changes if the file thread cannot open the file. */
void ringfile_storage_move(struct ringfile *ringfile);

/* Maps `size` more bytes at its end; NULL on failure, with errno. The caller holds the growth lock.
 * If the file thread waits for another file that does not respond, the caller grows this one. */
void *ringfile_storage_grow(struct ringfile *ringfile, uint64_t size);

#endif

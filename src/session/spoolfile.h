/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SPOOLFILE_H
#define SESSION_SPOOLFILE_H

#include "session/spool.h"

/* The ring file of a spool, in a program that may close any descriptor, or take its number for a
 * file of its own, at any moment. Such a file is neither grown nor mapped. */

/* Creates it beside `log`, or in /dev/shm where that is a network file system or not writable, and
 * maps its header page: path, lock and header of the spool. 0, or -1. */
int spoolfile_create(struct spool *spool, const char *log);

/* Maps `size` more bytes at its end; NULL if it cannot have them. With the growth lock held. */
void *spoolfile_grow(struct spool *spool, uint64_t size);

#endif

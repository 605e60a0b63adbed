/* SPDX-License-Identifier: MIT */
#ifndef SESSION_STACKS_H
#define SESSION_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "settings/settings.h"

/*
 * Call stacks as ids of nodes (model/stacks.h), for frame.stack. A new node is written to the ring
 * file before its id is returned. stacks_here, stacks_intern and stacks_forget may be called in
 * signal handlers; the lock (meta) is taken for new nodes only.
 */

/* An API with these settings is attached; with `meta` held, outside of signal handlers. */
void stacks_attach(const struct settings *settings);

/* Returns the id of the calling thread's stack, without the frames of the library at its end; 0 if
 * it is not known. It has at most UNWIND_MOST frames. errno is kept. The first call in a thread
 * also calls pthread_setspecific: as all of an API's calls, it may allocate. */
uint32_t stacks_here(void);

enum {
	STACKS_EXACT = 1 << 0, /* the first address is where the thread is */
	STACKS_CUT = 1 << 1,   /* there are more frames: the outermost one is named [truncated] */
};

/*
 * Returns the id of a stack: return addresses from the innermost to the outermost. Without room for
 * all of its nodes, it is the id of the outer frames that have nodes.
 */
uint32_t stacks_intern(const uintptr_t *pcs, size_t count, unsigned flags);

/* Returns the id of a stack with the frames of `inner` inside of those of `outer` and of one that
 * is named `between`; of the driver's frames at the end of `outer` it has the first only. Without
 * room, or if it would have more than UNWIND_MOST frames, it is `outer`. */
uint32_t stacks_join(uint32_t outer, uint32_t inner, const char *between);

/* Reports the stacks whose Python frames could not be read, since the last call. */
void stacks_report(void);

/* In a forked child: those of the parent are not counted. */
void stacks_forked(void);

/* Code is about to be unmapped, or has been: what is known of addresses does not hold any more. */
void stacks_forget(void);

#endif

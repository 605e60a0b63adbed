/* SPDX-License-Identifier: MIT */
#ifndef BASE_UNWIND_H
#define BASE_UNWIND_H

#include <stddef.h>
#include <stdint.h>

/*
 * Call stacks of the calling thread, by the unwind tables (.eh_frame) of the loaded objects. Where
 * there is none, or the C library has no _dl_find_object (glibc before 2.35, musl), frame pointers
 * are followed. Both architectures that the library supports have this walker: x86-64 and aarch64;
 * on others all stacks are empty.
 *
 * The walk allocates nothing, takes no lock and keeps errno. Memory outside the thread's own stack
 * is read only after its page has been found readable. Signal handlers may walk.
 */
enum { UNWIND_MOST = 512 /* frames of a stack */ };

/* Looks the C library's functions up. Call once outside of signal handlers before the first walk.
 */
void unwind_start(void);

/*
 * Sees each frame of a walk, from the innermost on, when its caller has been found. The frame's
 * address is pcs[count - 1]; its memory on the stack is from `low` to before `high`, which is
 * UINTPTR_MAX for the outermost one. `visit` may replace the address by any number of words that
 * fit into `most`. It returns the new count.
 */
struct unwind_visitor {
	size_t (*visit)(struct unwind_visitor *visitor, uintptr_t *pcs, size_t count, uintptr_t low,
			uintptr_t high);
	size_t most; /* room of pcs; set by the walk */
};

/*
 * Stores the addresses to which the function that calls this one, and its callers, return: the
 * first is in the caller of the function that calls this one. That function must not be inlined,
 * and must use the result, so that the call is not its last. Returns the number of addresses, at
 * most `most` and UNWIND_MOST; if it is that number, the stack may have been cut off.
 */
size_t unwind_here(uintptr_t *pcs, size_t most);

/* The same with a visitor, which is slower. */
size_t unwind_here_visited(uintptr_t *pcs, size_t most, struct unwind_visitor *visitor);

/*
 * The same in a signal handler for the code that it has interrupted. `context` is the handler's
 * third argument, `visitor` may be NULL. The first address is that of the next instruction of the
 * interrupted code; the others are return addresses.
 */
size_t unwind_context(const void *context, uintptr_t *pcs, size_t most,
		      struct unwind_visitor *visitor);

/* Returns the first address that unwind_context stores. */
uintptr_t unwind_context_pc(const void *context);

/* Call before code is unmapped: no row of an unwind table that has been read until now is used in
 * a later walk. May be called from any thread. */
void unwind_forget(void);

#endif

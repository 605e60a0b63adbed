/* SPDX-License-Identifier: MIT */
#ifndef SESSION_MEMORY_IN_USE_H
#define SESSION_MEMORY_IN_USE_H

#include "model/event.h"

/*
 * The memory that the program has allocated and not released. Events of allocations may come in any
 * order. What is in use at the end is the same as view/totals/memory_usage.h finds in a trace of
 * the same events: a release subtracts the bytes of the allocation with its address, kind and
 * address space (api_address_space); without one it changes nothing; a second allocation at an
 * address replaces the first. So of each address the newest change by time counts, and those that
 * come after it with an earlier time are passed over. Releases are remembered for some time for
 * this reason.
 */
enum { MEMORY_IN_USE_MOST = 1 << 20 /* entries: allocations in use, and recent releases */ };

struct memory_in_use {
	struct memory_entry *entries; /* a table of `room`, by address */
	uint32_t room;	 /* a power of two, 0: none yet */
	uint32_t used;	 /* entries that are not free */
	uint64_t newest; /* latest time of a change */
	uint64_t bytes;	 /* in use */
	uint64_t allocations; /* in use */
};

/* A zeroed struct is empty. Returns 0; or -1 if an allocation is not in the sums, because the table
 * is full or there is no memory. */
int memory_in_use_add(struct memory_in_use *memory, const struct allocation *event);
void memory_in_use_free(struct memory_in_use *memory);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_LIVE_MEMORY_H
#define BACKEND_CUDA_LIVE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The memory that the program has allocated and not freed yet, found by any address in it. The
 * records of allocations come too late for that. Not thread-safe.
 */
struct live_memory {
	uint64_t address;
	uint64_t bytes;
};

/* Adds an allocation. Older ones that overlap it have ended: their release was not seen. Returns 0,
 * or -1 without memory. */
int live_memory_add(uint64_t address, uint64_t bytes);

/* Removes the allocation that begins at this address, if there is one. */
void live_memory_remove(uint64_t address);

/* Returns the allocation that has this address, NULL if there is none. Valid until the next
 * change. */
const struct live_memory *live_memory_find(uint64_t address);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/*
 * Maps zeroed private pages from the kernel, without the host's allocator. Untouched pages use no
 * memory, so tables are mapped at their maximum size. Returns NULL without memory.
 */
void *memory_map(size_t size);
void memory_unmap(void *memory, size_t size); /* NULL: does nothing */
/* Enlarges a block of memory_map; it may move. Returns NULL without memory; the block is
 * unchanged. */
void *memory_grow(void *memory, size_t old_size, size_t size);

/* Enlarges or makes a list on the heap, as reallocarray does, which glibc has only since 2.26.
 * Returns NULL without memory; the list is unchanged. */
void *memory_array(void *list, size_t count, size_t size);

/* Returns `size`, rounded up to pages of the system: 4 KiB on x86-64, 4 to 64 KiB elsewhere. */
size_t memory_in_pages(size_t size);

/* Reads a word that another thread may unmap at any time. Returns 0; -1 if it is not mapped; 1 if
 * the system does not permit such calls. errno is kept. */
int memory_read_word(const void *from, uint32_t *word);

/*
 * Reserves two megabytes of address space, once. memory_map uses them when no others are left
 * (RLIMIT_AS), so that work in progress can be finished: a log's name, its buffer.
 */
void memory_reserve(void);

#endif

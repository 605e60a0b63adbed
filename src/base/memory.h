/* SPDX-License-Identifier: MIT */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/*
 * Zeroed private pages straight from the kernel, so that nothing here meets the host's allocator.
 * Untouched pages cost nothing: tables are mapped at their greatest size and fill lazily.
 * NULL when memory ran out.
 */
void *memory_map(size_t size);
void memory_unmap(void *memory, size_t size);
/* More room for what memory_map gave, elsewhere perhaps; NULL when memory ran out, and it stays. */
void *memory_grow(void *memory, size_t old_size, size_t size);

/*
 * Sets two megabytes of addresses aside, once. memory_map falls back on them when there are no
 * others (RLIMIT_AS), so that what is under way can be finished: a log's name, its buffer.
 */
void memory_set_aside(void);

#endif

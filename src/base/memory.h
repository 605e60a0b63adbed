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

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_PYTHON_MEMORY_H
#define BASE_PYTHON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads memory of the process that may not be mapped. A page is read only after the kernel has been
 * asked for it, once in the life of the reader: that is one walk of a stack. Signal handlers may
 * read.
 */
enum { PYTHON_PAGES = 16 };

struct python_memory {
	uintptr_t pages[PYTHON_PAGES]; /* 1 + the number of a page that can be read */
};

/* Copies `size` bytes to `to`. Returns false, possibly after a part of them, if the memory cannot
 * be read. */
bool python_memory_copy(struct python_memory *memory, void *to, uintptr_t from, size_t size);

/* Read one number. What cannot be read is 0. */
uintptr_t python_memory_word(struct python_memory *memory, uintptr_t from);
uint32_t python_memory_u32(struct python_memory *memory, uintptr_t from);
uint8_t python_memory_byte(struct python_memory *memory, uintptr_t from);

#endif

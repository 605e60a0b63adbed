/* SPDX-License-Identifier: MIT */
#ifndef BASE_PYTHON_MEMORY_H
#define BASE_PYTHON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads memory of the process that may not be mapped. A page is read only after the kernel has been
 * asked for it. The answer is kept in `pages`: for one walk of a stack in a signal handler, which
 * may meet anything; for a thread's calls as long as no code is unmapped, since then it reads
 * objects that its own frames hold.
 */
struct python_memory {
	uintptr_t *pages; /* 1 + the numbers of pages that can be read, 0: none */
	size_t count;	  /* of `pages`: a power of two */
};

/* Copies `size` bytes to `to`. Returns false, possibly after a part of them, if the memory cannot
 * be read. */
bool python_memory_copy(struct python_memory *memory, void *to, uintptr_t from, size_t size);

/* Read one number. What cannot be read is 0. */
uintptr_t python_memory_word(struct python_memory *memory, uintptr_t from);
uint32_t python_memory_u32(struct python_memory *memory, uintptr_t from);
uint8_t python_memory_byte(struct python_memory *memory, uintptr_t from);

#endif

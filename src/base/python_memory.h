/* SPDX-License-Identifier: MIT */
#ifndef BASE_PYTHON_MEMORY_H
#define BASE_PYTHON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unwind_stack.h"

/*
 * Reads memory of the process that may not be mapped. A page is read only after a system call has
 * shown that it can be read. The result is kept in `pages`: for one walk of a stack in a signal
 * handler, which may meet anything; for a thread's calls as long as no code is unmapped, since then
 * it reads objects that its own frames hold.
 */
struct python_memory {
	uintptr_t *pages; /* 1 + the numbers of pages that can be read, 0: none */
	size_t count;	  /* of `pages`: a power of two */
};

enum { PYTHON_PAGE = 4096 };

static inline bool python_memory_has_page(struct python_memory *memory, uintptr_t address)
{
	uintptr_t number = address / PYTHON_PAGE + 1;
	uintptr_t *known = &memory->pages[number & (memory->count - 1)];

	if (__builtin_expect(*known == number, 1))
		return true;
	if (!unwind_stack_probe(address))
		return false;
	*known = number;
	return true;
}

/* Returns true if `size` bytes, at most a page, can be read. */
static inline bool python_memory_has(struct python_memory *memory, uintptr_t from, size_t size)
{
	uintptr_t last = from + size - 1;

	return last >= from && python_memory_has_page(memory, from) &&
	       (last / PYTHON_PAGE == from / PYTHON_PAGE || python_memory_has_page(memory, last));
}

/* At any address. */
typedef uint64_t python_any_u64 __attribute__((aligned(1), may_alias));
typedef uint32_t python_any_u32 __attribute__((aligned(1), may_alias));

/* The interpreter's memory is read without a sanitizer's checks. */
#define PYTHON_MEMORY __attribute__((no_sanitize("address", "thread", "undefined")))

/* Read one number that python_memory_has has found to be readable. */
PYTHON_MEMORY static inline uintptr_t python_word_at(uintptr_t from)
{
	return *(const volatile python_any_u64 *)from;
}

PYTHON_MEMORY static inline uint32_t python_u32_at(uintptr_t from)
{
	return *(const volatile python_any_u32 *)from;
}

PYTHON_MEMORY static inline uint8_t python_byte_at(uintptr_t from)
{
	return *(const volatile uint8_t *)from;
}

/* Copies `size` bytes to `to`. Returns false, possibly after a part of them, if the memory cannot
 * be read. */
bool python_memory_copy(struct python_memory *memory, void *to, uintptr_t from, size_t size);

/* Returns true if the memory has these bytes. */
bool python_memory_is(struct python_memory *memory, uintptr_t from, const void *bytes, size_t size);

/* Read one number. What cannot be read is 0. */
uintptr_t python_memory_word(struct python_memory *memory, uintptr_t from);
uint32_t python_memory_u32(struct python_memory *memory, uintptr_t from);
uint8_t python_memory_byte(struct python_memory *memory, uintptr_t from);

#endif

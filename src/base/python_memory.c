/* SPDX-License-Identifier: MIT */
#include "base/python_memory.h"

#include "base/unwind_stack.h"

enum { PAGE = 4096 };

/* The interpreter's memory is read regardless of what a sanitizer thinks of it. */
#define ANY_MEMORY __attribute__((no_sanitize("address", "thread", "undefined")))

/* At any address. */
typedef uint64_t any_u64 __attribute__((aligned(1), may_alias));
typedef uint32_t any_u32 __attribute__((aligned(1), may_alias));

static inline bool is_readable(struct python_memory *memory, uintptr_t address)
{
	uintptr_t number = address / PAGE + 1;
	uintptr_t *known = &memory->pages[number & (memory->count - 1)];

	if (__builtin_expect(*known != number, 0) && !unwind_stack_probe(address))
		return false;
	*known = number;
	return true;
}

/* Copies bytes of one page. */
ANY_MEMORY static inline void copy_part(uint8_t *to, uintptr_t from, size_t size)
{
	for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
		*(any_u64 *)to = *(const volatile any_u64 *)from;
		to += sizeof(uint64_t);
		from += sizeof(uint64_t);
	}
	for (; size; size--)
		*to++ = *(const volatile uint8_t *)from++;
}

bool python_memory_copy(struct python_memory *memory, void *to, uintptr_t from, size_t size)
{
	uint8_t *bytes = to;

	if (from + size < from)
		return false;
	while (size) {
		size_t part = PAGE - from % PAGE < size ? PAGE - from % PAGE : size;

		if (!is_readable(memory, from))
			return false;
		copy_part(bytes, from, part);
		bytes += part;
		from += part;
		size -= part;
	}
	return true;
}

ANY_MEMORY uintptr_t python_memory_word(struct python_memory *memory, uintptr_t from)
{
	uintptr_t value = 0;

	if (__builtin_expect(from % PAGE <= PAGE - sizeof(value), 1))
		return is_readable(memory, from) ? *(const volatile any_u64 *)from : 0;
	return python_memory_copy(memory, &value, from, sizeof(value)) ? value : 0;
}

ANY_MEMORY uint32_t python_memory_u32(struct python_memory *memory, uintptr_t from)
{
	uint32_t value = 0;

	if (__builtin_expect(from % PAGE <= PAGE - sizeof(value), 1))
		return is_readable(memory, from) ? *(const volatile any_u32 *)from : 0;
	return python_memory_copy(memory, &value, from, sizeof(value)) ? value : 0;
}

ANY_MEMORY uint8_t python_memory_byte(struct python_memory *memory, uintptr_t from)
{
	return is_readable(memory, from) ? *(const volatile uint8_t *)from : 0;
}

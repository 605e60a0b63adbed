/* SPDX-License-Identifier: MIT */
#include "base/python_memory.h"

#include "base/unwind_stack.h"

enum { PAGE = 4096 };

static bool is_readable(struct python_memory *memory, uintptr_t address)
{
	uintptr_t number = address / PAGE + 1;
	uintptr_t *known = &memory->pages[number % PYTHON_PAGES];

	if (*known != number && !unwind_stack_probe(address))
		return false;
	*known = number;
	return true;
}

/* The interpreter's memory is read regardless of what a sanitizer thinks of it. */
__attribute__((no_sanitize("address", "thread", "undefined"))) bool
python_memory_copy(struct python_memory *memory, void *to, uintptr_t from, size_t size)
{
	volatile uint8_t *bytes = to;

	if (from + size < from)
		return false;
	while (size) {
		size_t part = PAGE - from % PAGE < size ? PAGE - from % PAGE : size;

		if (!is_readable(memory, from))
			return false;
		for (size -= part; part >= sizeof(uint64_t) && from % sizeof(uint64_t) == 0;
		     part -= sizeof(uint64_t), from += sizeof(uint64_t), bytes += sizeof(uint64_t))
			__builtin_memcpy((void *)(uintptr_t)bytes,
					 &(uint64_t){*(const volatile uint64_t *)from},
					 sizeof(uint64_t));
		for (; part; part--)
			*bytes++ = *(const volatile uint8_t *)from++;
	}
	return true;
}

uintptr_t python_memory_word(struct python_memory *memory, uintptr_t from)
{
	uintptr_t value;

	return python_memory_copy(memory, &value, from, sizeof(value)) ? value : 0;
}

uint32_t python_memory_u32(struct python_memory *memory, uintptr_t from)
{
	uint32_t value;

	return python_memory_copy(memory, &value, from, sizeof(value)) ? value : 0;
}

uint8_t python_memory_byte(struct python_memory *memory, uintptr_t from)
{
	uint8_t value;

	return python_memory_copy(memory, &value, from, sizeof(value)) ? value : 0;
}

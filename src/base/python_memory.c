/* SPDX-License-Identifier: MIT */
#include "base/python_memory.h"

/* Copies bytes of one page. */
PYTHON_MEMORY static inline void copy_part(uint8_t *to, uintptr_t from, size_t size)
{
	for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
		*(python_any_u64 *)to = *(const volatile python_any_u64 *)from;
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
		size_t part = PYTHON_PAGE - from % PYTHON_PAGE < size
				      ? PYTHON_PAGE - from % PYTHON_PAGE
				      : size;

		if (!python_memory_has_page(memory, from))
			return false;
		copy_part(bytes, from, part);
		bytes += part;
		from += part;
		size -= part;
	}
	return true;
}

static inline bool is_word(const uint8_t *bytes, uintptr_t from)
{
	return *(const python_any_u64 *)bytes == python_word_at(from);
}

/* Compares bytes of one page. The last word may have some of the one before. */
static inline bool is_part(const uint8_t *bytes, uintptr_t from, size_t size)
{
	enum { WORD = sizeof(uint64_t) };

	if (size >= WORD) {
		for (size_t i = 0; i + WORD < size; i += WORD)
			if (!is_word(bytes + i, from + i))
				return false;
		return is_word(bytes + size - WORD, from + size - WORD);
	}
	while (size--)
		if (*bytes++ != python_byte_at(from++))
			return false;
	return true;
}

bool python_memory_is(struct python_memory *memory, uintptr_t from, const void *bytes, size_t size)
{
	const uint8_t *wanted = bytes;

	if (from + size < from)
		return false;
	while (size) {
		size_t part = PYTHON_PAGE - from % PYTHON_PAGE < size
				      ? PYTHON_PAGE - from % PYTHON_PAGE
				      : size;

		if (!python_memory_has_page(memory, from) || !is_part(wanted, from, part))
			return false;
		wanted += part;
		from += part;
		size -= part;
	}
	return true;
}

PYTHON_MEMORY uintptr_t python_memory_word(struct python_memory *memory, uintptr_t from)
{
	uintptr_t value = 0;

	if (__builtin_expect(from % PYTHON_PAGE <= PYTHON_PAGE - sizeof(value), 1))
		return python_memory_has_page(memory, from) ? *(const volatile python_any_u64 *)from
							    : 0;
	return python_memory_copy(memory, &value, from, sizeof(value)) ? value : 0;
}

PYTHON_MEMORY uint32_t python_memory_u32(struct python_memory *memory, uintptr_t from)
{
	uint32_t value = 0;

	if (__builtin_expect(from % PYTHON_PAGE <= PYTHON_PAGE - sizeof(value), 1))
		return python_memory_has_page(memory, from) ? *(const volatile python_any_u32 *)from
							    : 0;
	return python_memory_copy(memory, &value, from, sizeof(value)) ? value : 0;
}

PYTHON_MEMORY uint8_t python_memory_byte(struct python_memory *memory, uintptr_t from)
{
	return python_memory_has_page(memory, from) ? *(const volatile uint8_t *)from : 0;
}

/* SPDX-License-Identifier: MIT */
#include "backend/cuda/live_memory.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_ROOM = 256 };

static struct live_memory *sorted; /* by address; they do not overlap */
static size_t count, room;

static uint64_t end_of(const struct live_memory *memory)
{
	return memory->address + memory->bytes;
}

/* Returns the index of the first one that ends behind the address. */
static size_t search(uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (end_of(&sorted[middle]) > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static int grow(void)
{
	size_t larger = room ? room * 2 : FIRST_ROOM;
	struct live_memory *memory = room ? memory_grow(sorted, room * sizeof(*memory),
							larger * sizeof(*memory))
					  : memory_map(larger * sizeof(*memory));

	if (!memory)
		return -1;
	sorted = memory;
	room = larger;
	return 0;
}

static void remove_from(size_t first, size_t past)
{
	memmove(&sorted[first], &sorted[past], (count - past) * sizeof(*sorted));
	count -= past - first;
}

int live_memory_add(uint64_t address, uint64_t bytes)
{
	size_t first = search(address), past = first;

	if (!address || !bytes || bytes > UINT64_MAX - address)
		return 0;
	while (past < count && sorted[past].address < address + bytes)
		past++;
	if (past > first)
		remove_from(first, past);
	if (count == room && grow())
		return -1;
	memmove(&sorted[first + 1], &sorted[first], (count - first) * sizeof(*sorted));
	sorted[first] = (struct live_memory){address, bytes};
	count++;
	return 0;
}

void live_memory_remove(uint64_t address)
{
	size_t at = search(address);

	if (at < count && sorted[at].address == address)
		remove_from(at, at + 1);
}

const struct live_memory *live_memory_find(uint64_t address)
{
	size_t at = search(address);

	return at < count && sorted[at].address <= address ? &sorted[at] : NULL;
}

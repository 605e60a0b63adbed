/* SPDX-License-Identifier: MIT */
#include "session/memory_in_use.h"

#include <stdbool.h>

#include "base/memory.h"
#include "model/api.h"

enum { FIRST_ROOM = 1 << 10 };

/* Releases this many ns before the newest change are forgotten when the table is made anew. */
#define REMEMBERED UINT64_C(2000000000)

struct memory_entry {
	uint64_t address;
	uint64_t time; /* of the change */
	uint64_t bytes;
	uint32_t space; /* api_address_space */
	uint16_t memory;
	uint8_t taken; /* 0: the entry is free */
	uint8_t in_use;
};

static bool is_same(const struct memory_entry *entry, const struct memory_entry *other)
{
	return entry->address == other->address && entry->space == other->space &&
	       entry->memory == other->memory;
}

/* Returns the entry of the address, or the free one for it. */
static struct memory_entry *find(struct memory_entry *entries, uint32_t room,
				 const struct memory_entry *like)
{
	uint64_t at = (like->address ^ like->address >> 29 ^ like->space) * 0x9e3779b97f4a7c15u;

	for (at >>= 32;; at++) {
		struct memory_entry *entry = &entries[at & (room - 1)];

		if (!entry->taken || is_same(entry, like))
			return entry;
	}
}

static uint64_t size_of(uint32_t room)
{
	return (uint64_t)room * sizeof(struct memory_entry);
}

static bool is_kept(const struct memory_in_use *memory, const struct memory_entry *entry,
		    uint64_t remembered)
{
	return entry->taken && (entry->in_use || memory->newest - entry->time < remembered);
}

/* Moves the entries in use and the releases of the last `remembered` ns to a table of `room`. */
static int move(struct memory_in_use *memory, uint32_t room, uint64_t remembered)
{
	struct memory_entry *entries = memory_map(size_of(room));
	uint32_t used = 0;

	if (!entries)
		return -1;
	for (uint32_t i = 0; i < memory->room; i++) {
		const struct memory_entry *entry = &memory->entries[i];

		if (!is_kept(memory, entry, remembered))
			continue;
		*find(entries, room, entry) = *entry;
		used++;
	}
	memory_unmap(memory->entries, size_of(memory->room));
	memory->entries = entries;
	memory->room = room;
	memory->used = used;
	return 0;
}

/* All releases but the recent ones are forgotten; all of them if it cannot grow. */
static int make_larger(struct memory_in_use *memory)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < memory->room; i++)
		kept += is_kept(memory, &memory->entries[i], REMEMBERED);
	if (kept < memory->room / 2)
		return move(memory, memory->room, REMEMBERED);
	if (memory->room < MEMORY_IN_USE_MOST)
		return move(memory, memory->room * 2, REMEMBERED);
	return memory->allocations < memory->room / 2 ? move(memory, memory->room, 0) : -1;
}

/* Returns 0 if there is a free entry for one more. */
static int make_room(struct memory_in_use *memory)
{
	if (!memory->room)
		return move(memory, FIRST_ROOM, 0);
	if (memory->used < memory->room / 4 * 3)
		return 0;
	if (memory->allocations >= MEMORY_IN_USE_MOST / 2)
		return -1;
	return make_larger(memory);
}

/* `sign` is 1, or UINT64_MAX for -1. */
static void count(struct memory_in_use *memory, const struct memory_entry *entry, uint64_t sign)
{
	if (!entry->in_use)
		return;
	memory->bytes += sign * entry->bytes;
	memory->allocations += sign;
}

int memory_in_use_add(struct memory_in_use *memory, const struct allocation *event)
{
	bool freed = event->frame.flags & ALLOCATION_FREED;
	struct memory_entry *entry;
	struct memory_entry change = {
		.address = event->address,
		.space = api_address_space(event),
		.time = freed ? event->enter : event->leave,
		.bytes = event->bytes,
		.memory = event->memory,
		.taken = 1,
		.in_use = !freed,
	};

	entry = memory->room ? find(memory->entries, memory->room, &change) : NULL;
	if (!entry || !entry->taken) {
		if (make_room(memory))
			return freed ? 0 : -1;
		entry = find(memory->entries, memory->room, &change);
	}
	if (change.time > memory->newest)
		memory->newest = change.time;
	if (entry->taken && change.time < entry->time)
		return 0;
	memory->used += !entry->taken;
	count(memory, entry, UINT64_MAX);
	count(memory, &change, 1);
	*entry = change;
	return 0;
}

void memory_in_use_free(struct memory_in_use *memory)
{
	memory_unmap(memory->entries, size_of(memory->room));
	*memory = (struct memory_in_use){0};
}

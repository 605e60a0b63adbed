/* SPDX-License-Identifier: MIT */
#include "output/rowcache.h"

#include <string.h>

#include "output/value_time.h"

_Static_assert(sizeof(struct record) - offsetof(struct record, bytes) ==
		       ROWCACHE_KEY * sizeof(uint64_t),
	       "the key has all members from `bytes` on");

static uint32_t kind_and_flags(const struct record *record)
{
	return (uint32_t)record->frame.kind << 16 | record->frame.flags;
}

static struct rowcache_slot *slot_of(struct rowcache *cache, const struct record *record)
{
	uint64_t hash = record->name + record->bytes + (record->bytes >> 10);

	return &cache->slots[(hash + (hash >> 6)) % ROWCACHE_SLOTS];
}

static bool is_for(const struct rowcache_slot *slot, const struct output_target *target,
		   const struct record *record)
{
	const char *members = (const char *)record + offsetof(struct record, bytes);
	uint64_t difference = slot->kind_and_flags ^ kind_and_flags(record);

	for (int i = 0; i < ROWCACHE_KEY; i++) {
		uint64_t word;

		memcpy(&word, members + i * sizeof(word), sizeof(word));
		difference |= word ^ slot->key[i];
	}
	return !difference && slot->target == target;
}

static char *copy(char *to, const char *from, unsigned length)
{
	memcpy(to, from, ROWCACHE_CHUNK);
	for (unsigned done = ROWCACHE_CHUNK; done < length; done += ROWCACHE_CHUNK)
		memcpy(to + done, from + done, ROWCACHE_CHUNK);
	return to + length;
}

static char *write_row(const struct rowcache_slot *slot, const struct output_target *target,
		       const struct record *record, char *to)
{
	unsigned at = 0;

	for (unsigned i = 0; i < slot->times; i++) {
		const struct rowcache_time *time = &slot->time[i];

		to = copy(to, slot->text + at, time->at - at);
		to = value_time_write(to, target, record, &columns[time->column]);
		at = time->at;
	}
	return copy(to, slot->text + at, slot->length - at);
}

/* The text is stored when the row of the slot comes a second time: it is not worth it for rows that
 * do not repeat. */
char *rowcache_look(struct rowcache *cache, const struct output_target *target,
		    const struct record *record, char *to, struct rowcache_entry *entry)
{
	struct rowcache_slot *slot = slot_of(cache, record);

	*entry = (struct rowcache_entry){.slot = NULL};
	if (is_for(slot, target, record)) {
		if (slot->length)
			return write_row(slot, target, record, to);
		*entry = (struct rowcache_entry){.slot = slot, .row = to};
		slot->times = 0;
		return NULL;
	}
	slot->target = target;
	slot->kind_and_flags = kind_and_flags(record);
	slot->length = 0;
	memcpy(slot->key, &record->bytes, sizeof(slot->key));
	return NULL;
}

static size_t length_so_far(const struct rowcache_slot *slot)
{
	return slot->times ? slot->time[slot->times - 1].at : 0;
}

void rowcache_note(struct rowcache_entry *entry, const struct column *column, const char *from,
		   const char *end)
{
	struct rowcache_slot *slot = entry->slot;
	size_t at = (size_t)(from - entry->row) - entry->times;
	size_t after = length_so_far(slot);

	if (slot->times == ROWCACHE_TIMES || at > ROWCACHE_TEXT) {
		entry->slot = NULL;
		return;
	}
	memcpy(slot->text + after, from - (at - after), at - after);
	slot->time[slot->times++] =
		(struct rowcache_time){(uint16_t)at, (uint16_t)(column - columns)};
	entry->times += (size_t)(end - from);
}

void rowcache_keep(const struct rowcache_entry *entry, const char *end)
{
	struct rowcache_slot *slot = entry->slot;
	size_t length = (size_t)(end - entry->row) - entry->times;
	size_t after = length_so_far(slot);

	if (length > ROWCACHE_TEXT)
		return;
	memcpy(slot->text + after, end - (length - after), length - after);
	slot->length = (uint16_t)length;
}

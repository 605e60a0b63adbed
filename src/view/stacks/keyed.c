/* SPDX-License-Identifier: MIT */
#include "view/stacks/keyed.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { FIRST = 256 /* entries */, LIMIT = 1 << 28 };

void *keyed_at(const struct keyed *table, uint32_t number)
{
	return table->entries + (size_t)number * table->entry_size;
}

/* Returns the bucket with the key, or the free one for it. Buckets have 1 + a number. */
static uint32_t *bucket_of(const struct keyed *table, const void *key)
{
	uint64_t hash = text_hash(key, table->key_size);

	for (hash ^= hash >> 32;; hash++) {
		uint32_t *bucket = &table->buckets[hash & (table->bucket_count - 1)];

		if (!*bucket || !memcmp(keyed_at(table, *bucket - 1), key, table->key_size))
			return bucket;
	}
}

static int grow(struct keyed *table)
{
	uint32_t room = table->room ? 2 * table->room : FIRST;
	char *entries = room < LIMIT ? realloc(table->entries, (size_t)room * table->entry_size)
				     : NULL;
	uint32_t *buckets;

	if (!entries)
		return -1;
	table->entries = entries;
	buckets = calloc(2 * (size_t)room, sizeof(*buckets));
	if (!buckets)
		return -1;
	free(table->buckets);
	table->buckets = buckets;
	table->bucket_count = 2 * room;
	table->room = room;
	for (uint32_t i = 0; i < table->count; i++)
		*bucket_of(table, keyed_at(table, i)) = i + 1;
	return 0;
}

uint32_t keyed_get(struct keyed *table, const void *key)
{
	uint32_t *bucket;
	char *entry;

	if (table->count == table->room && grow(table))
		return KEYED_FULL;
	bucket = bucket_of(table, key);
	if (*bucket)
		return *bucket - 1;
	entry = keyed_at(table, table->count);
	memcpy(entry, key, table->key_size);
	memset(entry + table->key_size, 0, table->entry_size - table->key_size);
	*bucket = ++table->count;
	return table->count - 1;
}

void keyed_free(struct keyed *table)
{
	free(table->entries);
	free(table->buckets);
	*table = (struct keyed){.key_size = table->key_size, .entry_size = table->entry_size};
}

/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/memory.h"

enum { FIRST_CAPACITY = 256 };

struct entry {
	_Atomic uint64_t key; /* 0: free; never changes once set */
	void *_Atomic value;
};

struct map_table {
	struct map_table *older;
	uint64_t capacity; /* a power of two */
	uint64_t used;
	struct entry entries[];
};

static size_t table_size(uint64_t capacity)
{
	return sizeof(struct map_table) + capacity * sizeof(struct entry);
}

/* Returns the entry with `key`, or the free entry for it. */
static struct entry *find(struct map_table *table, uint64_t key)
{
	uint64_t at = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;

	for (at ^= at >> 32;; at++) {
		struct entry *entry = &table->entries[at & (table->capacity - 1)];
		uint64_t seen = atomic_load_explicit(&entry->key, memory_order_acquire);

		if (seen == key || !seen)
			return entry;
	}
}

void *map_get(const struct map *map, uint64_t key)
{
	struct map_table *table = atomic_load_explicit(&map->table, memory_order_acquire);
	struct entry *entry;

	if (!table || !key)
		return NULL;
	entry = find(table, key);
	if (!atomic_load_explicit(&entry->key, memory_order_acquire))
		return NULL;
	return atomic_load_explicit(&entry->value, memory_order_acquire);
}

static void put(struct map_table *table, uint64_t key, void *value)
{
	struct entry *entry = find(table, key);

	atomic_store_explicit(&entry->value, value, memory_order_release);
	if (!atomic_load_explicit(&entry->key, memory_order_relaxed)) {
		table->used++;
		atomic_store_explicit(&entry->key, key, memory_order_release);
	}
}

/* Keys whose value is NULL are not copied. */
static void copy(struct map_table *to, struct map_table *from)
{
	for (uint64_t i = 0; i < from->capacity; i++) {
		struct entry *entry = &from->entries[i];
		void *value = atomic_load_explicit(&entry->value, memory_order_relaxed);

		if (value)
			put(to, atomic_load_explicit(&entry->key, memory_order_relaxed), value);
	}
}

static struct map_table *grown(struct map_table *table)
{
	uint64_t capacity = table ? table->capacity * 2 : FIRST_CAPACITY;
	struct map_table *larger = memory_map(table_size(capacity));

	if (!larger)
		return NULL;
	larger->capacity = capacity;
	larger->older = table;
	if (table)
		copy(larger, table);
	return larger;
}

int map_set(struct map *map, uint64_t key, void *value)
{
	struct map_table *table = atomic_load_explicit(&map->table, memory_order_relaxed);

	if (!key)
		return -1;
	if (!table || table->used * 4 >= table->capacity * 3) {
		table = grown(table);
		if (!table)
			return -1;
		atomic_store_explicit(&map->table, table, memory_order_release);
	}
	put(table, key, value);
	return 0;
}

void map_free(struct map *map)
{
	struct map_table *table = atomic_load_explicit(&map->table, memory_order_relaxed);

	while (table) {
		struct map_table *older = table->older;

		memory_unmap(table, table_size(table->capacity));
		table = older;
	}
	atomic_store_explicit(&map->table, NULL, memory_order_relaxed);
}

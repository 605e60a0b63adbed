/* SPDX-License-Identifier: MIT */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A map from a 64-bit key other than 0 (a handle, a pair of ids) to a pointer. Lookups are
 * wait-free and may run while another thread adds. Only one thread at a time may add or replace
 * (callers lock). Entries are never removed: a reused handle replaces its predecessor's value, and
 * NULL clears a value. Outgrown tables are kept until map_free, since a reader may be using one;
 * together they are smaller than the current one.
 */
struct map_table;

struct map {
	struct map_table *_Atomic table;
};

/* Returns NULL if the key is unknown. */
void *map_get(const struct map *map, uint64_t key);

/* Returns 0, or -1 without memory; the map is then unchanged. */
int map_set(struct map *map, uint64_t key, void *value);
void map_free(struct map *map);

#endif

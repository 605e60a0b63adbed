/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_RECENT_MAP_H
#define VIEW_STREAM_RECENT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A map of 64-bit keys to values with a fixed size: if it is full, an added value replaces the
 * oldest one. Memory is mapped lazily.
 */
struct recent_map_place;

struct recent_map {
	uint32_t size;	   /* maximum number of values, a power of two */
	size_t value_size; /* a multiple of 8 */
	uint64_t added;	   /* number so far; modulo size, the place of the next one */
	uint64_t first;	   /* all values added before this one are removed */
	uint32_t *heads;   /* 1 + place of the first one of a hash, 0: none */
	struct recent_map_place *places;
	char *values;
};

/* Returns 0, or -1 without memory. recent_map_close also accepts a zeroed map. */
int recent_map_open(struct recent_map *map, uint32_t size, size_t value_size);
void recent_map_close(struct recent_map *map);

/* Returns the newest value of the key, or NULL. */
void *recent_map_find(const struct recent_map *map, uint64_t key);

/* Returns true if the next value replaces an old one. */
bool recent_map_is_full(const struct recent_map *map);

/* Returns the new value, which the caller sets. If the map is full, the oldest one is removed. */
void *recent_map_add(struct recent_map *map, uint64_t key);

/* Each removes a value and returns it, valid until the next recent_map_add: that of the key, and
 * the oldest of all; NULL if there is none. */
void *recent_map_take(struct recent_map *map, uint64_t key);
void *recent_map_take_oldest(struct recent_map *map);

#endif

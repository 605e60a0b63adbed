/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STREAM_RECENT_MAP_H
#define VIEW_STREAM_RECENT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Values by 64-bit keys, only so many: for each one that is added the one that was added so many
 * before it has to go, if it is still there. Memory is mapped lazily.
 */
struct recent_map_place;

struct recent_map {
	uint32_t size;	   /* how many it has room for, a power of two */
	size_t value_size; /* a multiple of 8 */
	uint64_t added;	   /* so far: the next one's place is this, modulo size */
	uint64_t first;	   /* none that was added before this one is there */
	uint32_t *heads;   /* 1 + place of the first one of a hash, 0: none */
	struct recent_map_place *places;
	char *values;
};

/* 0, or -1 without memory. recent_map_close is for a zeroed one, too. */
int recent_map_open(struct recent_map *window, uint32_t size, size_t value_size);
void recent_map_close(struct recent_map *window);

/* NULL where there is none. Of several the newest. */
void *recent_map_find(const struct recent_map *window, uint64_t key);

/* Whether one has to go before the next may come. */
bool recent_map_is_full(const struct recent_map *window);

/* The new one's value, which the caller sets. When it is full the oldest goes. */
void *recent_map_add(struct recent_map *window, uint64_t key);

/* Each returns the value that is there no longer, valid until the next recent_map_add: that of the
 * key, and the oldest of all; NULL where there is none. */
void *recent_map_take(struct recent_map *window, uint64_t key);
void *recent_map_shift(struct recent_map *window);

#endif

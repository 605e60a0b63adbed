/* SPDX-License-Identifier: MIT */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * From a 64-bit key other than 0 (a handle, a pair of ids) to a pointer. Looking up is wait-free
 * and may run while another thread adds; adding and replacing is for one thread at a time (callers
 * lock). Nothing is ever taken out: a handle that is made anew replaces what its predecessor had,
 * and setting NULL forgets it. Outgrown tables are kept until map_free, since a reader may stand
 * in one; together they are smaller than the current one.
 */
struct map_table;

struct map {
	struct map_table *_Atomic table;
};

/* NULL if the key is not there. */
void *map_get(const struct map *map, uint64_t key);

/* 0, or -1 when memory ran out and the map is unchanged. */
int map_set(struct map *map, uint64_t key, void *value);
void map_free(struct map *map);

#endif

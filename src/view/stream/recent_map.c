/* SPDX-License-Identifier: MIT */
#include "view/stream/recent_map.h"

#include "base/memory.h"

struct recent_map_place {
	uint64_t key;
	uint32_t next; /* 1 + place of the next one of the same hash, 0: none */
	bool is_used;
};

static size_t heads_size(const struct recent_map *map)
{
	return map->size * sizeof(*map->heads);
}

static size_t places_size(const struct recent_map *map)
{
	return map->size * sizeof(*map->places);
}

int recent_map_open(struct recent_map *map, uint32_t size, size_t value_size)
{
	*map = (struct recent_map){.size = size, .value_size = value_size};
	map->heads = memory_map(heads_size(map));
	map->places = memory_map(places_size(map));
	map->values = memory_map(size * value_size);
	if (map->heads && map->places && map->values)
		return 0;
	recent_map_close(map);
	return -1;
}

void recent_map_close(struct recent_map *map)
{
	memory_unmap(map->heads, heads_size(map));
	memory_unmap(map->places, places_size(map));
	memory_unmap(map->values, map->size * map->value_size);
	*map = (struct recent_map){0};
}

static uint32_t place_of(const struct recent_map *map, uint64_t number)
{
	return (uint32_t)(number & (map->size - 1));
}

static uint32_t *head_of(const struct recent_map *map, uint64_t key)
{
	return &map->heads[place_of(map, key * UINT64_C(0x9e3779b97f4a7c15) >> 32)];
}

static void *value_at(const struct recent_map *map, uint32_t place)
{
	return map->values + place * map->value_size;
}

/* Returns the link to the key's newest place, or the end of the list of its hash. */
static uint32_t *link_to(const struct recent_map *map, uint64_t key)
{
	uint32_t *link = head_of(map, key);

	while (*link && map->places[*link - 1].key != key)
		link = &map->places[*link - 1].next;
	return link;
}

void *recent_map_find(const struct recent_map *map, uint64_t key)
{
	const uint32_t *link = link_to(map, key);

	return *link ? value_at(map, *link - 1) : NULL;
}

bool recent_map_is_full(const struct recent_map *map)
{
	return map->places[place_of(map, map->added)].is_used;
}

static void *unlink_place(struct recent_map *map, uint32_t *link)
{
	uint32_t place = *link - 1;

	*link = map->places[place].next;
	map->places[place].is_used = false;
	return value_at(map, place);
}

void *recent_map_add(struct recent_map *map, uint64_t key)
{
	uint32_t place = place_of(map, map->added);
	uint32_t *head = head_of(map, key);

	if (recent_map_is_full(map))
		recent_map_take_oldest(map);
	map->places[place] = (struct recent_map_place){.key = key, .next = *head, .is_used = true};
	*head = place + 1;
	map->added++;
	return value_at(map, place);
}

void *recent_map_take(struct recent_map *map, uint64_t key)
{
	uint32_t *link = link_to(map, key);

	return *link ? unlink_place(map, link) : NULL;
}

void *recent_map_take_oldest(struct recent_map *map)
{
	uint32_t *link;
	uint32_t place;

	if (map->added - map->first > map->size)
		map->first = map->added - map->size;
	while (map->first < map->added && !map->places[place_of(map, map->first)].is_used)
		map->first++;
	if (map->first == map->added)
		return NULL;
	place = place_of(map, map->first);
	link = head_of(map, map->places[place].key);
	while (*link != place + 1)
		link = &map->places[*link - 1].next;
	return unlink_place(map, link);
}

/* SPDX-License-Identifier: MIT */
#include "view/stream/recent_map.h"

#include "base/memory.h"

struct recent_map_place {
	uint64_t key;
	uint32_t next; /* 1 + place of the next one of the same hash, 0: none */
	bool is_used;
};

static size_t heads_size(const struct recent_map *window)
{
	return window->size * sizeof(*window->heads);
}

static size_t places_size(const struct recent_map *window)
{
	return window->size * sizeof(*window->places);
}

int recent_map_open(struct recent_map *window, uint32_t size, size_t value_size)
{
	*window = (struct recent_map){.size = size, .value_size = value_size};
	window->heads = memory_map(heads_size(window));
	window->places = memory_map(places_size(window));
	window->values = memory_map(size * value_size);
	if (window->heads && window->places && window->values)
		return 0;
	recent_map_close(window);
	return -1;
}

void recent_map_close(struct recent_map *window)
{
	memory_unmap(window->heads, heads_size(window));
	memory_unmap(window->places, places_size(window));
	memory_unmap(window->values, window->size * window->value_size);
	*window = (struct recent_map){0};
}

static uint32_t place_of(const struct recent_map *window, uint64_t number)
{
	return (uint32_t)(number & (window->size - 1));
}

static uint32_t *head_of(const struct recent_map *window, uint64_t key)
{
	return &window->heads[place_of(window, key * UINT64_C(0x9e3779b97f4a7c15) >> 32)];
}

static void *value_at(const struct recent_map *window, uint32_t place)
{
	return window->values + place * window->value_size;
}

/* Returns the link to the key's newest place, or the end of the list of its hash. */
static uint32_t *link_to(const struct recent_map *window, uint64_t key)
{
	uint32_t *link = head_of(window, key);

	while (*link && window->places[*link - 1].key != key)
		link = &window->places[*link - 1].next;
	return link;
}

void *recent_map_find(const struct recent_map *window, uint64_t key)
{
	const uint32_t *link = link_to(window, key);

	return *link ? value_at(window, *link - 1) : NULL;
}

bool recent_map_is_full(const struct recent_map *window)
{
	return window->places[place_of(window, window->added)].is_used;
}

static void *unlink_place(struct recent_map *window, uint32_t *link)
{
	uint32_t place = *link - 1;

	*link = window->places[place].next;
	window->places[place].is_used = false;
	return value_at(window, place);
}

void *recent_map_add(struct recent_map *window, uint64_t key)
{
	uint32_t place = place_of(window, window->added);
	uint32_t *head = head_of(window, key);

	if (recent_map_is_full(window))
		recent_map_shift(window);
	window->places[place] =
		(struct recent_map_place){.key = key, .next = *head, .is_used = true};
	*head = place + 1;
	window->added++;
	return value_at(window, place);
}

void *recent_map_take(struct recent_map *window, uint64_t key)
{
	uint32_t *link = link_to(window, key);

	return *link ? unlink_place(window, link) : NULL;
}

void *recent_map_shift(struct recent_map *window)
{
	uint32_t *link;
	uint32_t place;

	if (window->added - window->first > window->size)
		window->first = window->added - window->size;
	while (window->first < window->added &&
	       !window->places[place_of(window, window->first)].is_used)
		window->first++;
	if (window->first == window->added)
		return NULL;
	place = place_of(window, window->first);
	link = head_of(window, window->places[place].key);
	while (*link != place + 1)
		link = &window->places[*link - 1].next;
	return unlink_place(window, link);
}

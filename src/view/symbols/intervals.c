/* SPDX-License-Identifier: MIT */
#include "view/symbols/intervals.h"

#include <stdlib.h>

enum { LIMIT = 1 << 22 /* intervals: 100 MB */ };

int intervals_add(struct intervals *to, uint64_t low, uint64_t high, uint32_t item)
{
	if (low >= high)
		return 0;
	if (to->count == to->room) {
		size_t room = to->room ? 2 * to->room : 64;
		struct interval *list = room <= LIMIT ? realloc(to->list, room * sizeof(*list))
						      : NULL;

		if (!list)
			return -1;
		to->list = list;
		to->room = room;
	}
	to->list[to->count++] = (struct interval){.low = low, .high = high, .item = item};
	return 0;
}

void intervals_free(struct intervals *intervals)
{
	free(intervals->list);
	*intervals = (struct intervals){0};
}

static int compare(const void *left, const void *right)
{
	const struct interval *one = left, *other = right;

	if (one->low != other->low)
		return one->low < other->low ? -1 : 1;
	if (one->high != other->high)
		return one->high > other->high ? -1 : 1;
	return one->item < other->item ? -1 : one->item > other->item;
}

void intervals_sort(struct intervals *intervals)
{
	struct interval *list = intervals->list;

	if (!intervals->count)
		return;
	qsort(list, intervals->count, sizeof(*list), compare);
	for (uint32_t i = 1; i < intervals->count; i++) {
		uint32_t parent = i; /* 1 + index of the one before */

		while (parent && list[parent - 1].high <= list[i].low)
			parent = list[parent - 1].parent;
		list[i].parent = parent;
	}
}

static const struct interval *with(const struct intervals *intervals, uint32_t number,
				   uint64_t address)
{
	while (number && intervals->list[number - 1].high <= address)
		number = intervals->list[number - 1].parent;
	return number ? &intervals->list[number - 1] : NULL;
}

const struct interval *intervals_find(const struct intervals *intervals, uint64_t address)
{
	size_t first = 0, end = intervals->count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (intervals->list[middle].low <= address)
			first = middle + 1;
		else
			end = middle;
	}
	return with(intervals, (uint32_t)first, address);
}

const struct interval *intervals_around(const struct intervals *intervals,
					const struct interval *inner, uint64_t address)
{
	return with(intervals, inner->parent, address);
}

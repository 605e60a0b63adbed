/* SPDX-License-Identifier: MIT */
#include "view/totals/rangetree.h"

static uint64_t later(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

static uint64_t set_reach(struct range *list, size_t count)
{
	size_t middle = count / 2;
	uint64_t sides;

	if (!count)
		return 0;
	sides = later(set_reach(list, middle), set_reach(list + middle + 1, count - middle - 1));
	list[middle].reach = later(list[middle].until, sides);
	return list[middle].reach;
}

void rangetree_make(struct range *list, size_t count)
{
	set_reach(list, count);
}

void rangetree_find(const struct range *list, size_t count, uint64_t enter, uint64_t leave,
		    struct strbuf *labels)
{
	while (count) {
		size_t middle = count / 2;
		const struct range *range = &list[middle];

		if (range->reach < enter)
			return;
		rangetree_find(list, middle, enter, leave, labels);
		if (range->start > enter)
			return;
		if (range->until >= enter && range->end >= leave)
			strbuf_append(labels, &range->label, sizeof(range->label));
		list += middle + 1;
		count -= middle + 1;
	}
}

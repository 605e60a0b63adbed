/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_RANGETREE_H
#define VIEW_TOTALS_RANGETREE_H

#include "base/strbuf.h"

/*
 * The ranges of a thread in the order of their starts, as an implicit tree without further memory:
 * the middle element of the array is the root, and each side of it is a tree again.
 */
struct range {
	uint64_t start;
	uint64_t end;
	union {
		uint64_t id;	/* of the mark; not in a tree */
		uint64_t until; /* in a tree: later calls are found by the label's next range */
	};
	union {
		struct {
			uint32_t domain;
			uint32_t name;
		};		/* not in a tree */
		uint64_t reach; /* in a tree: latest `until` of this range and to either side */
	};
	uint32_t thread;
	uint32_t label;
};

/* Makes a tree of ranges in the order of their starts. */
void rangetree_make(struct range *list, size_t count);

/* Appends the labels (uint32_t) of those with start <= enter <= until and leave <= end, in the
 * order of their starts. Time: the logarithm of `count` for each range that `enter` is in. */
void rangetree_find(const struct range *list, size_t count, uint64_t enter, uint64_t leave,
		    struct strbuf *labels);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_BOXES_H
#define VIEW_STACKS_BOXES_H

#include "view/stacks/folded.h"

/* The places of functions in a drawn flame graph: each is as wide as its time, below its caller. */
struct box {
	uint64_t total; /* ns, of it and its callees */
	uint64_t self;
	uint64_t start; /* sum of what is left of it */
	uint64_t next;	/* start of its next callee */
	uint32_t depth; /* 0 for the outermost */
	bool last;	/* it is behind the callees of its caller for which this is not set */
};

struct boxes {
	struct box *list; /* by number in flame.functions */
	uint32_t *order;  /* these numbers by depth, then callers, then `last`, then names */
	uint32_t count;
	uint64_t total;
};

/* Adds up the times; `order` is that of flame.functions. Returns -1 without memory; call boxes_free
 * in any case. */
int boxes_make(struct boxes *boxes, const struct flame *flame, const struct folded *folded);
void boxes_free(struct boxes *boxes);

/* Sorts `order`, and sets the starts. */
void boxes_place(struct boxes *boxes, const struct flame *flame);

#endif

/* SPDX-License-Identifier: MIT */
#include "view/stacks/boxes.h"

#include <stdlib.h>
#include <string.h>

#include "model/amount.h"

/* Callers have lower numbers than what they call. */
static void add_up(struct boxes *boxes, const struct flame *flame, const struct folded *folded)
{
	for (uint32_t i = 0; i < boxes->count; i++) {
		uint32_t parent = flame_function(flame, i)->parent;
		struct box *box = &boxes->list[i];

		box->depth = parent ? boxes->list[parent - 1].depth + 1 : 0;
		for (int class = 0; class < FLAME_CLASSES; class ++)
			box->self = amount_add(box->self, folded->time[class][i]);
		box->total = box->self;
		boxes->order[i] = i;
	}
	for (uint32_t i = boxes->count; i-- > 0;) {
		uint32_t parent = flame_function(flame, i)->parent;
		uint64_t *sum = parent ? &boxes->list[parent - 1].total : &boxes->total;

		*sum = amount_add(*sum, boxes->list[i].total);
	}
}

int boxes_make(struct boxes *boxes, const struct flame *flame, const struct folded *folded)
{
	size_t count = flame->functions.count;

	*boxes = (struct boxes){
		.list = calloc(count + 1, sizeof(*boxes->list)),
		.order = calloc(count + 1, sizeof(*boxes->order)),
		.count = (uint32_t)count,
	};
	if (!boxes->list || !boxes->order)
		return -1;
	add_up(boxes, flame, folded);
	return 0;
}

void boxes_free(struct boxes *boxes)
{
	free(boxes->list);
	free(boxes->order);
}

struct sorting {
	const struct boxes *boxes;
	const struct flame *flame;
};

static const char *name_of(const struct flame *flame, uint32_t function)
{
	size_t length;

	return names_text(flame->names, flame_function(flame, function)->name, &length);
}

static int compare(const void *left, const void *right, void *context)
{
	const struct sorting *sorting = context;
	uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
	const struct box *first = &sorting->boxes->list[one];
	const struct box *second = &sorting->boxes->list[other];
	uint32_t caller = flame_function(sorting->flame, one)->parent;
	uint32_t other_caller = flame_function(sorting->flame, other)->parent;

	if (first->depth != second->depth)
		return first->depth < second->depth ? -1 : 1;
	if (caller != other_caller)
		return caller < other_caller ? -1 : 1;
	if (first->last != second->last)
		return first->last ? 1 : -1;
	return strcmp(name_of(sorting->flame, one), name_of(sorting->flame, other));
}

void boxes_place(struct boxes *boxes, const struct flame *flame)
{
	struct sorting sorting = {.boxes = boxes, .flame = flame};
	uint64_t start = 0;

	qsort_r(boxes->order, boxes->count, sizeof(*boxes->order), compare, &sorting);
	for (uint32_t i = 0; i < boxes->count; i++) {
		uint32_t function = boxes->order[i];
		struct box *box = &boxes->list[function];
		uint32_t parent = flame_function(flame, function)->parent;
		uint64_t *next = parent ? &boxes->list[parent - 1].next : &start;

		box->start = box->next = *next;
		*next = amount_add(*next, box->total);
	}
}

/* SPDX-License-Identifier: MIT */
#include "view/totals/memory_usage.h"

#include <stdlib.h>

#include "base/memory.h"
#include "view/stream/external_sort.h"

/* Sums of what a file claims, which may be any number. */
__extension__ typedef unsigned __int128 wide;

/* A start or an end, by address and place. */
struct change {
	uint64_t bytes;
	uint64_t number; /* equal times keep the order of the file */
	uint64_t is_end;
};

/* The change by a start or an end, by time. */
struct step {
	uint64_t added;
	uint64_t taken;
	uint32_t place;
	int32_t allocations; /* change in the number of allocations: 1, 0 or -1 */
};

enum { PLACES = (CATALOG_CONTEXTS + 1) * INUSE_KINDS };

struct memory_usage {
	struct external_sort *changes; /* struct change; NULL: they have become steps */
	struct external_sort *steps;   /* struct step */
	uint64_t added;
	wide *bytes; /* in use: of each context, the unknown one first, INUSE_KINDS */
	wide total;
	uint64_t live; /* allocations without an end */
};

struct memory_usage *memory_usage_new(void)
{
	struct memory_usage *inuse = calloc(1, sizeof(*inuse));

	if (!inuse)
		return NULL;
	inuse->changes = external_sort_new(0);
	inuse->steps = external_sort_new(0);
	inuse->bytes = memory_map(PLACES * sizeof(*inuse->bytes));
	if (inuse->changes && inuse->steps && inuse->bytes)
		return inuse;
	memory_usage_free(inuse);
	return NULL;
}

void memory_usage_free(struct memory_usage *inuse)
{
	if (!inuse)
		return;
	external_sort_free(inuse->changes);
	external_sort_free(inuse->steps);
	memory_unmap(inuse->bytes, PLACES * sizeof(*inuse->bytes));
	free(inuse);
}

static uint32_t place_of(const struct allocation *allocation)
{
	uint32_t context =
		allocation->context < CATALOG_CONTEXTS ? allocation->context + 1 : 0;
	uint16_t kind =
		allocation->memory < INUSE_KINDS ? allocation->memory : MEMORY_KIND_UNKNOWN;

	return context * INUSE_KINDS + kind;
}

int memory_usage_add(struct memory_usage *inuse, const struct allocation *allocation,
		     struct strbuf *error)
{
	bool is_end = allocation->frame.flags & ALLOCATION_FREED;
	const struct change change = {allocation->bytes, inuse->added++, is_end};
	const struct sort_item item = {
		.key = allocation->address,
		.second = place_of(allocation),
		.third = is_end ? allocation->enter : allocation->leave,
		.bytes = &change,
		.size = sizeof(change),
	};

	return external_sort_add(inuse->changes, &item, error);
}

/* The allocation at the address and place of the latest change. */
struct there {
	uint64_t address, place;
	uint64_t bytes;
	bool is_there;
};

static struct step step_of(struct there *there, const struct sort_item *item)
{
	const struct change *change = item->bytes;
	struct step step = {.place = (uint32_t)item->second};

	if (there->address != item->key || there->place != item->second)
		*there = (struct there){.address = item->key, .place = item->second};
	step.taken = there->is_there ? there->bytes : 0;
	step.added = change->is_end ? 0 : change->bytes;
	step.allocations = !change->is_end - there->is_there;
	there->bytes = step.added;
	there->is_there = !change->is_end;
	return step;
}

static int make_steps(struct memory_usage *inuse, struct strbuf *error)
{
	struct there there = {0};
	struct sort_item item;
	int found;

	while ((found = external_sort_next(inuse->changes, &item, error)) > 0) {
		const struct change *change = item.bytes;
		const struct step step = step_of(&there, &item);
		const struct sort_item next = {
			.key = item.third,
			.second = change->number,
			.bytes = &step,
			.size = sizeof(step),
		};

		if (external_sort_add(inuse->steps, &next, error))
			return -1;
	}
	external_sort_free(inuse->changes);
	inuse->changes = NULL;
	return found;
}

/* Viewers use signed numbers. */
static uint64_t shown(wide bytes)
{
	return bytes < INT64_MAX ? (uint64_t)bytes : INT64_MAX;
}

int memory_usage_next(struct memory_usage *inuse, struct memory_usage_sample *sample,
		      struct strbuf *error)
{
	const struct step *step;
	struct sort_item item;
	wide *bytes;
	int found;

	if (inuse->changes && make_steps(inuse, error))
		return -1;
	found = external_sort_next(inuse->steps, &item, error);
	if (found <= 0)
		return found;
	step = item.bytes;
	bytes = &inuse->bytes[step->place];
	*bytes += step->added;
	*bytes -= step->taken;
	inuse->total += step->added;
	inuse->total -= step->taken;
	inuse->live += (uint64_t)(int64_t)step->allocations;
	*sample = (struct memory_usage_sample){
		.time = item.key,
		.context = step->place / INUSE_KINDS ? step->place / INUSE_KINDS - 1 : UINT32_MAX,
		.kind = step->place % INUSE_KINDS,
		.bytes = shown(*bytes),
		.total = shown(inuse->total),
	};
	return 1;
}

uint64_t memory_usage_left(const struct memory_usage *inuse, uint64_t *bytes)
{
	*bytes = shown(inuse->total);
	return inuse->live;
}

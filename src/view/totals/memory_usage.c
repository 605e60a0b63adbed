/* SPDX-License-Identifier: MIT */
#include "view/totals/memory_usage.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/api.h"
#include "view/stream/external_sort.h"

/* Sums of numbers in the file, which may be arbitrary. */
__extension__ typedef unsigned __int128 wide;

/* A start or an end, by address, address space and kind. */
struct delta {
	uint64_t bytes;
	uint64_t number; /* equal times keep the order of the file */
	uint32_t place;	 /* context and kind */
	uint32_t is_end;
};

/* The change of a place by a start or an end, by time. */
struct step {
	uint64_t added;
	uint64_t taken;
	uint32_t place;
	int32_t allocations; /* change in the number of allocations: 1, 0 or -1 */
};

enum { PLACES = (CATALOG_CONTEXTS + 1) * INUSE_KINDS };

struct memory_usage {
	struct external_sort *changes; /* struct delta; NULL: they have become steps */
	struct external_sort *steps;   /* struct step */
	uint64_t added;
	wide *bytes; /* in use: of each context, the unknown one first, INUSE_KINDS */
	wide total;
	uint64_t live; /* allocations without an end */
};

struct memory_usage *memory_usage_new(void)
{
	struct memory_usage *usage = calloc(1, sizeof(*usage));

	if (!usage)
		return NULL;
	usage->changes = external_sort_new(0);
	usage->steps = external_sort_new(0);
	usage->bytes = memory_map(PLACES * sizeof(*usage->bytes));
	if (usage->changes && usage->steps && usage->bytes)
		return usage;
	memory_usage_free(usage);
	return NULL;
}

void memory_usage_free(struct memory_usage *usage)
{
	if (!usage)
		return;
	external_sort_free(usage->changes);
	external_sort_free(usage->steps);
	memory_unmap(usage->bytes, PLACES * sizeof(*usage->bytes));
	free(usage);
}

static uint32_t place_of(const struct allocation *allocation)
{
	uint32_t context =
		allocation->context < CATALOG_CONTEXTS ? allocation->context + 1 : 0;
	uint16_t kind =
		allocation->memory < INUSE_KINDS ? allocation->memory : MEMORY_KIND_UNKNOWN;

	return context * INUSE_KINDS + kind;
}

/* Returns a number of the address space and the kind. */
static uint64_t space_of(const struct allocation *allocation, uint32_t place)
{
	struct allocation known = *allocation;

	if (known.context >= CATALOG_CONTEXTS)
		known.context = UINT32_MAX;
	return (uint64_t)api_address_space(&known) * INUSE_KINDS + place % INUSE_KINDS;
}

int memory_usage_add(struct memory_usage *usage, const struct allocation *allocation,
		     struct strbuf *error)
{
	bool is_end = allocation->frame.flags & ALLOCATION_FREED;
	uint32_t place = place_of(allocation);
	const struct delta change = {allocation->bytes, usage->added++, place, is_end};
	const struct sort_item item = {
		.key = allocation->address,
		.second = space_of(allocation, place),
		.third = is_end ? allocation->enter : allocation->leave,
		.bytes = &change,
		.size = sizeof(change),
	};

	return external_sort_add(usage->changes, &item, error);
}

/* The allocation at the address of the latest change. */
struct there {
	uint64_t address, space; /* with the kind */
	uint64_t bytes;
	uint32_t place;
	bool is_there;
};

static int add_step(struct memory_usage *usage, const struct sort_item *item,
		    const struct step *step, struct strbuf *error)
{
	const struct delta *change = item->bytes;
	const struct sort_item next = {
		.key = item->third,
		.second = change->number,
		.bytes = step,
		.size = sizeof(*step),
	};

	return external_sort_add(usage->steps, &next, error);
}

/* The old allocation is taken from its own place, which may be another one than the change has. */
static int add_steps(struct memory_usage *usage, struct there *there, const struct sort_item *item,
		     struct strbuf *error)
{
	const struct delta *change = item->bytes;
	struct step step = {.place = change->place};

	if (there->address != item->key || there->space != item->second)
		*there = (struct there){.address = item->key, .space = item->second};
	if (there->is_there) {
		step = (struct step){
			.place = there->place, .taken = there->bytes, .allocations = -1};
		if (!change->is_end && there->place != change->place) {
			if (add_step(usage, item, &step, error))
				return -1;
			step = (struct step){.place = change->place};
		}
	}
	if (!change->is_end) {
		step.added = change->bytes;
		step.allocations++;
	}
	there->is_there = !change->is_end;
	there->bytes = step.added;
	there->place = step.place;
	return add_step(usage, item, &step, error);
}

static int make_steps(struct memory_usage *usage, struct strbuf *error)
{
	struct there there = {0};
	struct sort_item item;
	int found;

	while ((found = external_sort_next(usage->changes, &item, error)) > 0)
		if (add_steps(usage, &there, &item, error))
			return -1;
	external_sort_free(usage->changes);
	usage->changes = NULL;
	return found;
}

/* Viewers use signed numbers. */
static uint64_t shown(wide bytes)
{
	return bytes < INT64_MAX ? (uint64_t)bytes : INT64_MAX;
}

int memory_usage_next(struct memory_usage *usage, struct memory_usage_sample *sample,
		      struct strbuf *error)
{
	const struct step *step;
	struct sort_item item;
	wide *bytes;
	int found;

	if (usage->changes && make_steps(usage, error))
		return -1;
	found = external_sort_next(usage->steps, &item, error);
	if (found <= 0)
		return found;
	step = item.bytes;
	bytes = &usage->bytes[step->place];
	*bytes += step->added;
	*bytes -= step->taken;
	usage->total += step->added;
	usage->total -= step->taken;
	usage->live += (uint64_t)(int64_t)step->allocations;
	*sample = (struct memory_usage_sample){
		.time = item.key,
		.context = step->place / INUSE_KINDS ? step->place / INUSE_KINDS - 1 : UINT32_MAX,
		.kind = step->place % INUSE_KINDS,
		.bytes = shown(*bytes),
		.total = shown(usage->total),
	};
	return 1;
}

uint64_t memory_usage_left(const struct memory_usage *usage, uint64_t *bytes)
{
	*bytes = shown(usage->total);
	return usage->live;
}

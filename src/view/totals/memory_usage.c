/* SPDX-License-Identifier: MIT */
#include "view/totals/memory_usage.h"

#include "base/memory.h"

struct memory_usage_change {
	uint64_t time;
	uint64_t number; /* those of one moment leave in the order in which they came */
	uint64_t address;
	uint64_t bytes;
	uint32_t context;
	uint16_t kind;
	bool is_end;
};

/* An allocation that has no end so far. */
struct there {
	uint64_t address;
	uint64_t bytes;
	uint32_t place; /* in inuse->bytes */
	uint32_t padding;
};

enum {
	WAITING_SIZE = INUSE_WAITING * sizeof(struct memory_usage_change),
	PLACES = (CATALOG_CONTEXTS + 1) * INUSE_KINDS,
	BYTES_SIZE = PLACES * sizeof(uint64_t)
};

int memory_usage_open(struct memory_usage *inuse)
{
	*inuse = (struct memory_usage){0};
	inuse->waiting = memory_map(WAITING_SIZE);
	inuse->bytes = memory_map(BYTES_SIZE);
	if (inuse->waiting && inuse->bytes &&
	    !recent_map_open(&inuse->there, INUSE_ALLOCATIONS, sizeof(struct there)))
		return 0;
	memory_usage_close(inuse);
	return -1;
}

void memory_usage_close(struct memory_usage *inuse)
{
	if (inuse->waiting)
		memory_unmap(inuse->waiting, WAITING_SIZE);
	if (inuse->bytes)
		memory_unmap(inuse->bytes, BYTES_SIZE);
	recent_map_close(&inuse->there);
	*inuse = (struct memory_usage){0};
}

bool memory_usage_is_full(const struct memory_usage *inuse)
{
	return inuse->count == INUSE_WAITING;
}

static bool is_before(const struct memory_usage_change *one,
		      const struct memory_usage_change *other)
{
	return one->time != other->time ? one->time < other->time : one->number < other->number;
}

void memory_usage_add(struct memory_usage *inuse, const struct allocation *allocation)
{
	bool is_end = allocation->frame.flags & ALLOCATION_FREED;
	struct memory_usage_change change = {
		.time = is_end ? allocation->enter : allocation->leave,
		.number = inuse->added++,
		.address = allocation->address,
		.bytes = allocation->bytes,
		.context =
			allocation->context < CATALOG_CONTEXTS ? allocation->context : UINT32_MAX,
		.kind = allocation->memory < INUSE_KINDS ? allocation->memory : MEMORY_KIND_UNKNOWN,
		.is_end = is_end,
	};
	uint32_t at = inuse->count++;

	for (; at && is_before(&change, &inuse->waiting[(at - 1) / 2]); at = (at - 1) / 2)
		inuse->waiting[at] = inuse->waiting[(at - 1) / 2];
	inuse->waiting[at] = change;
}

/* Takes the first one out of the heap. */
static struct memory_usage_change shift(struct memory_usage *inuse)
{
	struct memory_usage_change *heap = inuse->waiting;
	struct memory_usage_change first = heap[0], last = heap[--inuse->count];
	uint32_t at = 0, next = 1;

	while (next < inuse->count) {
		if (next + 1 < inuse->count && is_before(&heap[next + 1], &heap[next]))
			next++;
		if (is_before(&last, &heap[next]))
			break;
		heap[at] = heap[next];
		at = next;
		next = 2 * at + 1;
	}
	heap[at] = last;
	return first;
}

static uint32_t place_of(const struct memory_usage_change *change)
{
	uint32_t context = change->context == UINT32_MAX ? 0 : change->context + 1;

	return context * INUSE_KINDS + change->kind;
}

/* Takes it out, if it is there; the bytes it had. */
static bool forget(struct memory_usage *inuse, uint64_t key,
		   const struct memory_usage_change *change, uint64_t *bytes)
{
	const struct there *there = recent_map_find(&inuse->there, key);

	if (!there || there->address != change->address || there->place != place_of(change))
		return false;
	*bytes = there->bytes;
	recent_map_take(&inuse->there, key);
	return true;
}

/* What was forgotten may have taken away more than it had added. */
static void take_away(uint64_t *from, uint64_t bytes)
{
	*from -= bytes < *from ? bytes : *from;
}

/* A file may claim any number. Viewers have signed ones. */
static void add_to(uint64_t *to, uint64_t bytes)
{
	*to += bytes < INT64_MAX - *to ? bytes : INT64_MAX - *to;
}

static void begin(struct memory_usage *inuse, uint64_t key,
		  const struct memory_usage_change *change)
{
	uint64_t *used = &inuse->bytes[place_of(change)], before;
	uint64_t older, bytes;

	if (forget(inuse, key, change, &older))
		take_away(used, older);
	else
		inuse->live++;
	before = *used;
	add_to(used, change->bytes);
	bytes = *used - before;
	inuse->has_forgotten |= recent_map_is_full(&inuse->there);
	*(struct there *)recent_map_add(&inuse->there, key) = (struct there){
		.address = change->address, .bytes = bytes, .place = place_of(change)};
}

static void end(struct memory_usage *inuse, uint64_t key, const struct memory_usage_change *change)
{
	uint64_t bytes = 0;

	if (forget(inuse, key, change, &bytes)) {
		inuse->live--;
	} else if (inuse->has_forgotten) {
		bytes = change->bytes;
		take_away(&inuse->live, 1);
	}
	take_away(&inuse->bytes[place_of(change)], bytes);
}

bool memory_usage_shift(struct memory_usage *inuse, struct memory_usage_sample *sample)
{
	struct memory_usage_change change;
	uint64_t key, before;

	if (!inuse->count)
		return false;
	change = shift(inuse);
	before = inuse->bytes[place_of(&change)];
	key = change.address ^ place_of(&change) * UINT64_C(0xd6e8feb86659fd93);
	if (inuse->time < change.time)
		inuse->time = change.time;
	if (change.is_end)
		end(inuse, key, &change);
	else
		begin(inuse, key, &change);
	take_away(&inuse->total, before);
	add_to(&inuse->total, inuse->bytes[place_of(&change)]);
	*sample = (struct memory_usage_sample){.time = inuse->time,
					.context = change.context,
					.kind = change.kind,
					.bytes = inuse->bytes[place_of(&change)],
					.total = inuse->total};
	return true;
}

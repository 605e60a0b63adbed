/* SPDX-License-Identifier: MIT */
#include "session/value_counts.h"

#include <string.h>

enum {
	SEEN = 1 << 16, /* bits */
	WORDS = 64,
};

static uint64_t seen[SEEN / WORDS]; /* a bit for each hash of a value in the last large table, for
				     * a first look if it is full */

void value_counts_begin(struct value_counts *counts, struct value_count *slots, uint64_t elements)
{
	unsigned size = 16;

	while (size < VALUE_SLOTS && size < 2 * elements)
		size *= 2;
	*counts = (struct value_counts){.slots = slots, .mask = size - 1, .last = slots};
	memset(slots, 0, size * sizeof(*slots));
	if (size == VALUE_SLOTS) /* smaller ones are never full */
		memset(seen, 0, sizeof(seen));
}

/* Returns the value's slot, NULL if no more values are counted. */
static struct value_count *slot_of(struct value_counts *counts, uint64_t value)
{
	uint64_t hash = value * UINT64_C(0x9e3779b97f4a7c15);
	unsigned bit = (unsigned)(hash >> 40) % SEEN, at = bit & counts->mask;
	struct value_count *slot = &counts->slots[at];

	if (counts->is_full && !(seen[bit / WORDS] >> bit % WORDS & 1))
		return NULL;
	while (slot->count && slot->value != value)
		slot = &counts->slots[at = (at + 1) & counts->mask];
	if (slot->count)
		return slot;
	if (counts->distinct == VALUE_DISTINCT) {
		counts->is_full = true;
		return NULL;
	}
	counts->distinct++;
	seen[bit / WORDS] |= UINT64_C(1) << bit % WORDS;
	slot->value = value;
	return slot;
}

bool value_counts_add(struct value_counts *counts, uint64_t value, uint64_t times)
{
	struct value_count *slot = counts->last;
	bool is_old;

	if (!slot->count || slot->value != value)
		slot = slot_of(counts, value);
	if (!slot)
		return false;
	is_old = slot->count;
	slot->count += times;
	counts->last = slot;
	return is_old;
}

static bool comes_before(const struct value_count *one, const struct value_count *other)
{
	if (one->count != other->count)
		return one->count > other->count;
	return one->value < other->value;
}

static void add_top(struct value_set *set, const struct value_count *slot)
{
	uint32_t at = set->top_count;

	if (at == VALUE_TOP && !comes_before(slot, &set->top[at - 1]))
		return;
	at = at < VALUE_TOP ? set->top_count++ : at - 1;
	for (; at && comes_before(slot, &set->top[at - 1]); at--)
		set->top[at] = set->top[at - 1];
	set->top[at] = *slot;
}

void value_counts_end(const struct value_counts *counts, struct value_set *set)
{
	set->distinct = counts->distinct;
	set->has_more = counts->is_full;
	for (unsigned i = 0; i <= counts->mask; i++)
		if (counts->slots[i].count > 1)
			add_top(set, &counts->slots[i]);
}

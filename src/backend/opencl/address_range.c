/* SPDX-License-Identifier: MIT */
#include "backend/opencl/address_range.h"

#include <stdatomic.h>
#include <stdint.h>

enum { MAX_RANGES = 1024 };

struct range {
	atomic_uintptr_t begin; /* 0: the entry is free */
	atomic_uintptr_t end;
};

static struct range sets[ADDRESS_RANGE_SETS][MAX_RANGES];
static atomic_uint used[ADDRESS_RANGE_SETS]; /* number of entries that were ever used */

void address_range_add(enum address_range_set set, const void *begin, size_t size)
{
	for (unsigned i = 0; begin && i < MAX_RANGES; i++) {
		struct range *range = &sets[set][i];
		uintptr_t free = 0;

		if (!atomic_compare_exchange_strong(&range->begin, &free, (uintptr_t)begin))
			continue;
		range->end = (uintptr_t)begin + size;
		for (unsigned seen = used[set]; seen <= i;)
			if (atomic_compare_exchange_weak(&used[set], &seen, i + 1))
				break;
		return;
	}
}

void address_range_remove(enum address_range_set set, const void *begin)
{
	for (unsigned i = 0; begin && i < used[set]; i++) {
		struct range *range = &sets[set][i];

		if (range->begin != (uintptr_t)begin)
			continue;
		range->end = 0;
		range->begin = 0;
		return;
	}
}

bool address_range_has(enum address_range_set set, const void *address)
{
	uintptr_t at = (uintptr_t)address;

	for (unsigned i = 0; i < used[set]; i++)
		if (at >= sets[set][i].begin && at < sets[set][i].end)
			return true;
	return false;
}

const void *address_range_find(enum address_range_set set, const void *address, size_t *size)
{
	uintptr_t at = (uintptr_t)address;

	for (unsigned i = 0; i < used[set]; i++) {
		uintptr_t begin = sets[set][i].begin, end = sets[set][i].end;

		if (at < begin || at >= end)
			continue;
		*size = end - begin;
		return (const void *)begin;
	}
	return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "backend/sampling/samples.h"

#include <stdatomic.h>

#include "base/memory.h"

/* A slot is a page: pages that no sample needs use no memory. The writer empties the table at
 * least every 90 ms. */
enum { SLOTS = 4096 };

enum slot_state { SLOT_FREE, SLOT_TAKEN, SLOT_READY };

_Static_assert(sizeof(struct cpu_sample) <= 4096, "a slot is a page");

static struct cpu_sample *slots;
static _Atomic uint32_t used; /* slots below this were used */
static _Atomic uint64_t lost;

int samples_init(void)
{
	if (!slots)
		slots = memory_map(SLOTS * sizeof(*slots));
	return slots ? 0 : -1;
}

/* The first slots are used first, so few pages are touched. */
struct cpu_sample *samples_get(void)
{
	for (uint32_t i = 0; i < SLOTS; i++) {
		uint32_t state = SLOT_FREE, before;

		if (atomic_load_explicit(&slots[i].state, memory_order_relaxed) != SLOT_FREE ||
		    !atomic_compare_exchange_strong(&slots[i].state, &state, SLOT_TAKEN))
			continue;
		before = atomic_load(&used);
		while (before <= i && !atomic_compare_exchange_weak(&used, &before, i + 1))
			;
		return &slots[i];
	}
	atomic_fetch_add(&lost, 1);
	return NULL;
}

void samples_put(struct cpu_sample *sample)
{
	atomic_store_explicit(&sample->state, SLOT_READY, memory_order_release);
}

uint64_t samples_take(void (*take)(const struct cpu_sample *sample))
{
	uint32_t end = atomic_load(&used);
	uint64_t taken = 0;

	for (uint32_t i = 0; i < end; i++) {
		if (atomic_load_explicit(&slots[i].state, memory_order_acquire) != SLOT_READY)
			continue;
		take(&slots[i]);
		atomic_store_explicit(&slots[i].state, SLOT_FREE, memory_order_release);
		taken++;
	}
	return taken;
}

bool samples_are_ready(void)
{
	uint32_t end = atomic_load(&used);

	for (uint32_t i = 0; i < end; i++)
		if (atomic_load(&slots[i].state) == SLOT_READY)
			return true;
	return false;
}

uint64_t samples_lost(void)
{
	return atomic_exchange(&lost, 0);
}

void samples_forked(void)
{
	uint32_t end = atomic_load(&used);

	for (uint32_t i = 0; i < end; i++)
		atomic_store(&slots[i].state, SLOT_FREE);
	atomic_store(&lost, 0);
}

/* SPDX-License-Identifier: MIT */
#include "backend/cuda/launch_stacks.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/say.h"
#include "session/stacks.h"

enum { SLOTS = 1 << 17 };

bool launch_stacks_on;

/* The id in the upper half, its stack in the lower half. NULL: no stacks are requested. */
static _Atomic uint64_t *_Atomic table;

static _Atomic uint64_t *slot_of(uint32_t correlation)
{
	_Atomic uint64_t *slots = atomic_load_explicit(&table, memory_order_acquire);

	return slots ? &slots[correlation % SLOTS] : NULL;
}

bool launch_stacks_start(const struct settings *settings)
{
	void *none = NULL, *slots;

	if (!settings->stacks || !settings_have_stacks(settings))
		return false;
	slots = memory_map(SLOTS * sizeof(uint64_t));
	if (!slots) {
		say_no_memory();
		return false;
	}
	if (!atomic_compare_exchange_strong(&table, (_Atomic uint64_t **)&none, slots)) {
		memory_unmap(slots, SLOTS * sizeof(uint64_t));
		return false;
	}
	__atomic_store_n(&launch_stacks_on, true, __ATOMIC_RELEASE);
	return true;
}

/* A call of the driver inside one of the runtime API has the same id: the outer one is first. */
void launch_stacks_note(const struct cupti_call *call)
{
	_Atomic uint64_t *slot = slot_of(call->correlation);

	if (!slot || call->site != CUPTI_ENTER || !call->correlation ||
	    atomic_load_explicit(slot, memory_order_relaxed) >> 32 == call->correlation)
		return;
	atomic_store_explicit(slot, (uint64_t)call->correlation << 32 | stacks_here(),
			      memory_order_release);
}

uint32_t launch_stacks_of(uint32_t correlation)
{
	_Atomic uint64_t *slot = slot_of(correlation);
	uint64_t value = slot ? atomic_load_explicit(slot, memory_order_acquire) : 0;

	return value >> 32 == correlation ? (uint32_t)value : 0;
}

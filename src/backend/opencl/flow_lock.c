/* SPDX-License-Identifier: MIT */
#include "backend/opencl/flow_lock.h"

#include "backend/opencl/flow_wait.h"
#include "base/clock.h"

enum { FREE, TAKEN, WAITED_FOR };

bool flow_lock_take(struct flow_lock *lock)
{
	uint32_t state = FREE;
	uint64_t limit;

	if (atomic_compare_exchange_strong(&lock->state, &state, TAKEN))
		return true;
	limit = clock_monotonic() + FLOW_PATIENCE;
	while (atomic_exchange(&lock->state, WAITED_FOR) != FREE)
		if (!flow_sleep(&lock->state, WAITED_FOR, limit))
			return false;
	return true;
}

void flow_lock_give(struct flow_lock *lock)
{
	if (atomic_exchange(&lock->state, FREE) == WAITED_FOR)
		flow_wake(&lock->state);
}

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FLOW_LOCK_H
#define BACKEND_OPENCL_FLOW_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A lock of the data flow, free if it is zero. Its holder may wait for the driver, which may wait
 * for the program, so nobody waits for the lock without a limit.
 */
struct flow_lock {
	_Atomic uint32_t state;
};

/* Returns false if it is not free within FLOW_PATIENCE, or if the data flow ends meanwhile. */
bool flow_lock_take(struct flow_lock *lock);
void flow_lock_give(struct flow_lock *lock);

#endif

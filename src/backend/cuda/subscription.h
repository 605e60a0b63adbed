/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_SUBSCRIPTION_H
#define BACKEND_CUDA_SUBSCRIPTION_H

#include <stdbool.h>

#include "backend/cuda/calls.h"
#include "backend/cuda/cupti.h"

/* Subscribes `called` to the creation and destruction of objects, and to the calls by which a
 * program controls its profiler. None of them is part of a launch. Returns CUPTI_DONE or CUPTI's
 * error; after an error there is no subscription. */
int subscription_begin(cupti_callback_function *called);
void subscription_end(void);

/* Also subscribes to launches, for counters.h and takeover.h. This is never undone: the end of a
 * launch under way would be missed. */
void subscription_want_launches(void);

/* Also subscribes to the calls of both APIs that make work, or to all calls, for launch_stacks.h.
 */
void subscription_want_stacks(bool all);

/* Also subscribes to the calls of memory_calls.h. */
void subscription_want_uses(void);

/* Also subscribes to contexts before they end, for counters.h. */
void subscription_want_context_ends(void);

/* Returns true if calls of this kind are subscribed to. */
static inline bool subscription_is_launch(enum call_kind kind)
{
	return calls_launch(kind) || kind == CALL_GRAPH || kind == CALL_CAPTURE ||
	       kind == CALL_CAPTURE_END;
}

#endif

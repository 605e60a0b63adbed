/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_ACTIVITY_EVENT_H
#define BACKEND_CUDA_ACTIVITY_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti_events.h"

/*
 * What the program does beside calls and work: it waits, makes streams, allocates memory, and is
 * held up by the driver and CUPTI. Each becomes an event (model/event.h). Waits, streams and
 * allocations have the thread of the call that they are from, and the latter two its time; they
 * wait for it for at most a second. By one thread at a time, under the session's drain lock.
 */

/* Nothing if it is of another kind. Names are numbers in the catalog (buffers.h). */
void activity_event_add(const struct cupti_record *record);

/* Sends out what has its call; with `all`, everything. How many that were. */
uint64_t activity_event_hand_on(bool all);

#endif

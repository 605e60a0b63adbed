/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_ACTIVITY_EVENT_H
#define BACKEND_CUDA_ACTIVITY_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti_events.h"

/*
 * Events (model/event.h) other than calls: waits, streams, memory allocations, and overheads of the
 * driver and CUPTI. Waits, streams and allocations have the thread of their call, and the latter
 * two its time; they wait for it for at most a second. Not thread-safe; called under the session's
 * drain lock.
 */

/* Ignores records of other kinds. Names are ids of the catalog (buffers.h). */
void activity_event_add(const struct cupti_record *record);

/* Delivers the events whose call is known; with `all`, all events. Returns their number. */
uint64_t activity_event_deliver(bool all);

/* Returns the start of the earliest event that waits for its call, UINT64_MAX without one. */
uint64_t activity_event_oldest(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MEMORY_CALLS_H
#define BACKEND_CUDA_MEMORY_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"
#include "model/event.h"

/*
 * What the driver's calls do with memory, by their names and parameters: they allocate and free it
 * (live_memory.h), and launches, copies and fills use it (pending_uses.h).
 */

/* Finds the calls of this release of CUPTI. Call once, after calls_find. */
void memory_calls_find(void);

/* Returns true if this call of the driver has to be subscribed to. */
bool memory_calls_has(uint32_t callback);

/* A call of the driver is entered or left. `records` is false while nothing is recorded. */
void memory_calls_note(uint32_t callback, const struct cupti_call *call, bool records);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_EVENT_INPUTS_H
#define BACKEND_CUDA_COUNTERS_EVENT_INPUTS_H

#include "backend/cuda/counters/engine.h"

/* The names of the event engine's inputs, and CUPTI's ids of their events. */

/* Returns CUPTI's result; `ids` has an entry per input. */
int event_inputs_find(const struct engine_device *device, const char *const *inputs, size_t count,
		      uint32_t *ids);

/* Copies the different ids to `distinct`; returns their number. */
size_t event_inputs_distinct(const uint32_t *ids, size_t count, uint32_t *distinct);

/* Returns true if the input is that of the first instance (ENGINE_FIRST). */
bool event_inputs_of_first(const char *input);

#endif

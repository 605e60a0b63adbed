/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_EVENT_INPUTS_H
#define BACKEND_CUDA_COUNTERS_EVENT_INPUTS_H

#include "backend/cuda/counters/engine.h"

/* What the inputs of the event engine are called, and CUPTI's numbers of the events they are made
 * of. */

/* CUPTI's result; `ids` has a place for each input. */
int event_inputs_find(const struct engine_device *device, const char *const *inputs, size_t count,
		      uint32_t *ids);

/* Those of the ids that differ, into `distinct`; how many. */
size_t event_inputs_distinct(const uint32_t *ids, size_t count, uint32_t *distinct);

/* Whether the input is what the first instance counts (ENGINE_FIRST). */
bool event_inputs_of_first(const char *input);

#endif

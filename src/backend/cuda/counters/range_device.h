/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_RANGE_DEVICE_H
#define BACKEND_CUDA_COUNTERS_RANGE_DEVICE_H

#include "backend/cuda/counters/engine.h"
#include "backend/cuda/counters/ranges.h"

/* What the Range Profiler can do on a device, before anything is measured: as in engine.h. */
const char *range_examine(struct engine_device *device);
bool range_together(const struct engine_device *device, cuda_context context,
		    const char *const *inputs, size_t count);

/* What the device of a context can count just now, for hostapi_plan; NULL if CUPTI does not say.
 * Kept for ever. */
const uint8_t *range_availability(const struct range_library *library, uint32_t device,
				  cuda_context context);

#endif

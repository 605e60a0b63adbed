/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_RANGE_DEVICE_H
#define BACKEND_CUDA_COUNTERS_RANGE_DEVICE_H

#include "backend/cuda/counters/engine.h"
#include "backend/cuda/counters/ranges.h"

/* The Range Profiler's support of a device; the functions are those of engine.h. */
const char *range_examine(struct engine_device *device);
bool range_together(const struct engine_device *device, cuda_context context,
		    const char *const *inputs, size_t count);

/* Returns the counter availability of a context's device for these inputs, for hostapi_plan; NULL
 * if CUPTI does not return it. Valid until the process ends. */
const uint8_t *range_availability(const struct range_library *library, uint32_t device,
				  cuda_context context, const char *const *inputs, size_t count);

#endif

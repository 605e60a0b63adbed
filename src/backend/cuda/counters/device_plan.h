/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_DEVICE_PLAN_H
#define BACKEND_CUDA_COUNTERS_DEVICE_PLAN_H

#include "backend/cuda/counters/plan.h"

/* The counter plans of the devices. Only for context_counters.c, under the launch lock. */
struct planned {
	bool known;
	bool tried; /* measuring has been tried */
	uint32_t id; /* in the catalog */
	struct plan plan; /* plan.engine is NULL if nothing is measured */
	const struct settings *settings; /* the settings of the plan */
};

/* Returns the entry of the device with CUPTI's number `number`, planned or not; NULL if the number
 * is out of range. */
struct planned *device_plan_at(uint32_t number);

/* Makes the plan from cuda_settings(), without reporting it. Returns false without memory. `id`: in
 * the catalog. */
bool device_plan_make(struct planned *device, uint32_t number, uint32_t id, cuda_context context);

/* Reports the counters of the device's kernels to the session. `result` is the engine's result of
 * the trial; if it is not 0, all counters are refused. */
void device_plan_tell(struct planned *device, int result);

/* Drops the plan. */
void device_plan_drop(struct planned *device);

enum { PLANNED_DEVICES = 256 };

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_DEVICE_PLAN_H
#define BACKEND_CUDA_COUNTERS_DEVICE_PLAN_H

#include "backend/cuda/counters/plan.h"

/*
 * The plan of each device. Only for context_counters.c, under the launch lock.
 */
struct planned {
	bool known;
	bool tried; /* whether it can be measured */
	uint32_t id; /* in the catalog */
	struct plan plan; /* plan.engine is NULL if nothing is measured */
	const struct settings *settings; /* that it was made from */
};

/* Whether the device with CUPTI's number `number` has a plan; NULL if it cannot have one. */
struct planned *device_plan_at(uint32_t number);

/* Makes it, by cuda_settings(); nobody is told. False without memory. `id`: in the catalog. */
bool device_plan_make(struct planned *device, uint32_t number, uint32_t id, cuda_context context);

/* Measuring has been tried, and the engine said `result`: unless that is 0, all is refused. Tells
 * the session what the device's kernels have from now on. */
void device_plan_tell(struct planned *device, int result);

/* Forgets the plan. */
void device_plan_drop(struct planned *device);

enum { PLANNED_DEVICES = 256 };

#endif

/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/device_plan.h"

#include "backend/cuda/cuda.h"
#include "backend/cuda/functions.h"
#include "base/say.h"
#include "session/session.h"

static struct planned devices[PLANNED_DEVICES];

struct planned *device_plan_at(uint32_t number)
{
	return number < PLANNED_DEVICES ? &devices[number] : NULL;
}

bool device_plan_make(struct planned *device, uint32_t number, uint32_t id, cuda_context context)
{
	const struct device *facts = catalog_device(session_catalog(), id);
	struct engine_device wanted = {.number = number};

	if (!facts || !driver.cuDeviceGet || driver.cuDeviceGet(&wanted.handle, (int)number))
		return false;
	wanted.capability = facts->compute_major * 10 + facts->compute_minor;
	wanted.multiprocessors = facts->multiprocessors;
	device->settings = cuda_settings();
	device->id = id;
	device->tried = false;
	device->known = !plan_make(&device->plan, device->settings, &wanted, context);
	return device->known;
}

void device_plan_tell(struct planned *device, int result)
{
	static struct counter_column made[COUNTER_REQUESTS_MOST]; /* protected by the launch lock */
	struct plan *plan = &device->plan;
	static int said;

	if (result)
		plan_refuse(plan, device->settings, engine_reason(result));
	for (unsigned i = 0; i < plan->count; i++) {
		const struct plan_counter *counter = &plan->counters[i];

		made[i] = (struct counter_column){
			.name = device->settings->counters.items[counter->choice].name,
			.real = counter->real,
		};
	}
	if (session_counters(&(struct counter_set){
		    .device = device->id,
		    .count = plan->count,
		    .columns = made,
		    .refused = strbuf_text(&plan->refused),
	    })) {
		say_once(&said, "hardware counters are disabled from here on: out of memory");
		plan->count = 0; /* their columns would be those of other ones */
	}
}

void device_plan_drop(struct planned *device)
{
	if (device->known)
		plan_free(&device->plan);
	device->known = false;
}

/* SPDX-License-Identifier: MIT */
/* Queries the Range Profiler's support of a device, before a measurement. */
#include "backend/cuda/counters/range_device.h"

#include <string.h>

#include "backend/cuda/counters/range_session.h"
#include "base/memory.h"

/* The possible obstacles, which CUPTI reports separately. */
static const struct obstacle {
	size_t place;
	const char *unsupported;
	const char *disabled;
} obstacles[] = {
	{offsetof(struct range_device_supported, architecture),
	 "this libcupti has no counters for this generation of GPUs: set COMPUTEPROF_CUPTI to the "
	 "libcupti of another release",
	 NULL},
	{offsetof(struct range_device_supported, sli),
	 "the GPU is linked to another one by SLI: disable SLI", NULL},
	{offsetof(struct range_device_supported, virtual_gpu),
	 "this virtual GPU has no counters: use a physical GPU",
	 "the host of this virtual GPU does not allow counters: set the plugin parameter "
	 "enable_profiling to 1 on the host"},
	{offsetof(struct range_device_supported, confidential),
	 "confidential computing disables counters: set it to off or to devtools mode",
	 NULL},
	{offsetof(struct range_device_supported, mining),
	 "mining processors (CMP) have no counters: use another GPU", NULL},
	{offsetof(struct range_device_supported, wsl),
	 "this version of WSL does not support counters: update WSL and the driver, or use native "
	 "Linux", NULL},
};

static const char *find_obstacle(const struct range_device_supported *support)
{
	for (size_t i = 0; i < sizeof(obstacles) / sizeof(obstacles[0]); i++) {
		const struct obstacle *obstacle = &obstacles[i];
		int level;

		memcpy(&level, (const char *)support + obstacle->place, sizeof(level));
		if (level == RANGE_DISABLED && obstacle->disabled)
			return obstacle->disabled;
		if (level == RANGE_DISABLED || level == RANGE_UNSUPPORTED)
			return obstacle->unsupported;
	}
	/* Devices unknown to CUPTI may still work. */
	if (support->supported == RANGE_UNSUPPORTED || support->supported == RANGE_DISABLED)
		return "CUPTI does not support counters here and gives no reason";
	return NULL;
}

static const char *look_for_obstacle(const struct range_library *library, cuda_device device)
{
	struct range_device_supported support = {
		.size = RANGE_SIZE(range_device_supported, profiler), .device = device};
	int result = library->call.ProfilerDeviceSupported(&support);

	return result ? engine_reason(result) : find_obstacle(&support);
}

/* Returns the Host API's name of the device's chip, which is valid while the library is loaded. */
static const char *find_chip(const struct range_library *library, struct engine_device *device)
{
	struct range_chip_name name = {.size = RANGE_SIZE(range_chip_name, name),
				       .device = device->number};
	int result = library->call.DeviceGetChipName(&name);
	const char *const *chips = NULL;
	size_t count;

	if (result || !name.name)
		return engine_reason(result ? result : CUPTI_INVALID_CHIP);
	count = hostapi_chips(&library->host, &chips);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(chips[i], name.name))
			device->chip = chips[i];
	if (!count)
		return "libcupti reports no chips: the libnvperf_host.so of the same release may "
		       "be missing beside it";
	return device->chip ? NULL : engine_reason(CUPTI_INVALID_CHIP);
}

const char *range_examine(struct engine_device *device)
{
	const struct range_library *library = range_library();
	const char *reason;

	device->chip = NULL;
	if (!library)
		return "this libcupti is too old: set COMPUTEPROF_CUPTI to one of CUDA 12.6 Update "
		       "2 or later";
	if (library->refusal)
		return engine_reason(library->refusal);
	reason = look_for_obstacle(library, device->handle);
	return reason ? reason : find_chip(library, device);
}

bool range_together(const struct engine_device *device, cuda_context context,
		    const char *const *inputs, size_t count)
{
	const struct range_library *library = range_library();
	struct host_plan plan;
	bool fits;

	if (!library || library->refusal || !device->chip || !count)
		return false;
	if (hostapi_plan(&library->host, device->chip,
			 range_availability(library, device->number, context, inputs, count),
			 inputs, count, &plan))
		return false;
	fits = plan.passes > 0;
	hostapi_forget(&library->host, &plan);
	return fits;
}

/* Metrics of the device, not of a context, by their units. libcupti 13.5 names these groups. */
static bool is_of_device(const char *metric)
{
	static const char *const units[] = {"pcie", "nvl", "ctc", "mcc"};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strncmp(metric, units[i], strlen(units[i])))
			return true;
	return false;
}

static uint8_t *ask_with_size(const struct range_library *library, cuda_context context,
			      size_t size)
{
	struct range_device_availability ask = {
		.base = {.size = size, .context = context},
		.device_level = 1,
	};
	size_t bytes;

	if (library->call.ProfilerGetCounterAvailability(&ask.base) || !ask.base.bytes)
		return NULL;
	bytes = ask.base.bytes;
	ask.base.image = memory_map(bytes);
	if (ask.base.image && library->call.ProfilerGetCounterAvailability(&ask.base)) {
		memory_unmap(ask.base.image, bytes);
		ask.base.image = NULL;
	}
	return ask.base.image;
}

static uint8_t *ask_availability(const struct range_library *library, cuda_context context,
				 bool of_device)
{
	uint8_t *image = NULL;

	if (of_device)
		image = ask_with_size(library, context,
				      RANGE_SIZE(range_device_availability, device_level));
	return image ? image
		     : ask_with_size(library, context, RANGE_SIZE(range_availability, image));
}

/* Stored, since CUPTI may refuse the query while a context of the device is measured. */
const uint8_t *range_availability(const struct range_library *library, uint32_t device,
				  cuda_context context, const char *const *inputs, size_t count)
{
	enum { DEVICES = 64 };
	static uint8_t *known[DEVICES][2];
	bool of_device = false;

	if (device >= DEVICES)
		return NULL;
	for (size_t i = 0; i < count; i++)
		of_device |= is_of_device(inputs[i]);
	if (!known[device][of_device] && context)
		known[device][of_device] = ask_availability(library, context, of_device);
	return known[device][of_device];
}

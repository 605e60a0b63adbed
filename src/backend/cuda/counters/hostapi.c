/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/hostapi.h"

#include <dlfcn.h>

#include "backend/cuda/cupti.h"
#include "base/memory.h"

bool hostapi_fill(struct hostapi *api, void *library)
{
	*(void **)&api->Initialize = dlsym(library, "cuptiProfilerHostInitialize");
	*(void **)&api->Deinitialize = dlsym(library, "cuptiProfilerHostDeinitialize");
	*(void **)&api->GetSupportedChips = dlsym(library, "cuptiProfilerHostGetSupportedChips");
	*(void **)&api->ConfigAddMetrics = dlsym(library, "cuptiProfilerHostConfigAddMetrics");
	*(void **)&api->GetConfigImageSize = dlsym(library, "cuptiProfilerHostGetConfigImageSize");
	*(void **)&api->GetConfigImage = dlsym(library, "cuptiProfilerHostGetConfigImage");
	*(void **)&api->GetNumOfPasses = dlsym(library, "cuptiProfilerHostGetNumOfPasses");
	*(void **)&api->EvaluateToGpuValues =
		dlsym(library, "cuptiProfilerHostEvaluateToGpuValues");
	return api->Initialize && api->Deinitialize && api->GetSupportedChips &&
	       api->ConfigAddMetrics && api->GetConfigImageSize && api->GetConfigImage &&
	       api->GetNumOfPasses && api->EvaluateToGpuValues;
}

bool hostapi_needs_driver(void *library)
{
	return dlsym(library, "cuptiActivityRegisterCallbacks_v2") != NULL;
}

size_t hostapi_chips(const struct hostapi *api, const char *const **names)
{
	struct host_chips chips = {.size = sizeof(chips)};

	if (api->GetSupportedChips(&chips))
		return 0;
	*names = chips.names;
	return chips.count;
}

static struct host_object *open_chip(const struct hostapi *api, const char *chip)
{
	struct host_initialize begin = {.size = sizeof(begin), .chip = chip};

	return api->Initialize(&begin) ? NULL : begin.object;
}

static void close_chip(const struct hostapi *api, struct host_object *object)
{
	struct host_deinitialize end = {.size = sizeof(end), .object = object};

	if (object)
		api->Deinitialize(&end);
}

static int add(const struct hostapi *api, struct host_object *object, const char *const *metrics,
	       size_t count)
{
	struct host_add add = {
		.size = sizeof(add), .object = object, .metrics = metrics, .count = count};

	return api->ConfigAddMetrics(&add);
}

/*
 * An unknown name fails the whole call, and the object is unusable after it; known names may be
 * refused together, too. So a list that fails is split, and each half is tried separately.
 */
static void find_have(const struct hostapi *api, const char *chip, const char *const *metrics,
		      size_t count, bool *have)
{
	struct host_object *object = open_chip(api, chip);
	bool all = object && !add(api, object, metrics, count);

	close_chip(api, object);
	if (all || count == 1) {
		for (size_t i = 0; i < count; i++)
			have[i] = all;
	} else {
		find_have(api, chip, metrics, count / 2, have);
		find_have(api, chip, metrics + count / 2, count - count / 2, have + count / 2);
	}
}

int hostapi_have(const struct hostapi *api, const char *chip, const char *const *metrics,
		 size_t count, bool *have)
{
	struct host_object *object = open_chip(api, chip);

	close_chip(api, object);
	if (!object)
		return -1;
	if (count)
		find_have(api, chip, metrics, count, have);
	return 0;
}

/* Makes the config image and gets its number of passes. */
static int make_config(const struct hostapi *api, struct host_plan *plan)
{
	struct host_image_size size = {.size = sizeof(size), .object = plan->object};
	struct host_image image = {.size = sizeof(image), .object = plan->object};
	struct host_passes passes = {.size = sizeof(passes)};
	int result = api->GetConfigImageSize(&size);

	if (result)
		return result;
	plan->config = size.bytes ? memory_map(size.bytes) : NULL;
	if (!plan->config)
		return CUPTI_OUT_OF_MEMORY;
	plan->bytes = image.bytes = passes.bytes = size.bytes;
	image.image = passes.image = plan->config;
	result = api->GetConfigImage(&image);
	if (!result)
		result = api->GetNumOfPasses(&passes);
	plan->passes = passes.passes;
	return result;
}

int hostapi_plan(const struct hostapi *api, const char *chip, const uint8_t *availability,
		 const char *const *metrics, size_t count, struct host_plan *plan)
{
	struct host_initialize begin = {
		.size = sizeof(begin), .chip = chip, .availability = availability};
	int result = api->Initialize(&begin);

	*plan = (struct host_plan){0};
	if (result)
		return result;
	plan->object = begin.object;
	result = add(api, plan->object, metrics, count);
	if (!result)
		result = make_config(api, plan);
	if (result)
		hostapi_forget(api, plan);
	return result;
}

void hostapi_forget(const struct hostapi *api, struct host_plan *plan)
{
	close_chip(api, plan->object);
	memory_unmap(plan->config, plan->bytes);
	*plan = (struct host_plan){0};
}

size_t hostapi_passes(const struct hostapi *api, const char *chip, const char *const *metrics,
		      size_t count)
{
	struct host_plan plan;
	size_t passes;

	if (hostapi_plan(api, chip, NULL, metrics, count, &plan))
		return 0;
	passes = plan.passes;
	hostapi_forget(api, &plan);
	return passes;
}

/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/engine.h"
#include "backend/cuda/counters/event_groups.h"
#include "backend/cuda/counters/event_inputs.h"
#include "backend/cuda/counters/events.h"
#include "backend/cuda/functions.h"
#include "base/memory.h"
#include "base/say.h"

/*
 * Events are counted around each launch. The context is idle before and after it, so earlier work
 * is not counted, and the kernel has ended when its events are read.
 *
 * Graphs are not measured: CUPTI resets events when a kernel begins, so after several kernels the
 * values are those of an unknown last one.
 */

enum { FIRST_CAPABILITY = 20, LAST_CAPABILITY = 72 };

/* A libcupti or driver that no longer counts events reports that on the first query. The event used
 * here exists on all these devices. */
static const char *examine(struct engine_device *device)
{
	uint32_t id;
	int result;

	if (device->capability < FIRST_CAPABILITY || device->capability > LAST_CAPABILITY)
		return "CUPTI counts events on devices of compute capability 2.0 to 7.2 only";
	if (!events_find() || !driver.cuCtxSynchronize)
		return "this libcupti or this driver lacks functions that count events";
	result = events.EventGetIdFromName(device->handle, "inst_executed", &id);
	return result ? engine_reason(result) : NULL;
}

/* Other errors are not about the events and are left to start(), which gets them again. */
static bool is_about_events(int result)
{
	return result == CUPTI_INVALID_EVENT || result == CUPTI_INVALID_PARAMETER ||
	       result == CUPTI_NOT_COMPATIBLE || result == CUPTI_NOT_SUPPORTED;
}

static bool fit_into_one_set(cuda_context context, uint32_t *ids, size_t count)
{
	struct cupti_event_sets *sets;
	int result = events.EventGroupSetsCreate(context, count * sizeof(*ids), ids, &sets);
	bool fit;

	if (result)
		return !is_about_events(result);
	fit = sets->count == 1;
	events.EventGroupSetsDestroy(sets);
	return fit;
}

static bool together(const struct engine_device *device, cuda_context context,
		     const char *const *inputs, size_t count)
{
	size_t size = 2 * count * sizeof(uint32_t);
	uint32_t *ids = count ? memory_map(size) : NULL, *distinct;
	bool answer;

	if (!ids)
		return !count;
	distinct = ids + count;
	answer = !event_inputs_find(device, inputs, count, ids) &&
		 (!context || device->replay ||
		  fit_into_one_set(context, distinct,
				   event_inputs_distinct(ids, count, distinct)));
	memory_unmap(ids, size);
	return answer;
}

static int start(struct engine_context *context)
{
	struct event_groups *groups;
	int result = event_groups_make(context, &groups);

	context->state = result ? NULL : groups;
	return result;
}

/* An error belongs to the program, which gets it from its next call; the launch has no values. */
static bool is_at_rest(void)
{
	return driver.cuCtxSynchronize() == 0;
}

static int enter(struct engine_context *context, engine_take *take, void *argument)
{
	struct event_groups *groups = context->state;
	static int said;
	int result;

	(void)take; /* all values have been passed on */
	(void)argument;
	context->no_more_values = true;
	if (context->graph) {
		say_once(&said, "kernels of CUDA graphs have no counters in the log: this device "
				"counts only kernels that are launched one by one");
		return CUPTI_DONE;
	}
	if (!is_at_rest())
		return CUPTI_DONE;
	result = event_groups_enable(groups);
	if (result)
		event_groups_disable(groups);
	return result;
}

static int leave(struct engine_context *context, engine_take *take, void *argument)
{
	struct event_groups *groups = context->state;
	int result = CUPTI_DONE, error;
	bool over;

	if (!groups->enabled)
		return CUPTI_DONE;
	over = is_at_rest();
	if (over)
		result = event_groups_read(groups);
	error = event_groups_disable(groups);
	if (over && !result)
		take(argument, groups->results);
	return result ? result : error;
}

/* Between launches no groups are enabled. */
static int pause_events(struct engine_context *context, engine_take *take, void *argument)
{
	(void)context;
	(void)take;
	(void)argument;
	return CUPTI_DONE;
}

static void stop(struct engine_context *context, engine_take *take, void *argument)
{
	(void)take;
	(void)argument;
	context->no_more_values = true;
	if (context->state)
		event_groups_free(context->state);
	context->state = NULL;
}

const struct engine event_engine = {
	.examine = examine,
	.together = together,
	.start = start,
	.enter = enter,
	.leave = leave,
	.pause = pause_events,
	.stop = stop,
};

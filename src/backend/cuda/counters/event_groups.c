/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/event_groups.h"

#include <math.h>

#include "backend/cuda/counters/event_inputs.h"
#include "base/memory.h"

static struct event_groups *allocate(const struct engine_context *context)
{
	size_t count = context->count;
	size_t size = sizeof(struct event_groups) +
		      count * (sizeof(struct event) + sizeof(double) + sizeof(uint32_t));
	struct event_groups *groups = memory_map(size);

	if (!groups)
		return NULL;
	groups->size = size;
	groups->device = context->device;
	groups->context = context->handle;
	groups->count = count;
	groups->events = (struct event *)(groups + 1);
	groups->results = (double *)(groups->events + count);
	groups->ids = (uint32_t *)(groups->results + count);
	return groups;
}

static int get_number(cupti_event_group group, uint32_t attribute, uint32_t *value)
{
	size_t size = sizeof(*value);

	return events.EventGroupGetAttribute(group, attribute, &size, value);
}

/* Some of the domain's instances (multiprocessors, cache slices) may not be countable. */
static int look_at_instances(const struct event_groups *groups, struct event *event)
{
	uint32_t domain, all = 0;
	size_t size = sizeof(all);
	int one = 1, result = CUPTI_DONE;

	if (groups->all)
		result = events.EventGroupSetAttribute(event->group, CUPTI_GROUP_ALL_INSTANCES,
						       sizeof(one), &one);
	if (!result)
		result = get_number(event->group, CUPTI_GROUP_INSTANCES, &event->instances);
	if (!result)
		result = get_number(event->group, CUPTI_GROUP_DOMAIN, &domain);
	if (!result)
		result = events.DeviceGetEventDomainAttribute(
			groups->device->handle, domain, CUPTI_DOMAIN_TOTAL_INSTANCES, &size, &all);
	if (result)
		return result;
	if (!event->instances || all < event->instances)
		return CUPTI_UNKNOWN;
	event->share = (double)all / event->instances;
	return CUPTI_DONE;
}

static void set_events(struct event_groups *groups, const struct event *event, uint32_t id)
{
	for (size_t i = 0; i < groups->count; i++) {
		if (groups->ids[i] != id)
			continue;
		groups->events[i].group = event->group;
		groups->events[i].instances = event->instances;
		groups->events[i].share = event->share;
	}
}

/* `ids` has room for all events. */
static int look_at_group(struct event_groups *groups, cupti_event_group group, uint32_t *ids)
{
	struct event event = {.group = group};
	size_t size = groups->count * sizeof(*ids);
	uint32_t count;
	int result = get_number(group, CUPTI_GROUP_EVENT_COUNT, &count);

	if (!result && count > groups->count)
		return CUPTI_UNKNOWN;
	if (!result)
		result = events.EventGroupGetAttribute(group, CUPTI_GROUP_EVENTS, &size, ids);
	if (!result)
		result = look_at_instances(groups, &event);
	if (result)
		return result;
	for (uint32_t i = 0; i < count; i++)
		set_events(groups, &event, ids[i]);
	if (groups->most_instances < event.instances)
		groups->most_instances = event.instances;
	return CUPTI_DONE;
}

static int look_at_groups(struct event_groups *groups)
{
	size_t size = groups->count * sizeof(uint32_t);
	uint32_t *ids = memory_map(size);
	int result = CUPTI_DONE;

	if (!ids)
		return CUPTI_OUT_OF_MEMORY;
	for (uint32_t i = 0; i < groups->sets->count; i++) {
		const struct cupti_event_set *set = &groups->sets->sets[i];

		for (uint32_t j = 0; j < set->count && !result; j++)
			result = look_at_group(groups, set->groups[j], ids);
	}
	memory_unmap(ids, size);
	for (size_t i = 0; i < groups->count && !result; i++)
		if (!groups->events[i].group)
			result = CUPTI_UNKNOWN;
	return result;
}

/* With kernel replay, CUPTI uses this mode in any case and may reject the call. */
static int set_mode(struct event_groups *groups)
{
	int result;

	if (groups->sets->count <= 1)
		return events.SetEventCollectionMode(groups->context, CUPTI_EVENTS_OF_KERNELS);
	if (!groups->device->replay)
		return CUPTI_NOT_COMPATIBLE;
	result = events.EnableKernelReplayMode(groups->context);
	groups->replay = !result;
	return result;
}

/* An event that two inputs use is counted once. */
static int create_sets(struct event_groups *groups)
{
	size_t size = groups->count * sizeof(uint32_t);
	uint32_t *distinct = memory_map(size);
	size_t count;
	int result;

	if (!distinct)
		return CUPTI_OUT_OF_MEMORY;
	count = event_inputs_distinct(groups->ids, groups->count, distinct);
	result = events.EventGroupSetsCreate(groups->context, count * sizeof(*distinct), distinct,
					     &groups->sets);
	memory_unmap(distinct, size);
	return result;
}

static int prepare(struct event_groups *groups, const char *const *inputs)
{
	int result = event_inputs_find(groups->device, inputs, groups->count, groups->ids);

	for (size_t i = 0; i < groups->count; i++) {
		groups->events[i].first = event_inputs_of_first(inputs[i]);
		groups->all |= !groups->events[i].first;
	}
	if (!result)
		result = create_sets(groups);
	if (!result)
		result = set_mode(groups);
	if (!result)
		result = look_at_groups(groups);
	if (result)
		return result;
	groups->readings = memory_map(groups->most_instances * sizeof(*groups->readings));
	return groups->readings ? CUPTI_DONE : CUPTI_OUT_OF_MEMORY;
}

/* A set that failed may be enabled in part. */
int event_groups_enable(struct event_groups *groups)
{
	int result = CUPTI_DONE;

	while (groups->enabled < groups->sets->count && !result)
		result = events.EventGroupSetEnable(&groups->sets->sets[groups->enabled++]);
	return result;
}

/* After an error the rest is still disabled, and everything again before it is freed. */
int event_groups_disable(struct event_groups *groups)
{
	int result = CUPTI_DONE;

	for (uint32_t i = 0; i < groups->enabled; i++) {
		int error = events.EventGroupSetDisable(&groups->sets->sets[i]);

		if (!result)
			result = error;
	}
	if (!result)
		groups->enabled = 0;
	return result;
}

/* Tests whether enabling is permitted and the registers are free. */
static int try(struct event_groups *groups)
{
	int result = event_groups_enable(groups), error = event_groups_disable(groups);

	return result ? result : error;
}

int event_groups_make(const struct engine_context *context, struct event_groups **made)
{
	struct event_groups *groups = allocate(context);
	int result;

	if (!groups)
		return CUPTI_OUT_OF_MEMORY;
	result = prepare(groups, context->inputs);
	if (!result)
		result = try(groups);
	if (result)
		event_groups_free(groups);
	else
		*made = groups;
	return result;
}

/* CUPTI does not release sets that are still enabled, so these are kept. Replay is switched off
 * when all are disabled. */
void event_groups_free(struct event_groups *groups)
{
	event_groups_disable(groups);
	if (groups->replay && !events.DisableKernelReplayMode(groups->context))
		groups->enabled = 0;
	if (groups->sets && !groups->enabled)
		events.EventGroupSetsDestroy(groups->sets);
	if (groups->readings)
		memory_unmap(groups->readings, groups->most_instances * sizeof(*groups->readings));
	memory_unmap(groups, groups->size);
}

static double whole(double value)
{
	return value < 0x1p52 ? (double)(uint64_t)(value + 0.5) : value;
}

/* Returns the sum of all instances, extrapolated to those that are not counted; or the first
 * one. */
static double result_of(const struct event_groups *groups, const struct event *event,
			uint32_t count)
{
	double sum = 0;

	if (event->first && count > 1)
		count = 1;
	for (uint32_t i = 0; i < count; i++) {
		if (groups->readings[i] >= CUPTI_EVENT_INVALID)
			return NAN;
		sum += (double)groups->readings[i];
	}
	if (!count)
		return NAN;
	return event->first ? sum : whole(sum * event->share);
}

static bool is_repeated(const struct event_groups *groups, size_t input)
{
	for (size_t i = 0; i < input; i++)
		if (groups->ids[i] == groups->ids[input])
			return true;
	return false;
}

/* Reading an event resets it, so the value is stored for all inputs that use it. */
static int read_event(struct event_groups *groups, size_t input)
{
	const struct event *event = &groups->events[input];
	size_t size = event->instances * sizeof(*groups->readings);
	int result = events.EventGroupReadEvent(event->group, 0, groups->ids[input], &size,
						groups->readings);

	for (size_t i = input; i < groups->count && !result; i++)
		if (groups->ids[i] == groups->ids[input])
			groups->results[i] =
				result_of(groups, &groups->events[i],
					  (uint32_t)(size / sizeof(*groups->readings)));
	return result;
}

int event_groups_read(struct event_groups *groups)
{
	int result = CUPTI_DONE;

	for (size_t i = 0; i < groups->count && !result; i++)
		if (!is_repeated(groups, i))
			result = read_event(groups, i);
	return result;
}

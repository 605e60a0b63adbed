/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SCRIPTED_EVENTS_H
#define TESTS_SCRIPTED_EVENTS_H

#include <stdio.h>
#include <string.h>

#include "backend/cuda/counters/engine.h"
#include "backend/cuda/counters/events.h"
#include "backend/cuda/functions.h"

/* Include once, after cmocka.h: a CUPTI that logs its calls and fails on request. */

enum { INSTANCES = 4, ALL_INSTANCES = 8, EVENTS = 4 };

struct event_functions events;
struct driver_functions driver;

/* Event number N is in domain N % 2, and counts this on each instance. */
static const char *const names[EVENTS] = {"branch", "l2_read", "inst_executed", "l2_write"};
static uint64_t counts[EVENTS][INSTANCES];

struct cupti_event_group {
	uint32_t domain;
	uint32_t count;
	uint32_t ids[EVENTS];
	int all;
	bool enabled;
};

static struct cupti_event_group groups[EVENTS];
static uint32_t group_count;
static cupti_event_group places[EVENTS];
static struct cupti_event_set set_list[EVENTS];
static struct cupti_event_sets sets;
static uint32_t registers; /* of a domain */
static uint32_t counted;   /* instances */
static unsigned live;	   /* sets that are not released */
static bool replaying;
static int sync_result;
static bool lacking; /* functions */

/* The log of calls, and the failing call. */
static char calls[2048];
static unsigned call_count;
static unsigned failing_call;
static int failure; /* its result */
static const char *failed;

static int note(const char *call, long number)
{
	size_t used = strlen(calls);

	snprintf(calls + used, sizeof(calls) - used, number < 0 ? "%s " : "%s%ld ", call, number);
	if (++call_count != failing_call)
		return CUPTI_DONE;
	failed = call;
	return failure;
}

static int get_id(cuda_device device, const char *name, uint32_t *event)
{
	int result = note("id", device);

	for (uint32_t i = 0; i < EVENTS && !result; i++) {
		*event = 100 + i;
		if (!strcmp(names[i], name))
			return CUPTI_DONE;
	}
	return result ? result : 6;
}

static int get_domain(cuda_device device, uint32_t domain, uint32_t attribute, size_t *size,
		      void *value)
{
	int result = note("domain", domain);

	assert_int_equal(device, 3);
	assert_int_equal(attribute, CUPTI_DOMAIN_TOTAL_INSTANCES);
	assert_int_equal(*size, sizeof(uint32_t));
	*(uint32_t *)value = ALL_INSTANCES;
	return result;
}

static cupti_event_group group_in(struct cupti_event_set *set, uint32_t domain)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (set->groups[i]->domain == domain)
			return set->groups[i];
	places[group_count] = &groups[group_count];
	groups[group_count] = (struct cupti_event_group){.domain = domain};
	if (!set->count)
		set->groups = &places[group_count];
	set->count++;
	return &groups[group_count++];
}

static int create(cuda_context context, size_t size, uint32_t *ids, struct cupti_event_sets **made)
{
	int result = note("create", (long)(size / sizeof(*ids)));

	(void)context;
	if (result)
		return result;
	group_count = 0;
	memset(set_list, 0, sizeof(set_list));
	sets = (struct cupti_event_sets){0, set_list};
	/* In reverse order, since the order is unspecified. */
	for (size_t i = size / sizeof(*ids); i-- > 0;) {
		uint32_t set = 0, domain = (ids[i] - 100) % 2;

		while (group_in(&set_list[set], domain)->count == registers)
			set++;
		sets.count = set >= sets.count ? set + 1 : sets.count;
		cupti_event_group group = group_in(&set_list[set], domain);
		group->ids[group->count++] = ids[i];
	}
	live++;
	*made = &sets;
	return CUPTI_DONE;
}

static int destroy(struct cupti_event_sets *given)
{
	int result = note("destroy", -1);

	assert_ptr_equal(given, &sets);
	live -= !result;
	return result;
}

static int get_attribute(cupti_event_group group, uint32_t attribute, size_t *size, void *value)
{
	uint32_t number = attribute == CUPTI_GROUP_DOMAIN ? group->domain : group->count;
	int result = note("get", attribute);

	if (attribute == CUPTI_GROUP_EVENTS) {
		assert_true(*size >= group->count * sizeof(*group->ids));
		*size = group->count * sizeof(*group->ids);
		memcpy(value, group->ids, *size);
		return result;
	}
	assert_int_equal(*size, sizeof(number));
	if (attribute == CUPTI_GROUP_INSTANCES)
		number = group->all ? counted : 1;
	memcpy(value, &number, sizeof(number));
	return result;
}

static int set_attribute(cupti_event_group group, uint32_t attribute, size_t size, void *value)
{
	int result = note("set", attribute);

	assert_int_equal(attribute, CUPTI_GROUP_ALL_INSTANCES);
	assert_int_equal(size, sizeof(int));
	assert_false(group->enabled);
	group->all = *(int *)value;
	return result;
}

static int switch_set(const char *name, struct cupti_event_set *set, bool on)
{
	int result = note(name, set - set_list);

	for (uint32_t i = 0; i < set->count; i++)
		set->groups[i]->enabled = result ? set->groups[i]->enabled || !i : on;
	return result;
}

static int enable(struct cupti_event_set *set)
{
	return switch_set("enable", set, true);
}

static int disable(struct cupti_event_set *set)
{
	return switch_set("disable", set, false);
}

static int read_event(cupti_event_group group, uint32_t flags, uint32_t event, size_t *size,
		      uint64_t *values)
{
	int result = note("read", event - 100);

	assert_true(group->enabled);
	assert_int_equal(flags, 0);
	assert_int_equal(group->domain, (event - 100) % 2);
	assert_int_equal(*size, sizeof(*values) * (group->all ? counted : 1));
	memcpy(values, counts[event - 100], *size);
	return result;
}

static int set_mode(cuda_context context, uint32_t mode)
{
	(void)context;
	assert_false(replaying);
	return note("mode", mode);
}

static int replay(cuda_context context)
{
	int result = note("replay", -1);

	(void)context;
	replaying = !result;
	return result;
}

static int no_replay(cuda_context context)
{
	int result = note("noreplay", -1);

	(void)context;
	replaying = replaying && result;
	return result;
}

static int synchronize(void)
{
	strcat(calls, "sync ");
	return sync_result;
}

bool events_find(void)
{
	return !lacking;
}

const char *engine_reason(int result)
{
	return result == CUPTI_LEGACY_PROFILER_NOT_SUPPORTED ? "no more" : "something else";
}

static void begin_script(void)
{
	events = (struct event_functions){
		.EventGetIdFromName = get_id,
		.DeviceGetEventDomainAttribute = get_domain,
		.EventGroupSetsCreate = create,
		.EventGroupSetsDestroy = destroy,
		.EventGroupGetAttribute = get_attribute,
		.EventGroupSetAttribute = set_attribute,
		.EventGroupSetEnable = enable,
		.EventGroupSetDisable = disable,
		.EventGroupReadEvent = read_event,
		.SetEventCollectionMode = set_mode,
		.EnableKernelReplayMode = replay,
		.DisableKernelReplayMode = no_replay,
	};
	driver.cuCtxSynchronize = synchronize;
	registers = EVENTS;
	counted = INSTANCES;
	live = 0;
	replaying = false;
	sync_result = 0;
	lacking = false;
	*calls = '\0';
	call_count = 0;
	failing_call = 0;
	failure = CUPTI_LEGACY_PROFILER_NOT_SUPPORTED;
	failed = NULL;
	memset(counts, 0, sizeof(counts));
}

static bool any_enabled(void)
{
	for (uint32_t i = 0; i < group_count; i++)
		if (groups[i].enabled)
			return true;
	return false;
}

#endif

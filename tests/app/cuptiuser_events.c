/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/counters/events.h"
#include "cuptiuser.h"

/* The steps of a client that counts events, in the current context, on device 0. */

#define CUPTI(name, types, ...)                                                                    \
	check("cupti" #name, ((int(*) types)cupti_function("cupti" #name))(__VA_ARGS__))

enum { MOST = 64, ROOM = 16 };

static struct {
	const char *name;
	uint32_t id;
} wanted[MOST];
static size_t event_count;
static struct cupti_event_sets *sets;
static cupti_event_group groups[MOST]; /* of all sets; kept after those are destroyed */
static size_t group_count;

static cuda_context current(void)
{
	cuda_context context = NULL;

	((int (*)(cuda_context *))driver_function("cuCtxGetCurrent"))(&context);
	return context;
}

static void find_events(const char *value)
{
	char *list = strdup(value), *rest;

	event_count = 0;
	for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		wanted[event_count].name = name;
		wanted[event_count].id = 0;
		CUPTI(EventGetIdFromName, (cuda_device, const char *, uint32_t *), 0, name,
		      &wanted[event_count].id);
		event_count++;
	}
}

static uint32_t group_number(cupti_event_group group, uint32_t attribute)
{
	uint32_t number = 0;
	size_t size = sizeof(number);

	CUPTI(EventGroupGetAttribute, (cupti_event_group, uint32_t, size_t *, void *), group,
	      attribute, &size, &number);
	return number;
}

/* Prints the number of events in each group of each set. */
static void make_sets(const char *value)
{
	uint32_t ids[MOST];

	(void)value;
	for (size_t i = 0; i < event_count; i++)
		ids[i] = wanted[i].id;
	sets = NULL;
	CUPTI(EventGroupSetsCreate, (cuda_context, size_t, uint32_t *, struct cupti_event_sets **),
	      current(), event_count * sizeof(*ids), ids, &sets);
	group_count = 0;
	for (uint32_t i = 0; sets && i < sets->count; i++) {
		printf("set %u:", i);
		for (uint32_t j = 0; j < sets->sets[i].count; j++) {
			groups[group_count] = sets->sets[i].groups[j];
			printf(" %u", group_number(groups[group_count++], CUPTI_GROUP_EVENT_COUNT));
		}
		puts("");
	}
}

static void free_sets(const char *value)
{
	(void)value;
	CUPTI(EventGroupSetsDestroy, (struct cupti_event_sets *), sets);
	sets = NULL;
}

static void set_mode(const char *value)
{
	CUPTI(SetEventCollectionMode, (cuda_context, uint32_t), current(), (uint32_t)atoi(value));
}

static void replay(const char *value)
{
	if (atoi(value))
		CUPTI(EnableKernelReplayMode, (cuda_context), current());
	else
		CUPTI(DisableKernelReplayMode, (cuda_context), current());
}

static void count_all(const char *value)
{
	int one = 1;

	for (size_t i = 0; i < group_count; i++)
		CUPTI(EventGroupSetAttribute, (cupti_event_group, uint32_t, size_t, void *),
		      groups[i], CUPTI_GROUP_ALL_INSTANCES,
		      *value ? (size_t)atoi(value) : sizeof(one), &one);
}

/* With a value: only the set of this number. */
static void enable(const char *value)
{
	for (uint32_t i = 0; i < sets->count; i++)
		if (!*value || i == (uint32_t)atoi(value))
			CUPTI(EventGroupSetEnable, (struct cupti_event_set *), &sets->sets[i]);
}

static void disable(const char *value)
{
	(void)value;
	for (uint32_t i = 0; i < sets->count; i++)
		CUPTI(EventGroupSetDisable, (struct cupti_event_set *), &sets->sets[i]);
}

static uint32_t domain_number(uint32_t domain, uint32_t attribute, size_t room)
{
	uint32_t number = 0;

	CUPTI(DeviceGetEventDomainAttribute, (cuda_device, uint32_t, uint32_t, size_t *, void *), 0,
	      domain, attribute, &room, &number);
	return number;
}

/* For the domain of each group; with a value: into a buffer of so many bytes. */
static void instances(const char *value)
{
	size_t room = *value ? (size_t)atoi(value) : sizeof(uint32_t);

	for (size_t i = 0; i < group_count; i++) {
		uint32_t domain = group_number(groups[i], CUPTI_GROUP_DOMAIN);

		printf("instances %u of %u, can be %u\n",
		       group_number(groups[i], CUPTI_GROUP_INSTANCES),
		       domain_number(domain, CUPTI_DOMAIN_TOTAL_INSTANCES, room),
		       domain_number(domain, CUPTI_DOMAIN_INSTANCES, room));
	}
}

static const char *name_of(uint32_t id)
{
	for (size_t i = 0; i < event_count; i++)
		if (wanted[i].id == id)
			return wanted[i].name;
	return "none of them";
}

static void read_group(cupti_event_group group, size_t room)
{
	uint32_t ids[MOST], count = group_number(group, CUPTI_GROUP_EVENT_COUNT);
	size_t size = sizeof(ids);

	CUPTI(EventGroupGetAttribute, (cupti_event_group, uint32_t, size_t *, void *), group,
	      CUPTI_GROUP_EVENTS, &size, ids);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t values[ROOM] = {0};

		size = room;
		CUPTI(EventGroupReadEvent,
		      (cupti_event_group, uint32_t, uint32_t, size_t *, uint64_t *), group, 0,
		      ids[i], &size, values);
		printf("%s", name_of(ids[i]));
		for (size_t j = 0; j < size / sizeof(*values) && j < ROOM; j++)
			printf(" %" PRIi64, (int64_t)values[j]);
		puts("");
	}
}

/* With a value: into a buffer of so many bytes. */
static void read_all(const char *value)
{
	for (size_t i = 0; i < group_count; i++)
		read_group(groups[i], *value ? (size_t)atoi(value) : ROOM * sizeof(uint64_t));
}

const struct step event_steps[] = {
	{"events", find_events},
	{"makesets", make_sets},
	{"freesets", free_sets},
	{"mode", set_mode},
	{"replay", replay},
	{"countall", count_all},
	{"enablesets", enable},
	{"disablesets", disable},
	{"instances", instances},
	{"readevents", read_all},
	{NULL, NULL},
};

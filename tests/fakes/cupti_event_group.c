/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cupti_event.h"
#include "cupti_doors.h"

/* Groups of events. They are never freed, so that a use after release is detected. */

cupti_event_group event_groups;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void events_lock(void)
{
	pthread_mutex_lock(&mutex);
}

void events_unlock(const int *unused)
{
	(void)unused;
	pthread_mutex_unlock(&mutex);
}

bool event_find_context(cuda_context context, uint32_t *id, uint32_t *device)
{
	return cupti_driver()->context((void *)context, id, device) && *id < EVENT_CONTEXTS;
}

int event_gate_of_context(const char *function, cuda_context context, uint32_t *id)
{
	int status = event_gate(function);
	uint32_t device;

	if (!status && !event_find_context(context, id, &device))
		status = cupti_answer(CUPTI_INVALID_CONTEXT);
	return status;
}

int event_gate_of_group(const char *function, cupti_event_group group)
{
	int status = event_gate(function);
	uint32_t id, device;

	if (status)
		return status;
	if (!group)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (group->released)
		complain("%s: the group is released", function);
	if (!event_find_context(group->context, &id, &device))
		complain("%s: the group's context is gone", function);
	return CUPTI_DONE;
}

cupti_event_group event_group_make(cuda_context context, const struct event_domain *domain)
{
	cupti_event_group group = calloc(1, sizeof(*group));

	if (!group)
		abort();
	group->domain = domain;
	group->context = context;
	event_find_context(context, &group->context_id, &group->device);
	group->older = event_groups;
	event_groups = group;
	return group;
}

uint32_t event_instances(cupti_event_group group)
{
	return group->all ? group->domain->counted : 1;
}

static int give(const void *from, size_t bytes, size_t *size, void *value)
{
	if (*size < bytes)
		complain("an attribute of a group has no room in %zu bytes", *size);
	memcpy(value, from, bytes);
	*size = bytes;
	return CUPTI_DONE;
}

int cuptiEventGroupGetAttribute(cupti_event_group group, uint32_t attribute, size_t *size,
				void *value)
{
	int status = event_gate_of_group("cuptiEventGroupGetAttribute", group);
	uint32_t ids[MOST_IN_GROUP], instances;
	EVENTS_LOCKED();

	if (status)
		return status;
	instances = event_instances(group);
	for (uint32_t i = 0; i < group->count; i++)
		ids[i] = event_id(group->events[i]);
	switch (attribute) {
	case CUPTI_GROUP_DOMAIN:
		return give(&group->domain->id, sizeof(group->domain->id), size, value);
	case CUPTI_GROUP_ALL_INSTANCES:
		return give(&group->all, sizeof(group->all), size, value);
	case CUPTI_GROUP_EVENT_COUNT:
		return give(&group->count, sizeof(group->count), size, value);
	case CUPTI_GROUP_EVENTS:
		return give(ids, group->count * sizeof(*ids), size, value);
	case CUPTI_GROUP_INSTANCES:
		return give(&instances, sizeof(instances), size, value);
	default:
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	}
}

int cuptiEventGroupSetAttribute(cupti_event_group group, uint32_t attribute, size_t size,
				void *value)
{
	int status = event_gate_of_group("cuptiEventGroupSetAttribute", group);
	EVENTS_LOCKED();

	if (status)
		return status;
	if (attribute != CUPTI_GROUP_ALL_INSTANCES)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (size < sizeof(group->all))
		complain("an attribute of a group has only %zu bytes", size);
	if (group->enabled)
		complain("an attribute is written while the group is enabled");
	memcpy(&group->all, value, sizeof(group->all));
	return CUPTI_DONE;
}

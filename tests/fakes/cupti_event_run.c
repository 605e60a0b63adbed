/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cupti_event.h"
#include "cupti_doors.h"

/* Counts events while kernels run. */

enum { CONTINUOUS = 0 };

/* By the number of the context. */
static struct {
	bool continuous;
	bool replay;
	uint64_t busy; /* end of the running kernel */
} contexts[EVENT_CONTEXTS];

static bool is_enabled(uint32_t context)
{
	for (cupti_event_group group = event_groups; group; group = group->older)
		if (group->enabled && group->context_id == context)
			return true;
	return false;
}

static bool is_running(cupti_event_group group)
{
	return cupti_driver()->clock() < contexts[group->context_id].busy;
}

/* --- reports of the driver */

static void count(cupti_event_group group, const struct command *kernel)
{
	if (!contexts[group->context_id].continuous)
		memset(group->values, 0, sizeof(group->values));
	for (uint32_t i = 0; i < group->count; i++)
		event_count(group->events[i], kernel, group->values[i]);
}

void event_hear(const struct command *command)
{
	EVENTS_LOCKED();

	if (command->kind != COMMAND_KERNEL || command->context >= EVENT_CONTEXTS ||
	    command->due == UINT64_MAX)
		return;
	if (contexts[command->context].busy < command->end)
		contexts[command->context].busy = command->end;
	for (cupti_event_group group = event_groups; group; group = group->older)
		if (group->enabled && group->context_id == command->context)
			count(group, command);
}

void event_hear_end(struct context *context)
{
	EVENTS_LOCKED();

	for (cupti_event_group group = event_groups; group; group = group->older)
		if (group->enabled && !group->stuck &&
		    group->context == (cuda_context)(void *)context)
			complain("a context ends while its events are enabled");
}

bool event_is_serial(void)
{
	EVENTS_LOCKED();

	for (cupti_event_group group = event_groups; group; group = group->older)
		if (group->enabled)
			return true;
	return false;
}

/* Groups of one domain are in different sets. */
unsigned event_passes(struct context *context)
{
	uint32_t id, device;
	unsigned passes = 0;
	EVENTS_LOCKED();

	if (!event_find_context((cuda_context)(void *)context, &id, &device) ||
	    !contexts[id].replay)
		return 0;
	for (cupti_event_group group = event_groups; group; group = group->older) {
		unsigned same = 0;

		for (cupti_event_group other = group; other; other = other->older)
			same += other->enabled && other->context_id == id &&
				other->domain == group->domain;
		passes = same > passes ? same : passes;
	}
	return passes;
}

/* --- the functions */

/* Its registers are in use: a context with kernel replay shares its own. */
static bool collides(cupti_event_group group)
{
	for (cupti_event_group other = event_groups; other; other = other->older)
		if (other != group && other->enabled && other->device == group->device &&
		    (other->context_id != group->context_id ||
		     (other->domain == group->domain && !contexts[group->context_id].replay)))
			return true;
	return false;
}

static int enable_group(cupti_event_group group)
{
	int status = event_gate_of_group("cuptiEventGroupSetEnable", group);

	if (!status)
		status = cupti_answer(cupti_fails_taking());
	if (status)
		return status;
	if (collides(group))
		return cupti_answer(CUPTI_NOT_COMPATIBLE);
	group->enabled = true;
	group->disturbed = is_running(group);
	memset(group->values, 0, sizeof(group->values));
	return CUPTI_DONE;
}

int cuptiEventGroupSetEnable(struct cupti_event_set *set)
{
	int status = CUPTI_DONE;
	EVENTS_LOCKED();

	for (uint32_t i = 0; i < set->count && !status; i++)
		status = enable_group(set->groups[i]);
	return status;
}

int cuptiEventGroupSetDisable(struct cupti_event_set *set)
{
	int status = CUPTI_DONE;
	EVENTS_LOCKED();

	for (uint32_t i = 0; i < set->count && !status; i++) {
		status = event_gate_of_group("cuptiEventGroupSetDisable", set->groups[i]);
		set->groups[i]->stuck = status;
		if (!status)
			set->groups[i]->enabled = false;
	}
	return status;
}

/* Applies the script to the last instance of a value that is read. */
static void spoil(uint64_t *values, uint32_t instances)
{
	static int64_t number;

	number++;
	if (script_means(script.overflow, number))
		values[instances - 1] = CUPTI_EVENT_OVERFLOW;
	if (script_means(script.invalid, number))
		values[instances - 1] = CUPTI_EVENT_INVALID;
}

int cuptiEventGroupReadEvent(cupti_event_group group, uint32_t flags, uint32_t event, size_t *size,
			     uint64_t *values)
{
	int status = event_gate_of_group("cuptiEventGroupReadEvent", group);
	size_t bytes;
	uint32_t i = 0;
	EVENTS_LOCKED();

	if (status)
		return status;
	if (!group->enabled)
		complain("an event is read while it is disabled");
	if (is_running(group))
		complain("an event is read while a kernel is running");
	if (group->disturbed)
		complain("an event is read that was enabled while a kernel was running");
	while (i < group->count && event_id(group->events[i]) != event)
		i++;
	if (flags || i == group->count)
		return cupti_answer(flags ? CUPTI_INVALID_PARAMETER : CUPTI_INVALID_EVENT);
	bytes = event_instances(group) * sizeof(*values);
	if (*size < bytes)
		complain("an event is read into %zu bytes, and needs %zu", *size, bytes);
	memcpy(values, group->values[i], bytes);
	memset(group->values[i], 0, sizeof(group->values[i]));
	spoil(values, event_instances(group));
	*size = bytes;
	return CUPTI_DONE;
}

int cuptiSetEventCollectionMode(cuda_context context, uint32_t mode)
{
	uint32_t id;
	int status = event_gate_of_context("cuptiSetEventCollectionMode", context, &id);
	EVENTS_LOCKED();

	if (status)
		return status;
	if (mode != CUPTI_EVENTS_OF_KERNELS && mode != CONTINUOUS)
		return cupti_answer(CUPTI_INVALID_PARAMETER);
	if (contexts[id].replay)
		complain("the collection mode is set while kernels are replayed");
	if (is_enabled(id))
		complain("the collection mode is set while events are enabled");
	contexts[id].continuous = mode == CONTINUOUS;
	return CUPTI_DONE;
}

int cuptiEnableKernelReplayMode(cuda_context context)
{
	uint32_t id;
	int status = event_gate_of_context("cuptiEnableKernelReplayMode", context, &id);
	EVENTS_LOCKED();

	if (status)
		return status;
	if (is_enabled(id))
		complain("kernels are replayed from now on, and events are enabled");
	contexts[id].continuous = false;
	contexts[id].replay = true;
	return CUPTI_DONE;
}

int cuptiDisableKernelReplayMode(cuda_context context)
{
	uint32_t id;
	int status = event_gate_of_context("cuptiDisableKernelReplayMode", context, &id);
	EVENTS_LOCKED();

	if (status)
		return status;
	contexts[id].replay = false;
	for (cupti_event_group group = event_groups; group; group = group->older)
		if (group->context_id == id)
			group->enabled = false;
	return CUPTI_DONE;
}

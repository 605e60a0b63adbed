/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cupti_range_object.h"

/* The Range Profiler while it measures; the rules are in cupti_range.c. */

__thread bool ranges_entering;

int cuptiRangeProfilerStart(struct range_disable *parameters)
{
	BEGIN(RangeProfilerStart, range_disable, object);

	if (!object->passes)
		complain("%s before SetConfig", function);
	if (object->is_started)
		complain("%s twice", function);
	if (script.onestart && object->is_used)
		return cupti_answer(CUPTI_INVALID_OPERATION);
	object->is_started = object->is_used = true;
	object->count = 0;
	return CUPTI_DONE;
}

static void show_waiting(struct range_object *object)
{
	for (struct waiting *at = object->waiting; at; at = at->next)
		at->is_there = true;
}

int cuptiRangeProfilerStop(struct range_stop *parameters)
{
	BEGIN(RangeProfilerStop, range_stop, all_passes);

	if (!object->is_started)
		complain("%s before Start", function);
	object->is_started = false;
	show_waiting(object);
	parameters->pass = 0;
	parameters->nesting = 0;
	parameters->all_passes = 1;
	return CUPTI_DONE;
}

int cuptiRangeProfilerDecodeData(struct range_decode *parameters)
{
	BEGIN(RangeProfilerDecodeData, range_decode, dropped);

	if (!object->data || !image_is(object->data, SIZE_MAX, IMAGE_DATA))
		complain("%s with counter data that is not initialized", function);
	if (script.entrydecode && object->is_started && !ranges_entering)
		complain("%s between Start and Stop, and not at the entry of a launch", function);
	if (script.mostdecoded && object->most_waiting > (size_t)script.mostdecoded)
		return cupti_answer(CUPTI_INVALID_OPERATION);
	if (ranges_entering && !script.atstop)
		show_waiting(object);
	while (object->waiting && object->waiting->is_there) {
		struct waiting *first = object->waiting;

		if (!image_add(object->data, &first->range))
			object->dropped++;
		object->waiting = first->next;
		object->waiting_count--;
		if (!object->waiting)
			object->end = &object->waiting;
		free(first);
	}
	parameters->dropped = object->dropped;
	object->dropped = 0;
	return CUPTI_DONE;
}

int cuptiRangeProfilerGetCounterDataInfo(struct range_data_info *parameters)
{
	static const char function[] = "cuptiRangeProfilerGetCounterDataInfo";
	int status = cupti_gate(function, false);

	range_check_size(function, parameters->size, sizeof(*parameters));
	if (status)
		return status;
	if (!image_is(parameters->data, parameters->bytes, IMAGE_DATA))
		return cupti_answer(CUPTI_UNKNOWN);
	parameters->ranges = image_head(parameters->data).count;
	return CUPTI_DONE;
}

unsigned ranges_passes(struct context *context)
{
	struct range_object *object;
	uint32_t id, device;

	if (!cupti_driver()->context(context, &id, &device))
		return 0;
	LOCKED();
	object = range_find(id, device, false);
	return object && object->is_started ? object->passes : 0;
}

static bool is_dropped(void)
{
	static int64_t written;

	return script.droprange && ++written % script.droprange == 0;
}

static bool is_missing(void)
{
	static int64_t made;

	return script.norange && ++made >= script.norange;
}

void ranges_add(const struct command *command)
{
	struct range_object *object;
	struct waiting *new;
	LOCKED();

	object = range_find(command->context, command->device, false);
	if (!object || !object->is_started)
		return;
	if (is_missing()) {
		object->count++;
		return;
	}
	if (is_dropped() || object->waiting_count == object->most_waiting) {
		object->count++;
		object->dropped++;
		return;
	}
	new = calloc(1, sizeof(*new));
	if (!new)
		abort();
	new->range.effort = command->effort;
	new->range.number = (uint64_t)command->number;
	new->range.index = object->count++;
	new->is_there = !script.latecounters && !script.atstop;
	*object->end = new;
	object->end = &new->next;
	object->waiting_count++;
}

void ranges_context_ends(struct context *context)
{
	uint32_t id, device;

	if (!cupti_driver()->context(context, &id, &device))
		return;
	LOCKED();
	if (range_find(id, device, false))
		complain("a context ends while the Range Profiler is enabled in it");
}

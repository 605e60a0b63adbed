/* SPDX-License-Identifier: MIT */
#include "view/advise/flow_join.h"

#include <stdlib.h>
#include <string.h>

#include "model/frames.h"
#include "view/stream/external_sort.h"

/* The sides of the first sort, by the correlation of the record. The second one is by the time and
 * the correlation of the use; its sides are the last key. */
enum { SIDE_RECORD, SIDE_USE, SIDE_CHANGE };

enum { GROUP_MOST = 1 << 16 /* uses of a command that are looked at together */ };

struct flow_join {
	struct external_sort *by_record;
	struct external_sort *by_use;
	struct flow_step *group; /* the uses of a record */
	size_t group_count, group_room;
	struct flow_step next; /* its change may follow */
	bool has_next;
	uint64_t changes;
};

struct flow_join *flow_join_new(void)
{
	struct flow_join *join = calloc(1, sizeof(*join));

	if (!join)
		return NULL;
	join->by_record = external_sort_new(0);
	join->by_use = external_sort_new(0);
	if (join->by_record && join->by_use)
		return join;
	flow_join_free(join);
	return NULL;
}

void flow_join_free(struct flow_join *join)
{
	if (!join)
		return;
	external_sort_free(join->by_record);
	external_sort_free(join->by_use);
	free(join->group);
	free(join);
}

uint64_t flow_join_changes(const struct flow_join *join)
{
	return join->changes;
}

static int put_by_record(struct flow_join *join, uint64_t record, uint64_t side, const void *bytes,
			 size_t size, struct strbuf *error)
{
	const struct sort_item item = {.key = record, .second = side, .bytes = bytes, .size = size};

	return external_sort_add(join->by_record, &item, error);
}

/* Correlations have the order of time in one thread only. */
static int put_by_use(struct flow_join *join, uint64_t enter, uint64_t use, uint64_t side,
		      const void *bytes, size_t size, struct strbuf *error)
{
	const struct sort_item item = {
		.key = enter, .second = use, .third = side, .bytes = bytes, .size = size};

	return external_sort_add(join->by_use, &item, error);
}

int flow_join_add(struct flow_join *join, const struct frame *frame, struct strbuf *error)
{
	const struct use *use = (const void *)frame;
	const struct change *change = (const void *)frame;

	if (frames_is_record(frame))
		return put_by_record(join, frame->correlation, SIDE_RECORD, frame,
				     sizeof(struct record), error);
	if (frame->kind == FRAME_USE && use->access == USE_NONE)
		return 0;
	if (frame->kind == FRAME_USE)
		return put_by_record(join, use->record, SIDE_USE, use, sizeof(*use), error);
	if (frame->kind != FRAME_CHANGE)
		return 0;
	join->changes++;
	return put_by_use(join, change->enter, change->use, SIDE_CHANGE, change, sizeof(*change),
			  error);
}

static struct flow_node_key key_of(const struct record *record, uint32_t api)
{
	struct flow_node_key key = {.api = api, .stack = record->frame.stack};

	if (record->frame.kind == FRAME_KERNEL) {
		key.kind = FLOW_KERNEL;
		key.name = record->name;
	} else if (record->frame.kind == FRAME_COPY) {
		key.kind = FLOW_COPY;
		key.direction = (uint32_t)record->source << 16 | record->target;
	} else {
		key.kind = FLOW_FILL;
	}
	return key;
}

static bool has_direction(const struct record *record, enum direction direction)
{
	return record->frame.kind == FRAME_COPY && record->known & KNOWN_DIRECTION &&
	       record->direction == direction;
}

/* `record` is NULL if the trace does not have it. */
static int add_to_group(struct flow_join *join, const struct record *record, const struct use *use,
			struct strbuf *error)
{
	struct flow_step *step;

	if (join->group_count == join->group_room) {
		size_t room = join->group_room ? 2 * join->group_room : 16;
		struct flow_step *group = realloc(join->group, room * sizeof(*group));

		if (!group) {
			strbuf_string(error, "out of memory for the data flow");
			return -1;
		}
		join->group = group;
		join->group_room = room;
	}
	step = &join->group[join->group_count++];
	*step = (struct flow_step){.use = *use, .node = {.kind = FLOW_OTHER, .api = use->api}};
	if (!record) {
		step->node.stack = use->frame.stack;
		return 0;
	}
	step->node = key_of(record, use->api);
	step->is_sink = has_direction(record, DIRECTION_DEVICE_TO_HOST);
	step->is_source = has_direction(record, DIRECTION_HOST_TO_DEVICE);
	return 0;
}

/* Without its record a kernel's other arguments are not known. */
static bool is_known(const struct flow_step *step)
{
	return step->node.kind != FLOW_OTHER || step->use.argument == USE_NO_ARGUMENT;
}

/* A kernel without a result would be of no use: its only argument that can be written, is. */
static int end_group(struct flow_join *join, struct strbuf *error)
{
	size_t writers = 0;

	for (size_t i = 0; i < join->group_count; i++)
		writers += (join->group[i].use.access & USE_WRITE) != 0;
	for (size_t i = 0; i < join->group_count; i++) {
		struct flow_step *step = &join->group[i];

		step->is_only = writers == 1 && step->use.access & USE_WRITE && is_known(step);
		step->is_first = !i;
		if (put_by_use(join, step->use.enter, step->use.frame.correlation, SIDE_USE, step,
			       sizeof(*step), error))
			return -1;
	}
	join->group_count = 0;
	return 0;
}

int flow_join_begin(struct flow_join *join, struct strbuf *error)
{
	struct record record = {.frame = {0}};
	struct sort_item item;
	int found;

	while ((found = external_sort_next(join->by_record, &item, error)) > 0) {
		bool is_same = record.frame.correlation && record.frame.correlation == item.key;
		bool is_other = !is_same || item.second == SIDE_RECORD;

		if ((is_other || join->group_count == GROUP_MOST) && end_group(join, error))
			return -1;
		if (item.second == SIDE_RECORD)
			memcpy(&record, item.bytes, sizeof(record));
		else if (add_to_group(join, is_same ? &record : NULL, item.bytes, error))
			return -1;
	}
	return found ? -1 : end_group(join, error);
}

/* Returns 1 if the step is complete, 0 if the next item is needed. */
static int take(struct flow_join *join, const struct sort_item *item, struct flow_step *step)
{
	bool is_complete = join->has_next;

	if (item->third == SIDE_CHANGE) {
		if (!join->has_next || join->next.use.frame.correlation != item->second)
			return 0; /* of a use that is lost */
		join->next.has_change = true;
		memcpy(&join->next.change, item->bytes, sizeof(join->next.change));
		*step = join->next;
		join->has_next = false;
		return 1;
	}
	*step = join->next;
	memcpy(&join->next, item->bytes, sizeof(join->next));
	join->has_next = true;
	return is_complete;
}

int flow_join_next(struct flow_join *join, struct flow_step *step, struct strbuf *error)
{
	struct sort_item item;
	int found;

	while ((found = external_sort_next(join->by_use, &item, error)) > 0)
		if (take(join, &item, step))
			return 1;
	if (found || !join->has_next)
		return found;
	*step = join->next;
	join->has_next = false;
	return 1;
}

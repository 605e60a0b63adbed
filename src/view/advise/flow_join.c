/* SPDX-License-Identifier: MIT */
#include "view/advise/flow_join.h"

#include <stdlib.h>
#include <string.h>

#include "model/frames.h"
#include "view/stream/external_sort.h"

/* The sides of the first sort, by the correlation of the record. The second one is by the time and
 * the correlation of the use; its sides are the last key. */
enum { SIDE_RECORD, SIDE_USE, SIDE_CHANGE };

/* The last side: patterns and their values, in the order of their correlations. */
#define SIDE_PATTERN (UINT64_C(1) << 63)

_Static_assert(sizeof(struct pattern) == sizeof(union event) &&
		       sizeof(struct pattern_value) == sizeof(union event),
	       "values are stored as events");

enum { GROUP_MOST = 1 << 16 /* uses of a command that are looked at together */ };

struct flow_join {
	struct external_sort *by_record;
	struct external_sort *by_use;
	struct flow_step *group; /* the uses of a record */
	size_t group_count, group_room;
	struct flow_step next; /* its change and its patterns may follow */
	bool has_next;
	union event *values; /* of the step that was returned, or of the next one */
	size_t value_count, value_room;
	bool is_returned;
	uint64_t changes, patterns;
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
	free(join->values);
	free(join);
}

uint64_t flow_join_changes(const struct flow_join *join)
{
	return join->changes;
}

uint64_t flow_join_patterns(const struct flow_join *join)
{
	return join->patterns;
}

static int put_by_record(struct flow_join *join, uint64_t record, uint64_t side, const void *bytes,
			 size_t size, struct strbuf *error)
{
	const struct sort_item item = {.key = record, .second = side, .bytes = bytes, .size = size};

	return external_sort_add(join->by_record, &item, error);
}

/* Sorts by time first, since correlations have the order of time only within a thread. */
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
	const struct pattern *pattern = (const void *)frame;

	if (frames_is_record(frame))
		return put_by_record(join, frame->correlation, SIDE_RECORD, frame,
				     sizeof(struct record), error);
	if (frame->kind == FRAME_USE && use->access == USE_NONE)
		return 0;
	if (frame->kind == FRAME_USE)
		return put_by_record(join, use->record, SIDE_USE, use, sizeof(*use), error);
	if (frame->kind == FRAME_PATTERN || frame->kind == FRAME_VALUE) {
		join->patterns += frame->kind == FRAME_PATTERN;
		return put_by_use(join, pattern->enter, pattern->use,
				  SIDE_PATTERN | frame->correlation, pattern, sizeof(*pattern),
				  error);
	}
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

/* Returns false for a kernel without its record: its other arguments are not known. */
static bool is_known(const struct flow_step *step)
{
	return step->node.kind != FLOW_OTHER || step->use.argument == USE_NO_ARGUMENT;
}

/* Marks the only argument of a kernel that can be written. It counts as written, since a kernel
 * has a result. */
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

static int add_value(struct flow_join *join, const struct sort_item *item, struct strbuf *error)
{
	if (join->value_count == join->value_room) {
		size_t room = join->value_room ? 2 * join->value_room : 64;
		union event *values = realloc(join->values, room * sizeof(*values));

		if (!values) {
			strbuf_string(error, "out of memory for the patterns of values");
			return -1;
		}
		join->values = values;
		join->value_room = room;
	}
	memcpy(&join->values[join->value_count++], item->bytes, sizeof(*join->values));
	return 0;
}

/* Takes a change, pattern or value of the last use. Those of a lost use are ignored. */
static int take_follower(struct flow_join *join, const struct sort_item *item, struct strbuf *error)
{
	if (!join->has_next || join->next.use.frame.correlation != item->second)
		return 0;
	if (item->third != SIDE_CHANGE)
		return add_value(join, item, error);
	if (!join->next.has_change)
		memcpy(&join->next.change, item->bytes, sizeof(join->next.change));
	join->next.has_change = true;
	return 0;
}

static void return_next(struct flow_join *join, struct flow_step *step)
{
	*step = join->next;
	step->values = join->values;
	step->value_count = join->value_count;
	join->is_returned = true;
}

int flow_join_next(struct flow_join *join, struct flow_step *step, struct strbuf *error)
{
	struct sort_item item;
	int found;

	if (join->is_returned)
		join->value_count = 0;
	join->is_returned = false;
	while ((found = external_sort_next(join->by_use, &item, error)) > 0) {
		bool had_next = join->has_next;

		if (item.third != SIDE_USE) {
			if (take_follower(join, &item, error))
				return -1;
			continue;
		}
		if (had_next)
			return_next(join, step);
		memcpy(&join->next, item.bytes, sizeof(join->next));
		join->has_next = true;
		if (had_next)
			return 1;
	}
	if (found || !join->has_next)
		return found;
	return_next(join, step);
	join->has_next = false;
	return 1;
}

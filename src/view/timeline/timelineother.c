/* SPDX-License-Identifier: MIT */
#include "view/timeline/timelineother.h"

#include "view/timeline/eventrow.h"
#include "view/timeline/timelineshow.h"

int timelineother_open(struct timeline *timeline)
{
	return recent_map_open(&timeline->ranges, TIMELINE_RANGES, sizeof(struct mark)) ||
			       recent_map_open(&timeline->ends, TIMELINE_RANGES,
					       sizeof(uint64_t)) ||
			       memory_usage_open(&timeline->inuse)
		       ? -1
		       : 0;
}

void timelineother_close(struct timeline *timeline)
{
	recent_map_close(&timeline->ranges);
	recent_map_close(&timeline->ends);
	memory_usage_close(&timeline->inuse);
}

static void show(struct timeline *timeline, struct timeline_event *event, uint64_t start,
		 uint64_t end)
{
	if (timelineshow_may_be(start, end))
		timelineshow_other(timeline, event, start, end);
}

static void show_mark(struct timeline *timeline, enum timeline_kind kind, const struct mark *mark,
		      uint64_t end)
{
	struct timeline_event event = {
		.kind = kind, .other = &mark->frame, .unfinished = end == UINT64_MAX};

	if (mark->name)
		event.command = names_text(timeline->catalog->names, mark->name,
					   &event.command_length);
	show(timeline, &event, mark->enter, event.unfinished ? timeline->last : end);
}

static void take_start(struct timeline *timeline, const struct mark *mark)
{
	const uint64_t *end = recent_map_take(&timeline->ends, mark->id);

	if (end) {
		show_mark(timeline, TIMELINE_RANGE, mark, *end);
		return;
	}
	if (recent_map_is_full(&timeline->ranges))
		show_mark(timeline, TIMELINE_RANGE, recent_map_shift(&timeline->ranges),
			  UINT64_MAX);
	*(struct mark *)recent_map_add(&timeline->ranges, mark->id) = *mark;
}

static void take_mark(struct timeline *timeline, const struct mark *mark)
{
	const struct mark *start;

	if (mark->frame.flags & MARK_START) {
		take_start(timeline, mark);
	} else if (mark->frame.flags & MARK_END) {
		start = recent_map_take(&timeline->ranges, mark->id);
		if (start)
			show_mark(timeline, TIMELINE_RANGE, start, mark->enter);
		else
			*(uint64_t *)recent_map_add(&timeline->ends, mark->id) = mark->enter;
	} else {
		show_mark(timeline, TIMELINE_MOMENT, mark, mark->enter);
	}
}

static bool show_memory(struct timeline *timeline)
{
	struct memory_usage_sample sample;
	bool is_there = memory_usage_shift(&timeline->inuse, &sample);

	if (is_there)
		timelineshow_memory(timeline, &sample);
	return is_there;
}

static void take_allocation(struct timeline *timeline, const struct allocation *allocation)
{
	struct allocation known = *allocation;

	if (!timelineshow_may_be(known.enter, known.leave))
		return;
	if (!catalog_context(timeline->catalog, known.context))
		known.context = UINT32_MAX;
	if (memory_usage_is_full(&timeline->inuse))
		show_memory(timeline);
	memory_usage_add(&timeline->inuse, &known);
}

void timelineother_take(struct timeline *timeline, const struct frame *frame)
{
	const void *at = frame;
	const struct timed *timed = at;
	struct timeline_event event = {.kind = TIMELINE_SPAN, .other = frame};

	switch (frame->kind) {
	case FRAME_MARK:
		take_mark(timeline, at);
		return;
	case FRAME_ALLOCATION:
		take_allocation(timeline, at);
		return;
	default:
		if (event_rows[frame->kind].label)
			show(timeline, &event, timed->enter, timed->leave);
	}
}

int timelineother_end(struct timeline *timeline)
{
	const struct mark *start;

	while ((start = recent_map_shift(&timeline->ranges))) {
		show_mark(timeline, TIMELINE_RANGE, start, UINT64_MAX);
		if (sink_flow(&timeline->sink))
			return -1;
	}
	while (show_memory(timeline)) {
		if (sink_flow(&timeline->sink))
			return -1;
	}
	return 0;
}

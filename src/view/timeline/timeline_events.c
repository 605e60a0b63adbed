/* SPDX-License-Identifier: MIT */
#include "view/timeline/timeline_events.h"

#include "view/timeline/eventrow.h"
#include "view/timeline/timeline_emit.h"

static void show(struct timeline *timeline, struct timeline_event *event, uint64_t start,
		 uint64_t end)
{
	if (timeline_emit_may_be(start, end))
		timeline_emit_other(timeline, event, start, end);
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

static int take_pair(void *context, const struct ordered_pair *pair, struct strbuf *error)
{
	struct timeline *timeline = context;
	const uint64_t *end = pair->second;

	(void)error;
	show_mark(timeline, TIMELINE_RANGE, pair->first, end ? *end : UINT64_MAX);
	return sink_flow(&timeline->sink) ? -1 : 0;
}

static int no_memory(struct strbuf *error)
{
	strbuf_string(error, "out of memory");
	return -1;
}

static int begin_ranges(struct timeline *timeline, struct strbuf *error)
{
	const struct ordered_options options = {
		.firsts_only = true,
		.first_size = sizeof(struct mark),
		.second_size = sizeof(uint64_t),
		.take = take_pair,
		.context = timeline,
	};

	if (!timeline->ranges)
		timeline->ranges = ordered_new(&options);
	return timeline->ranges ? 0 : no_memory(error);
}

static int take_mark(struct timeline *timeline, const struct mark *mark, struct strbuf *error)
{
	const struct ordered_side start = {.key = mark->id, .bytes = mark, .size = sizeof(*mark)};
	const struct ordered_side end = {
		.key = mark->id, .bytes = &mark->enter, .size = sizeof(mark->enter)};

	if (!(mark->frame.flags & (MARK_START | MARK_END))) {
		show_mark(timeline, TIMELINE_MOMENT, mark, mark->enter);
		return 0;
	}
	if (begin_ranges(timeline, error))
		return -1;
	if (mark->frame.flags & MARK_START)
		return ordered_add_first(timeline->ranges, &start, 1, error);
	return ordered_add_second(timeline->ranges, &end, error);
}

static int take_allocation(struct timeline *timeline, const struct allocation *allocation,
			   struct strbuf *error)
{
	struct allocation known = *allocation;

	if (!timeline_emit_may_be(known.enter, known.leave))
		return 0;
	if (!catalog_context(timeline->catalog, known.context))
		known.context = UINT32_MAX;
	if (!timeline->usage)
		timeline->usage = memory_usage_new();
	return timeline->usage ? memory_usage_add(timeline->usage, &known, error)
			       : no_memory(error);
}

int timeline_events_take(struct timeline *timeline, const struct frame *frame, struct strbuf *error)
{
	const void *at = frame;
	const struct timed *timed = at;
	struct timeline_event event = {.kind = TIMELINE_SPAN, .other = frame};

	switch (frame->kind) {
	case FRAME_MARK:
		return take_mark(timeline, at, error);
	case FRAME_ALLOCATION:
		return take_allocation(timeline, at, error);
	case FRAME_SAMPLE:
		if (timeline->format->sample && timeline_emit_may_be(timed->enter, timed->enter))
			timeline->format->sample(timeline, at);
		return 0;
	default:
		if (event_rows[frame->kind].label)
			show(timeline, &event, timed->enter, timed->leave);
		return 0;
	}
}

int timeline_events_end(struct timeline *timeline, struct strbuf *error)
{
	struct memory_usage_sample sample;
	int found = 0;

	if (timeline->ranges && ordered_end(timeline->ranges, error))
		return -1;
	while (timeline->usage &&
	       (found = memory_usage_next(timeline->usage, &sample, error)) > 0) {
		timeline_emit_memory(timeline, &sample);
		if (sink_flow(&timeline->sink))
			return -1;
	}
	return found;
}

void timeline_events_close(struct timeline *timeline)
{
	ordered_free(timeline->ranges);
	timeline->ranges = NULL;
	memory_usage_free(timeline->usage);
	timeline->usage = NULL;
}

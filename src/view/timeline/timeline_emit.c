/* SPDX-License-Identifier: MIT */
#include "view/timeline/timeline_emit.h"

#include "model/event.h"
#include "model/method.h"
#include "view/timeline/eventrow.h"

/* Announces a track and its device if they are new. */
static void announce(struct timeline *timeline, const struct track *track)
{
	const struct device *device = catalog_device(timeline->catalog, track->device);

	if (track->is_queue && device && !timeline->has_device[device->id]) {
		timeline->has_device[device->id] = true;
		timeline->format->device(timeline, device);
	}
	if (track->is_new)
		timeline->format->track(timeline, track);
}

static void show(struct timeline *timeline, struct timeline_event *event)
{
	announce(timeline, &event->track);
	timeline->format->event(timeline, event);
}

/* On CLOCK_MONOTONIC, on which no shown time can wrap around, for any clocks in the file. */
uint64_t timeline_emit_moment(const struct timeline *timeline, uint64_t epoch)
{
	return epoch - (uint64_t)timeline->process.monotonic_to_epoch;
}

static uint64_t epoch(const struct timeline *timeline, uint64_t monotonic)
{
	return monotonic + (uint64_t)timeline->process.monotonic_to_epoch;
}

uint64_t timeline_zero(const struct timeline *timeline)
{
	return epoch(timeline, timeline->process.started);
}

uint64_t timeline_moment(const struct timeline *timeline, uint64_t time)
{
	return time - timeline->offset;
}

bool timeline_emit_may_be(uint64_t start, uint64_t end)
{
	return start <= end && end < UINT64_C(1) << 62;
}

bool timeline_emit_has_call(const struct record *record)
{
	return !(record->frame.flags & RECORD_NO_CALL) &&
	       timeline_emit_may_be(record->enter, record->leave);
}

bool timeline_emit_has_times(const struct timeline *timeline, const struct record *record)
{
	return record->known & KNOWN_TIMES &&
	       timeline_emit_may_be(timeline_emit_moment(timeline, record->started),
				    timeline_emit_moment(timeline, record->ended));
}

static struct timeline_end show_on_thread(struct timeline *timeline, struct timeline_event *event,
					  const struct frame *frame, uint64_t enter, uint64_t leave)
{
	event->start = epoch(timeline, enter);
	event->end = epoch(timeline, leave);
	event->track = tracks_of_thread(timeline->tracks, frame->thread, enter, leave);
	show(timeline, event);
	return (struct timeline_end){.track = event->track, .time = event->start};
}

static void show_on_queue(struct timeline *timeline, struct timeline_event *event)
{
	event->end = event->has_times ? event->record->ended : event->start;
	event->track = tracks_of_queue(timeline->tracks, event->record,
				       timeline_emit_moment(timeline, event->start),
				       timeline_emit_moment(timeline, event->end));
	show(timeline, event);
}

static void name_command(struct timeline *timeline, struct timeline_event *event)
{
	event->command = method_text(event->record, DIALECT_CUDA4, timeline->catalog->names,
				     &event->command_length);
}

struct timeline_end timeline_emit_call(struct timeline *timeline, const struct record *record,
				       bool has_times)
{
	struct timeline_event event = {
		.kind = TIMELINE_CALL,
		.record = record,
		.has_times = has_times,
		.flows = &record->frame.correlation,
		.flow_count = has_times,
	};

	name_command(timeline, &event);
	return show_on_thread(timeline, &event, &record->frame, record->enter, record->leave);
}

struct timeline_end timeline_emit_command(struct timeline *timeline, const struct record *record)
{
	struct timeline_event event = {
		.kind = TIMELINE_COMMAND,
		.record = record,
		.has_times = true,
		.start = record->started,
		.flows = &record->frame.correlation,
		.flow_count = 1,
	};

	name_command(timeline, &event);
	show_on_queue(timeline, &event);
	return (struct timeline_end){.track = event.track, .time = event.start};
}

struct timeline_end timeline_emit_own(struct timeline *timeline, const struct call *call,
				      uint32_t flows)
{
	struct timeline_event event = {
		.kind = TIMELINE_OWN,
		.call = call,
		.flows = timeline->flows,
		.flow_count = flows,
	};

	event.command = names_text(timeline->catalog->names, call->name, &event.command_length);
	return show_on_thread(timeline, &event, &call->frame, call->enter, call->leave);
}

static struct track track_of(struct timeline *timeline, const struct timeline_event *event,
			     uint64_t start, uint64_t end)
{
	const struct frame *frame = event->other;
	bool nested = frame->kind == FRAME_MARK && frame->flags & MARK_PUSHED;
	const struct event_row *row = &event_rows[frame->kind];
	struct track track = {.role = row->role, .thread = frame->thread};

	if (event->kind == TIMELINE_SPAN) {
		track.thread = (uint32_t)field_get(&field_rows[row->thread], frame, 0);
	} else {
		track.domain = ((const struct mark *)(const void *)frame)->domain;
		if (event->kind == TIMELINE_RANGE && !nested)
			track.thread = 0;
	}
	return nested || event->kind == TIMELINE_MOMENT
		       ? tracks_nested(timeline->tracks, &track, start, end, event->unfinished)
		       : tracks_of_role(timeline->tracks, &track, start, end);
}

void timeline_emit_other(struct timeline *timeline, struct timeline_event *event, uint64_t start,
			 uint64_t end)
{
	event->names = timeline->catalog->names;
	event->start = epoch(timeline, start);
	event->end = epoch(timeline, end);
	event->track = track_of(timeline, event, start, end);
	show(timeline, event);
}

void timeline_emit_memory(struct timeline *timeline, const struct memory_usage_sample *sample)
{
	const struct context *context = catalog_context(timeline->catalog, sample->context);
	struct track track = {.role = TRACK_MEMORY, .memory = (uint16_t)sample->kind};

	if (context) {
		track.is_queue = true;
		track.context = context->id;
		track.device = context->device;
	}
	track = tracks_nested(timeline->tracks, &track, sample->time, sample->time, false);
	announce(timeline, &track);
	timeline->format->counter(timeline, &track, epoch(timeline, sample->time), sample->bytes);
}

void timeline_emit_mark(struct timeline *timeline, const struct record *record)
{
	uint64_t enter = record->enter;
	struct timeline_event event = {
		.kind = TIMELINE_MARK,
		.record = record,
		.start = timeline_emit_may_be(enter, enter) ? epoch(timeline, enter)
							    : timeline_zero(timeline),
	};

	name_command(timeline, &event);
	show_on_queue(timeline, &event);
}

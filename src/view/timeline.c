/* SPDX-License-Identifier: MIT */
#include "view/timeline.h"

#include <stdlib.h>

#include "model/method.h"

static void show(struct timeline *timeline, struct timeline_event *event)
{
	const struct track *track = &event->track;
	const struct device *device = catalog_device(timeline->catalog, track->device);

	if (track->is_queue && device && !timeline->has_device[device->id]) {
		timeline->has_device[device->id] = true;
		timeline->format->device(timeline, device);
	}
	if (track->is_new)
		timeline->format->track(timeline, track);
	timeline->format->event(timeline, event);
}

/* On CLOCK_MONOTONIC, where no time that is shown can wrap around, whatever the file says of the
 * clocks. */
static uint64_t monotonic_of(const struct timeline *timeline, uint64_t epoch)
{
	return epoch - (uint64_t)timeline->process.monotonic_to_epoch;
}

/* Finds the event its track, too. */
static void place(struct timeline *timeline, struct timeline_event event)
{
	uint64_t start = monotonic_of(timeline, event.start),
		 end = monotonic_of(timeline, event.end);

	if (event.kind == TIMELINE_CALL)
		event.track = tracks_of_thread(timeline->tracks, event.record, start, end);
	else
		event.track = tracks_of_queue(timeline->tracks, event.record, start, end);
	show(timeline, &event);
}

static uint64_t epoch(const struct timeline *timeline, uint64_t monotonic)
{
	return monotonic + (uint64_t)timeline->process.monotonic_to_epoch;
}

uint64_t timeline_zero(const struct timeline *timeline)
{
	return epoch(timeline, timeline->process.started);
}

/* A file may claim anything. What is not within 146 years of the machine's start is no time: sums
 * and differences of others fit into the signed numbers that viewers have. */
static bool may_be(uint64_t start, uint64_t end)
{
	return start <= end && end < UINT64_C(1) << 62;
}

static bool has_call(const struct record *record)
{
	return !(record->frame.flags & RECORD_NO_CALL) && may_be(record->enter, record->leave);
}

static bool has_times(const struct timeline *timeline, const struct record *record)
{
	return record->known & KNOWN_TIMES && may_be(monotonic_of(timeline, record->started),
						     monotonic_of(timeline, record->ended));
}

static void show_call(struct timeline *timeline, struct timeline_event event)
{
	event.kind = TIMELINE_CALL;
	event.start = epoch(timeline, event.record->enter);
	event.end = epoch(timeline, event.record->leave);
	place(timeline, event);
}

static void show_command(struct timeline *timeline, struct timeline_event event)
{
	event.kind = TIMELINE_COMMAND;
	event.start = event.record->started;
	event.end = event.record->ended;
	place(timeline, event);
}

/* Nothing of it is known but its place among the others. */
static void show_mark(struct timeline *timeline, struct timeline_event event)
{
	uint64_t enter = event.record->enter;

	event.kind = TIMELINE_MARK;
	event.start = may_be(enter, enter) ? epoch(timeline, enter) : timeline_zero(timeline);
	event.end = event.start;
	place(timeline, event);
}

static void take(struct timeline *timeline, const struct record *record)
{
	struct timeline_event event = {.record = record};
	bool is_called = has_call(record);

	event.has_times = has_times(timeline, record);
	event.command =
		method_text(record, DIALECT_CUDA4, timeline->catalog->names, &event.command_length);
	if (is_called && event.has_times)
		event.flow = record->frame.correlation;
	if (is_called)
		show_call(timeline, event);
	if (event.has_times)
		show_command(timeline, event);
	if (!is_called && !event.has_times)
		show_mark(timeline, event);
}

static void begin(struct timeline *timeline)
{
	timeline->process = timeline->catalog->process;
	timeline->format->begin(timeline);
}

static int take_all(struct timeline *timeline, struct stream *stream, struct strbuf *error)
{
	const struct record *record;
	bool begun = false;
	int found;

	while ((found = stream_next(stream, &record, error)) > 0) {
		if (!begun)
			begin(timeline);
		begun = true;
		take(timeline, record);
		if (sink_flow(&timeline->sink))
			return -1;
	}
	if (!begun)
		begin(timeline);
	timeline->format->end(timeline, stream_lost(stream), stream_is_cut_off(stream));
	return found;
}

int timeline_write(const struct timeline_format *format, const char *path, struct stream *stream,
		   struct strbuf *error)
{
	struct timeline timeline = {.format = format, .catalog = stream_catalog(stream)};
	int result = -1;

	if (sink_open(&timeline.sink, path, format->gzipped, error))
		return -1;
	timeline.tracks = tracks_new();
	timeline.has_device = calloc(CATALOG_DEVICES, sizeof(*timeline.has_device));
	timeline.own = calloc(1, format->own_size);
	if (timeline.tracks && timeline.has_device && timeline.own)
		result = take_all(&timeline, stream, error);
	else
		strbuf_string(error, "no memory");
	if (timeline.own && format->free)
		format->free(&timeline);
	free(timeline.own);
	free(timeline.has_device);
	tracks_free(timeline.tracks);
	return sink_close(&timeline.sink, error) || result ? -1 : 0;
}

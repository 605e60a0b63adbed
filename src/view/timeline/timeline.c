/* SPDX-License-Identifier: MIT */
#include "view/timeline/timeline.h"

#include <stdlib.h>

#include "model/frames.h"
#include "view/timeline/timeline_emit.h"
#include "view/timeline/timeline_events.h"

enum {
	FREE_FLOWS = 16, /* of each call */
	CREDIT = 1 << 20 /* of all calls together, beyond one for each record so far */
};

static void draw_arrow(struct timeline *timeline, const struct timeline_end *from,
		       const struct timeline_end *to, uint64_t flow)
{
	if (timeline->format->arrow)
		timeline->format->arrow(timeline, from, to, flow);
}

/* A record without a call so far; its command, if it has times, is shown at `to`. */
struct waiting {
	struct record record;
	struct timeline_end to;
	bool has_times;
};

/* The trace has the record's call, at `from`: only the command remains to be shown. */
static void emit_matched(struct timeline *timeline, const struct waiting *waiting,
			 const struct timeline_end *from)
{
	if (waiting->has_times)
		draw_arrow(timeline, from, &waiting->to, waiting->record.frame.correlation);
	else
		timeline_emit_mark(timeline, &waiting->record);
}

/* The call was not found: the trace has no calls, or the program was killed before it was
 * written. */
static void emit_unmatched(struct timeline *timeline, const struct waiting *waiting)
{
	struct timeline_end from;

	if (!timeline_emit_has_call(&waiting->record))
		return;
	from = timeline_emit_call(timeline, &waiting->record, waiting->has_times);
	if (waiting->has_times)
		draw_arrow(timeline, &from, &waiting->to, waiting->record.frame.correlation);
}

static int take_pair(void *context, const struct ordered_pair *pair, struct strbuf *error)
{
	struct timeline *timeline = context;

	(void)error;
	if (pair->second && pair->first)
		emit_matched(timeline, pair->second, pair->first);
	else if (pair->second)
		emit_unmatched(timeline, pair->second);
	return sink_flow(&timeline->sink) ? -1 : 0;
}

static int take_record(struct timeline *timeline, const struct record *record, struct strbuf *error)
{
	struct waiting waiting = {.record = *record,
				  .has_times = timeline_emit_has_times(timeline, record)};
	const struct ordered_side side = {
		.key = record->frame.correlation, .bytes = &waiting, .size = sizeof(waiting)};
	bool has_call = timeline_emit_has_call(record);

	timeline->credit++;
	if (waiting.has_times)
		waiting.to = timeline_emit_command(timeline, record);
	else if (!has_call)
		timeline_emit_mark(timeline, record);
	if (!waiting.has_times && !has_call)
		return 0;
	/* The copy has no counter values. */
	waiting.record.frame.size = sizeof(waiting.record);
	return ordered_add_second(timeline->calls, &side, error);
}

/*
 * Sets timeline->flows to those of a call, and returns their number. A file may claim any number of
 * records in each of its calls: beyond the first few, flows are taken from a credit, to which each
 * existing record adds.
 */
static uint32_t set_flows(struct timeline *timeline, const struct call *call, uint32_t records)
{
	uint64_t more = records > FREE_FLOWS ? records - FREE_FLOWS : 0;

	if (more > timeline->credit) {
		records -= (uint32_t)(more - timeline->credit);
		more = timeline->credit;
	}
	timeline->credit -= more;
	for (uint32_t i = 0; i < records; i++)
		timeline->flows[i] = call->made + i;
	return records;
}

static int take_call(struct timeline *timeline, const struct call *call, struct strbuf *error)
{
	struct timeline_end from;
	const struct ordered_side side = {.key = call->made, .bytes = &from, .size = sizeof(from)};
	uint32_t records = call->made ? call->records : 0;

	if (!timeline_emit_may_be(call->enter, call->leave))
		return 0;
	from = timeline_emit_own(timeline, call, set_flows(timeline, call, records));
	return records ? ordered_add_first(timeline->calls, &side, records, error) : 0;
}

static uint64_t find_offset(const struct timeline *timeline)
{
	const struct process *process = &timeline->process;
	uint64_t own = (uint64_t)process->monotonic_to_epoch;

	if (timeline->rank)
		return own + (uint64_t)timeline->first_epoch - (uint64_t)timeline->rank->epoch;
	return process_shares_clock(process, &timeline->first)
		       ? own
		       : (uint64_t)timeline->first.monotonic_to_epoch;
}

static void begin(struct timeline *timeline)
{
	struct process *process = &timeline->process;

	*process = timeline->catalog->process;
	timeline->rank = stream_rank(timeline->stream);
	if (!timeline->part) {
		timeline->first = *process;
		timeline->first.command = NULL;
		timeline->first.command_length = 0;
		timeline->first_epoch = timeline->rank ? timeline->rank->epoch : 0;
	}
	timeline->offset = find_offset(timeline);
	timeline->is_repeated = map_get(&timeline->pids, 1 + (uint64_t)process->pid);
	map_set(&timeline->pids, 1 + (uint64_t)process->pid, timeline);
	timeline->format->begin(timeline);
}

static void note(struct timeline *timeline, uint64_t moment)
{
	if (timeline->last < moment)
		timeline->last = moment;
}

/* Moves timeline->last to the latest valid time of the frame. */
static void note_moments(struct timeline *timeline, const struct frame *frame)
{
	const void *at = frame;
	const struct record *record = at;
	const struct timed *timed = at;

	if (timeline_emit_may_be(timed->enter, timed->enter))
		note(timeline, timed->enter);
	if ((frames_is_record(frame) || frames_is_timed_event(frame)) &&
	    timeline_emit_may_be(timed->enter, timed->leave))
		note(timeline, timed->leave);
	if (frames_is_record(frame) && timeline_emit_has_times(timeline, record))
		note(timeline, timeline_emit_moment(timeline, record->ended));
}

static int take(struct timeline *timeline, const struct frame *frame, struct strbuf *error)
{
	const void *at = frame;

	if (timeline->format->frame && timeline->format->frame(timeline, frame, error))
		return -1;
	note_moments(timeline, frame);
	if (frame->kind == FRAME_CALL)
		return take_call(timeline, at, error);
	if (frames_is_record(frame))
		return take_record(timeline, at, error);
	return timeline_events_take(timeline, frame, error);
}

static int end(struct timeline *timeline, const struct stream *stream, struct strbuf *error)
{
	if (ordered_end(timeline->calls, error) || timeline_events_end(timeline, error))
		return -1;
	if (timeline->format->frame && timeline->format->frame(timeline, NULL, error))
		return -1;
	timeline->format->end(timeline, stream);
	return 0;
}

static int take_part(struct timeline *timeline, struct stream *stream, struct strbuf *error)
{
	const struct frame *frame;
	bool begun = false;
	int found;

	while ((found = stream_next_frame(stream, &frame, error)) > 0) {
		if (!begun)
			begin(timeline);
		begun = true;
		if (take(timeline, frame, error) || sink_flow(&timeline->sink))
			return -1;
	}
	if (!begun)
		begin(timeline);
	return found || end(timeline, stream, error) ? -1 : 0;
}

static struct ordered *new_calls(struct timeline *timeline)
{
	const struct ordered_options options = {
		.first_size = sizeof(struct timeline_end),
		.second_size = sizeof(struct waiting),
		.take = take_pair,
		.context = timeline,
	};

	return ordered_new(&options);
}

static void open_part(struct timeline *timeline, const struct stream *stream)
{
	timeline->catalog = stream_catalog(stream);
	timeline->tracks = tracks_new();
	timeline->has_device = calloc(CATALOG_DEVICES, sizeof(*timeline->has_device));
	timeline->own = calloc(1, timeline->format->own_size);
	timeline->flows = calloc(UINT16_MAX, sizeof(*timeline->flows));
	timeline->calls = new_calls(timeline);
	timeline->credit = CREDIT;
	timeline->last = 0;
}

static void close_part(struct timeline *timeline, const struct stream *stream)
{
	timeline->part++;
	timeline->devices += timeline->catalog->device_count;
	timeline->lost += stream_lost(stream);
	timeline->lost_events += stream_lost_events(stream);
	timeline->cut_off |= stream_is_cut_off(stream);
	if (timeline->own && timeline->format->free)
		timeline->format->free(timeline);
	ordered_free(timeline->calls);
	timeline_events_close(timeline);
	free(timeline->flows);
	free(timeline->own);
	free(timeline->has_device);
	tracks_free(timeline->tracks);
}

static int write_part(struct timeline *timeline, struct stream *stream, struct strbuf *error)
{
	int result = -1;

	open_part(timeline, stream);
	if (timeline->tracks && timeline->has_device && timeline->own && timeline->flows &&
	    timeline->calls)
		result = take_part(timeline, stream, error);
	else
		strbuf_string(error, "out of memory");
	close_part(timeline, stream);
	return result;
}

int timeline_write(const struct timeline_format *format, const char *path, struct stream *stream,
		   struct strbuf *error)
{
	return timeline_write_shared(format, NULL, path, stream, error);
}

int timeline_write_shared(const struct timeline_format *format, void *shared, const char *path,
			  struct stream *stream, struct strbuf *error)
{
	struct timeline timeline = {.format = format,
				    .stream = stream,
				    .shared = shared,
				    .has_parts = stream_parts(stream) > 1};
	int result, more = 1;

	if (sink_open(&timeline.sink, path, format->gzipped, error))
		return -1;
	do
		result = write_part(&timeline, stream, error);
	while (!result && (more = stream_advance(stream, error)) > 0);
	if (!result && !more && format->close)
		format->close(&timeline);
	map_free(&timeline.pids);
	return sink_close(&timeline.sink, error) || result || more < 0 ? -1 : 0;
}

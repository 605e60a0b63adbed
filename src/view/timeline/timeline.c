/* SPDX-License-Identifier: MIT */
#include "view/timeline/timeline.h"

#include <stdlib.h>

#include "model/frames.h"
#include "view/timeline/timelineother.h"
#include "view/timeline/timelineshow.h"

enum {
	FREE_RECORDS = 16, /* of each call */
	CREDIT = 1 << 20   /* of all calls together, until their records come */
};

static void draw_arrow(struct timeline *timeline, const struct timeline_end *from,
		       const struct timeline_end *to, uint64_t flow)
{
	if (timeline->format->arrow)
		timeline->format->arrow(timeline, from, to, flow);
}

/* A record whose command, if it has times, is shown at `to`. */
struct waiting {
	struct record record;
	struct timeline_end to;
	bool has_times;
};

/* The trace has the record's call: only the command remains to be shown. */
static void meet(struct timeline *timeline, const struct waiting *waiting,
		 const struct timeline_end *from)
{
	timeline->credit++;
	if (waiting->has_times)
		draw_arrow(timeline, from, &waiting->to, waiting->record.frame.correlation);
	else
		timelineshow_mark(timeline, &waiting->record);
}

/* The call was not found: the trace has no calls, or the program was killed before it was
 * written. */
static void emit_unmatched(struct timeline *timeline, const struct waiting *waiting)
{
	struct timeline_end from;

	if (!timelineshow_has_call(&waiting->record))
		return;
	from = timelineshow_call(timeline, &waiting->record, waiting->has_times);
	if (waiting->has_times)
		draw_arrow(timeline, &from, &waiting->to, waiting->record.frame.correlation);
}

static void wait_for_call(struct timeline *timeline, const struct waiting *waiting)
{
	if (recent_map_is_full(&timeline->waiting))
		emit_unmatched(timeline, recent_map_shift(&timeline->waiting));
	*(struct waiting *)recent_map_add(&timeline->waiting, waiting->record.frame.correlation) =
		*waiting;
}

/* A record that a call claims. The entry is kept after the record has come, since no other call can
 * have made it. */
struct promise {
	struct timeline_end from;
	bool is_met;
};

static void promise(struct timeline *timeline, uint64_t correlation,
		    const struct timeline_end *from, bool is_met)
{
	*(struct promise *)recent_map_add(&timeline->promised, correlation) =
		(struct promise){.from = *from, .is_met = is_met};
}

/* Returns the place of the record's call in the trace, or NULL. */
static const struct timeline_end *redeem(struct timeline *timeline, const struct record *record)
{
	struct promise *found = recent_map_find(&timeline->promised, record->frame.correlation);

	if (!found || found->is_met)
		return NULL;
	found->is_met = true;
	return &found->from;
}

static void take_record(struct timeline *timeline, const struct record *record)
{
	const struct timeline_end *from = redeem(timeline, record);
	struct waiting waiting = {.record = *record,
				  .has_times = timelineshow_has_times(timeline, record)};
	bool is_called = from || timelineshow_has_call(record);

	if (waiting.has_times)
		waiting.to =
			timelineshow_command(timeline, record, is_called || timeline->has_calls);
	else if (!is_called)
		return timelineshow_mark(timeline, record);
	/* The copy has no counter values. */
	waiting.record.frame.size = sizeof(waiting.record);
	if (from)
		meet(timeline, &waiting, from);
	else
		wait_for_call(timeline, &waiting);
}

/*
 * Returns the number of a call's records that is accepted. A file may claim any number in each of
 * its calls: beyond the first few, records are taken from a credit, to which each existing record
 * adds.
 */
static uint32_t records_of(struct timeline *timeline, const struct call *call)
{
	uint32_t count = call->made ? call->records : 0;
	uint64_t more = count > FREE_RECORDS ? count - FREE_RECORDS : 0;

	if (more > timeline->credit) {
		count -= (uint32_t)(more - timeline->credit);
		more = timeline->credit;
	}
	timeline->credit -= more;
	return count;
}

/* If several calls claim a record, the first one has it. */
static bool is_new(const struct timeline *timeline, uint64_t correlation)
{
	const struct waiting *waiting = recent_map_find(&timeline->waiting, correlation);

	return !recent_map_find(&timeline->promised, correlation) &&
	       (!waiting || waiting->has_times);
}

static void find_record(struct timeline *timeline, uint64_t correlation,
			const struct timeline_end *from)
{
	const struct waiting *waiting;

	if (recent_map_find(&timeline->promised, correlation))
		return;
	waiting = recent_map_take(&timeline->waiting, correlation);
	if (waiting)
		meet(timeline, waiting, from);
	promise(timeline, correlation, from, waiting);
}

static void take_call(struct timeline *timeline, const struct call *call)
{
	struct timeline_end from;
	uint32_t records, flows = 0;

	if (!timelineshow_may_be(call->enter, call->leave))
		return;
	timeline->has_calls = true;
	records = records_of(timeline, call);
	for (uint32_t i = 0; i < records; i++) {
		if (is_new(timeline, call->made + i))
			timeline->flows[flows++] = call->made + i;
	}
	from = timelineshow_own(timeline, call, flows);
	for (uint32_t i = 0; i < records; i++)
		find_record(timeline, call->made + i, &from);
}

static void begin(struct timeline *timeline)
{
	struct process *process = &timeline->process;

	*process = timeline->catalog->process;
	if (!timeline->part) {
		timeline->first = *process;
		timeline->first.command = NULL;
		timeline->first.command_length = 0;
	}
	timeline->offset = (uint64_t)(process_shares_clock(process, &timeline->first)
					      ? process->monotonic_to_epoch
					      : timeline->first.monotonic_to_epoch);
	timeline->is_repeated = map_get(&timeline->pids, 1 + (uint64_t)process->pid);
	map_set(&timeline->pids, 1 + (uint64_t)process->pid, timeline);
	timeline->format->begin(timeline);
}

static void note(struct timeline *timeline, uint64_t moment)
{
	if (timeline->last < moment)
		timeline->last = moment;
}

/* Its further values are valid at these times. */
static void note_moments(struct timeline *timeline, const struct frame *frame)
{
	const void *at = frame;
	const struct record *record = at;
	const struct timed *timed = at;

	if (timelineshow_may_be(timed->enter, timed->enter))
		note(timeline, timed->enter);
	if (frame->kind != FRAME_MARK && timelineshow_may_be(timed->enter, timed->leave))
		note(timeline, timed->leave);
	if (frames_is_record(frame) && timelineshow_has_times(timeline, record))
		note(timeline, timelineshow_moment(timeline, record->ended));
}

static int take(struct timeline *timeline, const struct frame *frame, struct strbuf *error)
{
	const void *at = frame;

	note_moments(timeline, frame);
	if (frame->kind == FRAME_CALL)
		take_call(timeline, at);
	else if (frames_is_record(frame))
		take_record(timeline, at);
	else
		return timelineother_take(timeline, frame, error);
	return 0;
}

static int end(struct timeline *timeline, const struct stream *stream, struct strbuf *error)
{
	const struct waiting *waiting;

	while ((waiting = recent_map_shift(&timeline->waiting))) {
		emit_unmatched(timeline, waiting);
		if (sink_flow(&timeline->sink))
			return -1;
	}
	if (timelineother_end(timeline, error))
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

static int open_maps(struct timeline *timeline)
{
	return recent_map_open(&timeline->waiting, TIMELINE_WAITING, sizeof(struct waiting)) ||
			       recent_map_open(&timeline->promised, TIMELINE_PROMISED,
					   sizeof(struct promise))
		       ? -1
		       : 0;
}

static void open_part(struct timeline *timeline, const struct stream *stream)
{
	timeline->catalog = stream_catalog(stream);
	timeline->tracks = tracks_new();
	timeline->has_device = calloc(CATALOG_DEVICES, sizeof(*timeline->has_device));
	timeline->own = calloc(1, timeline->format->own_size);
	timeline->flows = calloc(UINT16_MAX, sizeof(*timeline->flows));
	timeline->credit = CREDIT;
	timeline->last = 0;
	timeline->has_calls = false;
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
	recent_map_close(&timeline->waiting);
	recent_map_close(&timeline->promised);
	timelineother_close(timeline);
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
	    !open_maps(timeline))
		result = take_part(timeline, stream, error);
	else
		strbuf_string(error, "out of memory");
	close_part(timeline, stream);
	return result;
}

int timeline_write(const struct timeline_format *format, const char *path, struct stream *stream,
		   struct strbuf *error)
{
	struct timeline timeline = {.format = format, .has_parts = stream_parts(stream) > 1};
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

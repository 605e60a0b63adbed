/* SPDX-License-Identifier: MIT */
/* Perfetto's own format: protocol buffers, with the clocks and flows that trace events lack.
 * doc/FORMAT section 14 describes the contents. */
#include "model/command.h"
#include "output/escape.h"
#include "view/format/protobuf.h"
#include "view/timeline/perfetto_event.h"
#include "view/timeline/perfetto_field.h"
#include "view/timeline/perfetto_packet.h"
#include "view/view.h"

static void put_clock(struct strbuf *to, enum perfetto_value clock, uint64_t time)
{
	size_t begun = protobuf_begin(to, SNAPSHOT_CLOCKS);

	protobuf_number(to, CLOCK_ID, clock);
	protobuf_number(to, CLOCK_TIMESTAMP, time);
	protobuf_end(to, begun);
}

/* Relates CLOCK_MONOTONIC to the epoch; all times are CLOCK_MONOTONIC. */
static void put_clocks(struct timeline *timeline)
{
	struct strbuf *to = &timeline->sink.text;
	size_t packet = perfetto_packet_begin(timeline, SEQUENCE_CLEARED), part;

	part = protobuf_begin(to, PACKET_CLOCK_SNAPSHOT);
	put_clock(to, CLOCK_OF_TRACE, timeline_moment(timeline, timeline_zero(timeline)));
	put_clock(to, CLOCK_OF_EPOCH, timeline_zero(timeline));
	protobuf_number(to, SNAPSHOT_PRIMARY, CLOCK_OF_TRACE);
	protobuf_end(to, part);
	part = protobuf_begin(to, PACKET_DEFAULTS);
	protobuf_number(to, DEFAULTS_CLOCK_ID, CLOCK_OF_TRACE);
	protobuf_end(to, part);
	protobuf_end(to, packet);
}

/* Perfetto's process ids have 32 bits, and 0 is the kernel. Two processes of one id would be
 * merged. */
static bool is_process(const struct timeline *timeline)
{
	return !timeline->is_repeated && timeline->process.pid &&
	       timeline->process.pid <= INT32_MAX;
}

static void put_arguments(struct timeline *timeline)
{
	struct strbuf escaped = STRBUF_INIT;
	size_t at = 0, length;
	const char *word;

	while ((word = command_next(&timeline->process, &at, &length))) {
		escaped.length = 0;
		escape_put(&escaped, word, length, ESCAPE_TEXT);
		protobuf_bytes(&timeline->sink.text, PROCESS_ARGUMENT, escaped.data,
			       escaped.length);
	}
	strbuf_free(&escaped);
}

static void put_process(struct timeline *timeline)
{
	struct strbuf *to = &timeline->sink.text;
	struct strbuf name = STRBUF_INIT;
	size_t packet = perfetto_packet_begin(timeline, SEQUENCE_NEEDS);
	size_t track = protobuf_begin(to, PACKET_TRACK_DESCRIPTOR), part;

	timeline_name_process(timeline, &name);
	protobuf_number(to, TRACK_UUID, perfetto_packet_uuid(timeline, PFPACKET_PROCESS));
	if (is_process(timeline)) {
		part = protobuf_begin(to, TRACK_PROCESS);
		protobuf_number(to, PROCESS_PID, timeline->process.pid);
		put_arguments(timeline);
		protobuf_bytes(to, PROCESS_NAME, name.data, name.length);
		protobuf_end(to, part);
	} else {
		protobuf_bytes(to, TRACK_NAME, name.data, name.length);
	}
	protobuf_end(to, track);
	protobuf_end(to, packet);
	strbuf_free(&name);
}

static void perfetto_open(struct timeline *timeline)
{
	put_clocks(timeline);
	put_process(timeline);
	perfetto_event_open(timeline);
}

static void perfetto_device(struct timeline *timeline, const struct device *device)
{
	struct strbuf *to = &timeline->sink.text;
	struct strbuf name = STRBUF_INIT;
	size_t packet = perfetto_packet_begin(timeline, SEQUENCE_NEEDS);
	size_t track = protobuf_begin(to, PACKET_TRACK_DESCRIPTOR);

	timeline_name_device(device, &name);
	protobuf_number(to, TRACK_UUID,
			perfetto_packet_uuid(timeline, PFPACKET_DEVICE + (uint64_t)device->id));
	protobuf_number(to, TRACK_PARENT, perfetto_packet_uuid(timeline, PFPACKET_PROCESS));
	protobuf_bytes(to, TRACK_NAME, name.data, name.length);
	protobuf_number(to, TRACK_CHILD_ORDERING, ORDERING_EXPLICIT);
	protobuf_number(to, TRACK_RANK, device->id);
	protobuf_number(to, TRACK_MERGE, MERGE_NONE);
	protobuf_end(to, track);
	protobuf_end(to, packet);
	strbuf_free(&name);
}

/* The first line of a thread is the thread's own track, if Perfetto can have it. */
static bool is_thread(const struct timeline *timeline, const struct track *track)
{
	return !track->is_queue && track->role == TRACK_CALLS && track->thread &&
	       track->lane == 1 && is_process(timeline);
}

static void put_thread(struct timeline *timeline, const struct track *track,
		       const struct strbuf *name)
{
	struct strbuf *to = &timeline->sink.text;
	size_t part = protobuf_begin(to, TRACK_THREAD);

	protobuf_number(to, THREAD_PID, timeline->process.pid);
	protobuf_number(to, THREAD_TID, track->thread);
	protobuf_bytes(to, THREAD_NAME, name->data, name->length);
	protobuf_end(to, part);
}

static void put_line(struct timeline *timeline, const struct track *track,
		     const struct strbuf *name)
{
	struct strbuf *to = &timeline->sink.text;
	uint64_t parent =
		track->is_queue ? PFPACKET_DEVICE + (uint64_t)track->device : PFPACKET_PROCESS;
	size_t part;

	protobuf_number(to, TRACK_PARENT, perfetto_packet_uuid(timeline, parent));
	protobuf_bytes(to, TRACK_NAME, name->data, name->length);
	protobuf_number(to, TRACK_RANK, track_rank(track));
	protobuf_number(to, TRACK_MERGE, MERGE_NONE);
	if (track->role != TRACK_MEMORY)
		return;
	part = protobuf_begin(to, TRACK_COUNTER);
	protobuf_number(to, COUNTER_UNIT, UNIT_BYTES);
	protobuf_end(to, part);
}

static void perfetto_track(struct timeline *timeline, const struct track *track)
{
	struct strbuf *to = &timeline->sink.text;
	struct strbuf name = STRBUF_INIT;
	size_t packet = perfetto_packet_begin(timeline, SEQUENCE_NEEDS);
	size_t part = protobuf_begin(to, PACKET_TRACK_DESCRIPTOR);

	track_name(track, timeline->catalog, &name);
	protobuf_number(to, TRACK_UUID, perfetto_packet_track(timeline, track));
	if (is_thread(timeline, track))
		put_thread(timeline, track, &name);
	else
		put_line(timeline, track, &name);
	protobuf_end(to, part);
	protobuf_end(to, packet);
	strbuf_free(&name);
}

static void perfetto_counter(struct timeline *timeline, const struct track *track, uint64_t time,
			     uint64_t bytes)
{
	struct strbuf *to = &timeline->sink.text;
	size_t packet = perfetto_packet_begin(timeline, SEQUENCE_NEEDS), part;

	protobuf_number(to, PACKET_TIMESTAMP,
			timeline_moment(timeline, time));
	part = protobuf_begin(to, PACKET_TRACK_EVENT);
	protobuf_number(to, EVENT_TYPE, EVENT_COUNTER);
	protobuf_number(to, EVENT_TRACK, perfetto_packet_track(timeline, track));
	protobuf_number(to, EVENT_COUNTER_VALUE, bytes);
	protobuf_end(to, part);
	protobuf_end(to, packet);
}

static void perfetto_close(struct timeline *timeline, const struct stream *stream)
{
	if (timeline_incomplete(stream))
		perfetto_event_lost(timeline, perfetto_packet_uuid(timeline, PFPACKET_PROCESS),
				    stream);
}

static const struct timeline_format format = {
	.own_size = sizeof(struct perfetto_events),
	.begin = perfetto_open,
	.device = perfetto_device,
	.track = perfetto_track,
	.event = perfetto_event_put,
	.counter = perfetto_counter,
	.sample = perfetto_event_put_sample,
	.end = perfetto_close,
	.free = perfetto_event_free,
};

static int write_pftrace(const char *path, struct stream *stream, struct strbuf *error)
{
	return timeline_write(&format, path, stream, error);
}

const struct view view_pftrace = {
	.extension = ".pftrace",
	.help = "a timeline for ui.perfetto.dev, in Perfetto's own format",
	.has = KEPT_STACKS | KEPT_SAMPLES | KEPT_COUNTERS,
	.holds_several = true,
	.shows_ranks = true,
	.write = write_pftrace,
};

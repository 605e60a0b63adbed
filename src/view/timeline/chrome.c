/* SPDX-License-Identifier: MIT */
/*
 * Member names are those of "Trace Event Format" (Nat Duca, Dan Sinclair): X complete events, s and
 * f the ends of a flow, i instants, C values of counters, M metadata. ui.perfetto.dev,
 * chrome://tracing and Speedscope read the format, also gzipped. doc/FORMAT section 14 describes
 * the contents.
 */
#include "config.h"
#include "output/jsontext.h"
#include "view/format/gzip.h"
#include "view/timeline/detail.h"
#include "view/view.h"

/*
 * Process and thread ids group and order the tracks. Linux ids are at most PID_LIMIT (2^22); other
 * tracks have higher ids.
 */
enum {
	PID_LIMIT = 1 << 22,
	FIRST_DEVICE = 5000000,
	UNKNOWN_PROCESS = 4999999,
	FIRST_TRACK = 6000000
};

static uint32_t process_id(const struct timeline *timeline)
{
	uint32_t pid = timeline->process.pid;

	if (pid && pid <= PID_LIMIT && !timeline->is_repeated)
		return pid;
	return UNKNOWN_PROCESS - (uint32_t)timeline->part % (UNKNOWN_PROCESS - PID_LIMIT);
}

static uint32_t group_of(const struct timeline *timeline, const struct track *track)
{
	return track->is_queue ? FIRST_DEVICE + timeline->devices + track->device
			       : process_id(timeline);
}

static uint32_t thread_id(const struct track *track)
{
	if (!track->is_queue && track->role == TRACK_CALLS && track->lane == 1 && track->thread &&
	    track->thread <= PID_LIMIT)
		return track->thread;
	return FIRST_TRACK + track->number;
}

static void write_time(struct strbuf *to, const struct timeline *timeline, uint64_t time)
{
	json_thousandths(to, (int64_t)(timeline_moment(timeline, time) - timeline->first.started));
}

/* Starts an event; a comma separates it from the one before. */
static void write_head(struct strbuf *to, const char *phase, uint32_t process, uint32_t thread)
{
	strbuf_string(to, ",\n{\"ph\":\"");
	strbuf_string(to, phase);
	strbuf_string(to, "\",\"pid\":");
	json_number(to, process);
	if (!thread)
		return;
	strbuf_string(to, ",\"tid\":");
	json_number(to, thread);
}

/* Writes {"ph":"M",...,"name":NAME,"args":{MEMBER: for a process if `thread` is 0. */
static void write_metadata(struct strbuf *to, uint32_t process, uint32_t thread, const char *name,
			   const char *member)
{
	write_head(to, "M", process, thread);
	strbuf_string(to, ",\"name\":\"");
	strbuf_string(to, name);
	strbuf_string(to, "\",\"args\":{\"");
	strbuf_string(to, member);
	strbuf_string(to, "\":");
}

static void write_group(struct strbuf *to, uint32_t process, struct strbuf *name, uint32_t rank)
{
	write_metadata(to, process, 0, "process_name", "name");
	json_escaped(to, name->data, name->length);
	strbuf_string(to, "}}");
	write_metadata(to, process, 0, "process_sort_index", "sort_index");
	json_number(to, rank);
	strbuf_string(to, "}}");
	strbuf_free(name);
}

/* Returns the rank of a process and its devices. */
static uint32_t rank_of(const struct timeline *timeline)
{
	return timeline->devices + (uint32_t)timeline->part;
}

static void chrome_begin(struct timeline *timeline)
{
	struct strbuf *to = &timeline->sink.text;
	struct strbuf name = STRBUF_INIT;

	/* The first event has no comma before it. */
	strbuf_string(to,
		      timeline->part ? ",\n" : "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	strbuf_string(to, "{\"ph\":\"M\",\"pid\":");
	json_number(to, process_id(timeline));
	strbuf_string(to,
		      ",\"name\":\"process_labels\",\"args\":{\"labels\":\"" PACKAGE_NAME "\"}}");
	timeline_name_process(timeline, &name);
	write_group(to, process_id(timeline), &name, rank_of(timeline));
}

static void chrome_device(struct timeline *timeline, const struct device *device)
{
	struct strbuf name = STRBUF_INIT;

	if (timeline->rank)
		strbuf_printf(&name, "rank %llu: ", (unsigned long long)timeline->rank->rank);
	else if (timeline->has_parts)
		strbuf_printf(&name, "process %u: ", timeline->process.pid);
	timeline_name_device(device, &name);
	write_group(&timeline->sink.text, FIRST_DEVICE + timeline->devices + device->id, &name,
		    rank_of(timeline) + 1 + device->id);
}

static void chrome_track(struct timeline *timeline, const struct track *track)
{
	struct strbuf *to = &timeline->sink.text;
	struct strbuf name = STRBUF_INIT;

	/* Counters have no thread; each value has the name. */
	if (track->role == TRACK_MEMORY)
		return;
	track_name(track, timeline->catalog, &name);
	write_metadata(to, group_of(timeline, track), thread_id(track), "thread_name", "name");
	json_escaped(to, name.data, name.length);
	strbuf_string(to, "}}");
	write_metadata(to, group_of(timeline, track), thread_id(track), "thread_sort_index",
		       "sort_index");
	json_number(to, track_rank(track));
	strbuf_string(to, "}}");
	strbuf_free(&name);
}

static void write_detail(struct timeline *timeline, const struct detail *detail)
{
	struct strbuf *to = &timeline->sink.text;

	json_member(to, detail->name);
	switch (detail->type) {
	case DETAIL_NUMBER:
		return json_number(to, detail->number[0]);
	case DETAIL_SIGNED:
		return json_signed(to, (int64_t)detail->number[0]);
	case DETAIL_VECTOR:
		return json_vector(to, detail->number);
	case DETAIL_REAL:
		return json_real(to, detail->real);
	case DETAIL_TEXT:
		return json_name(to, detail->text, detail->length);
	case DETAIL_TIME:
	default: /* DETAIL_TIME; -Wswitch-enum reports other missing cases */
		return write_time(to, timeline, detail->number[0]);
	}
}

static void write_counters(struct strbuf *to, const struct counter_set *set, const double *values)
{
	json_member(to, "counters");
	strbuf_char(to, '{');
	for (uint32_t i = 0; i < set->count; i++) {
		if (!__builtin_isfinite(values[i]))
			continue;
		json_member(to, set->columns[i].name);
		if (set->columns[i].real)
			json_real(to, values[i]);
		else
			json_whole(to, values[i]);
	}
	strbuf_char(to, '}');
}

static void write_details(struct timeline *timeline, const struct timeline_event *event)
{
	const struct counter_set *set = details_counters(timeline, event);
	struct detail details[DETAILS];
	unsigned count = details_of(event, details);

	strbuf_string(&timeline->sink.text, ",\"args\":{");
	for (unsigned i = 0; i < count; i++)
		write_detail(timeline, &details[i]);
	if (set)
		write_counters(&timeline->sink.text, set, record_values(event->record));
	strbuf_char(&timeline->sink.text, '}');
}

static void write_flow(struct timeline *timeline, const char *phase, const struct timeline_end *end,
		       uint64_t flow)
{
	struct strbuf *to = &timeline->sink.text;

	write_head(to, phase, group_of(timeline, &end->track), thread_id(&end->track));
	strbuf_string(to, ",\"ts\":");
	write_time(to, timeline, end->time);
	strbuf_string(to, ",\"cat\":\"flow\",\"name\":\"command\",\"id\":\"");
	/* correlations are unique per process */
	if (timeline->part)
		flow ^= timeline_key(timeline) * UINT64_C(0x9e3779b97f4a7c15);
	json_hex(to, flow);
	strbuf_string(to, "\"}");
}

/* An end of an arrow is bound to the slice of its track that is open at that time. */
static void chrome_arrow(struct timeline *timeline, const struct timeline_end *from,
			 const struct timeline_end *to, uint64_t flow)
{
	write_flow(timeline, "s", from, flow);
	write_flow(timeline, "f\",\"bp\":\"e", to, flow);
}

static void chrome_event(struct timeline *timeline, const struct timeline_event *event)
{
	struct strbuf *to = &timeline->sink.text;
	const char *phase = timeline_is_instant(event) ? "i\",\"s\":\"t" : "X";
	size_t length;
	const char *name = timeline_name(event, &length);

	write_head(to, phase, group_of(timeline, &event->track), thread_id(&event->track));
	strbuf_string(to, ",\"ts\":");
	write_time(to, timeline, event->start);
	if (!timeline_is_instant(event)) {
		strbuf_string(to, ",\"dur\":");
		json_thousandths(to, (int64_t)(event->end - event->start));
	}
	strbuf_string(to, ",\"cat\":\"");
	strbuf_string(to, timeline_category(event));
	strbuf_string(to, "\",\"name\":");
	json_name(to, name, length);
	write_details(timeline, event);
	strbuf_char(to, '}');
}

static void chrome_counter(struct timeline *timeline, const struct track *track, uint64_t time,
			   uint64_t bytes)
{
	struct strbuf *to = &timeline->sink.text;
	struct strbuf name = STRBUF_INIT;

	track_name(track, timeline->catalog, &name);
	write_head(to, "C", group_of(timeline, track), 0);
	strbuf_string(to, ",\"ts\":");
	write_time(to, timeline, time);
	strbuf_string(to, ",\"name\":");
	json_escaped(to, name.data, name.length);
	strbuf_string(to, ",\"args\":{\"bytes\":");
	json_number(to, bytes);
	strbuf_string(to, "}}");
	strbuf_free(&name);
}

/* Writes an instant at the process's last time, on its own track. */
static void write_incomplete(struct timeline *timeline, const struct stream *stream)
{
	struct strbuf *to = &timeline->sink.text;
	uint64_t last = timeline->last + (uint64_t)timeline->process.monotonic_to_epoch;

	write_metadata(to, process_id(timeline), FIRST_TRACK, "thread_name", "name");
	strbuf_string(to, "\"incomplete\"}}");
	write_head(to, "i\",\"s\":\"p", process_id(timeline), FIRST_TRACK);
	strbuf_string(to, ",\"ts\":");
	write_time(to, timeline, timeline->last ? last : timeline_zero(timeline));
	strbuf_string(to, ",\"cat\":\"incomplete\",\"name\":\"");
	strbuf_string(to, timeline_incomplete(stream));
	strbuf_printf(to, "\",\"args\":{\"lost\":%llu}}", (unsigned long long)stream_lost(stream));
}

static void chrome_end(struct timeline *timeline, const struct stream *stream)
{
	if (timeline_incomplete(stream))
		write_incomplete(timeline, stream);
}

static void chrome_close(struct timeline *timeline)
{
	const struct process *first = &timeline->first;
	struct strbuf *to = &timeline->sink.text;

	strbuf_string(to, "\n],\"otherData\":{\"made_by\":\"" PACKAGE_STRING);
	strbuf_string(to, "\",\"zero_epoch_ns\":\"");
	json_number(to, first->started + (uint64_t)first->monotonic_to_epoch);
	strbuf_string(to, "\",\"lost_records\":");
	json_number(to, timeline->lost - timeline->lost_events);
	strbuf_string(to, ",\"lost_events\":");
	json_number(to, timeline->lost_events);
	strbuf_printf(to, ",\"cut_off\":%s}}\n", timeline->cut_off ? "true" : "false");
}

#define FUNCTIONS \
	.begin = chrome_begin, .device = chrome_device, .track = chrome_track, \
	.event = chrome_event, .counter = chrome_counter, .arrow = chrome_arrow, \
	.end = chrome_end, .close = chrome_close

static const struct timeline_format plain = {FUNCTIONS};
static const struct timeline_format gzipped = {.gzipped = true, FUNCTIONS};

static int write_plain(const char *path, struct stream *stream, struct strbuf *error)
{
	return timeline_write(&plain, path, stream, error);
}

static int write_gzipped(const char *path, struct stream *stream, struct strbuf *error)
{
	return timeline_write(&gzipped, path, stream, error);
}

const struct view view_chrome = {
	.extension = ".trace.json",
	.help = "a timeline for ui.perfetto.dev and chrome://tracing (trace events)",
	.has = KEPT_COUNTERS,
	.holds_several = true,
	.shows_ranks = true,
	.write = write_plain,
};

const struct view view_chrome_gz = {
	.extension = ".json.gz",
	.help = "a timeline for ui.perfetto.dev and chrome://tracing, compressed by gzip",
	.has = KEPT_COUNTERS,
	.holds_several = true,
	.check = gzip_check,
	.shows_ranks = true,
	.write = write_gzipped,
};

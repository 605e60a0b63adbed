/* SPDX-License-Identifier: MIT */
#include "view/timeline/perfetto_event.h"

#include <string.h>

#include "output/escape.h"
#include "view/format/protobuf.h"
#include "view/timeline/detail.h"
#include "view/timeline/perfetto_field.h"
#include "view/timeline/perfetto_packet.h"

/* Their numbers count from 1. */
static uint64_t category_of(const struct timeline_event *event)
{
	const char *name = timeline_category(event), *other;
	size_t i = 0;

	while ((other = timeline_category_at(i)) && strcmp(other, name) != 0)
		i++;
	return i + 1;
}

static void put_interned(struct strbuf *to, enum perfetto_field list, uint64_t id, const char *name,
			 size_t length)
{
	size_t begun = protobuf_begin(to, list);

	protobuf_number(to, INTERNED_IID, id);
	protobuf_bytes(to, INTERNED_NAME, name, length);
	protobuf_end(to, begun);
}

/* Returns the number of a text; at the first use it is written in a packet of its own. Returns 0 if
 * there are too many. Call between packets only. */
static uint64_t intern(struct timeline *timeline, struct names *names, enum perfetto_field list,
		       const char *text, size_t length)
{
	uint32_t known = names ? names_count(names) : 0;
	uint32_t id = names ? names_intern(names, text, length) : 0;
	struct strbuf *to = &timeline->sink.text;
	struct strbuf name = STRBUF_INIT;
	size_t packet, part;

	if (id <= known)
		return id;
	packet = perfetto_packet_begin(timeline, SEQUENCE_NEEDS);
	part = protobuf_begin(to, PACKET_INTERNED_DATA);
	escape_put(&name, text, length, ESCAPE_TEXT);
	put_interned(to, list, id, name.data, name.length);
	to->failed |= name.failed;
	strbuf_free(&name);
	protobuf_end(to, part);
	protobuf_end(to, packet);
	return id;
}

void perfetto_event_open(struct timeline *timeline)
{
	struct perfetto_events *own = timeline->own;
	struct strbuf *to = &timeline->sink.text;
	size_t packet = perfetto_packet_begin(timeline, SEQUENCE_NEEDS);
	size_t part = protobuf_begin(to, PACKET_INTERNED_DATA);
	const char *category;

	for (size_t i = 0; (category = timeline_category_at(i)); i++)
		put_interned(to, INTERNED_CATEGORIES, i + 1, category, strlen(category));
	protobuf_end(to, part);
	protobuf_end(to, packet);
	own->events = names_new();
	own->annotations = names_new();
	own->strings = names_new();
}

void perfetto_event_free(struct timeline *timeline)
{
	struct perfetto_events *own = timeline->own;

	names_free(own->events);
	names_free(own->annotations);
	names_free(own->strings);
	perfetto_stacks_free(&own->stacks);
}

static void put_text(struct strbuf *to, enum perfetto_field field, const char *text, size_t length)
{
	struct strbuf escaped = STRBUF_INIT;

	escape_put(&escaped, text, length, ESCAPE_TEXT);
	protobuf_bytes(to, field, escaped.data, escaped.length);
	to->failed |= escaped.failed;
	strbuf_free(&escaped);
}

static void put_name(struct strbuf *to, uint64_t id, enum perfetto_field by_id,
		     enum perfetto_field by_name, const char *name, size_t length)
{
	if (id)
		protobuf_number(to, by_id, id);
	else
		put_text(to, by_name, name, length);
}

static void put_vector(struct strbuf *to, const uint64_t number[3])
{
	for (int i = 0; i < 3; i++) {
		size_t begun = protobuf_begin(to, ANNOTATION_VALUES);

		protobuf_number(to, ANNOTATION_UINT, number[i]);
		protobuf_end(to, begun);
	}
}

/* A detail with the numbers of its name and its text, 0: none. */
struct numbered {
	const struct detail *detail;
	uint64_t name;
	uint64_t text;
};

static void put_value(struct timeline *timeline, const struct numbered *numbered)
{
	const struct detail *detail = numbered->detail;
	struct strbuf *to = &timeline->sink.text;

	switch (detail->type) {
	case DETAIL_NUMBER:
		return protobuf_number(to, ANNOTATION_UINT, detail->number[0]);
	case DETAIL_SIGNED:
		return protobuf_number(to, ANNOTATION_INT, detail->number[0]);
	case DETAIL_VECTOR:
		return put_vector(to, detail->number);
	case DETAIL_REAL:
		return protobuf_double(to, ANNOTATION_DOUBLE, detail->real);
	case DETAIL_TEXT:
		return put_name(to, numbered->text, ANNOTATION_STRING_IID, ANNOTATION_STRING,
				detail->text, detail->length);
	case DETAIL_TIME:
	default: /* DETAIL_TIME; -Wswitch-enum reports other missing cases */
		return protobuf_number(to, ANNOTATION_UINT,
				       timeline_moment(timeline, detail->number[0]));
	}
}

static void put_detail(struct timeline *timeline, const struct numbered *numbered)
{
	struct strbuf *to = &timeline->sink.text;
	const char *name = numbered->detail->name;
	size_t begun = protobuf_begin(to, EVENT_ANNOTATIONS);

	put_name(to, numbered->name, ANNOTATION_NAME_IID, ANNOTATION_NAME, name, strlen(name));
	put_value(timeline, numbered);
	protobuf_end(to, begun);
}

static struct numbered number(struct timeline *timeline, const struct detail *detail)
{
	struct perfetto_events *own = timeline->own;
	struct numbered numbered = {.detail = detail};

	numbered.name = intern(timeline, own->annotations, INTERNED_ANNOTATIONS, detail->name,
			       strlen(detail->name));
	if (detail->type == DETAIL_TEXT)
		numbered.text = intern(timeline, own->strings, INTERNED_STRINGS, detail->text,
				       detail->length);
	return numbered;
}

static bool is_whole(double value)
{
	return value > -0x1p63 && value < 0x1p63 && (double)(int64_t)value == value;
}

/* Values that are not whole are written as doubles. */
static void put_count(struct strbuf *to, const struct counter_column *column, double value)
{
	size_t begun = protobuf_begin(to, ANNOTATION_ENTRIES);

	put_text(to, ANNOTATION_NAME, column->name, strlen(column->name));
	if (!column->real && is_whole(value))
		protobuf_number(to, ANNOTATION_INT, (uint64_t)(int64_t)value);
	else
		protobuf_double(to, ANNOTATION_DOUBLE, value);
	protobuf_end(to, begun);
}

static void put_counters(struct strbuf *to, const struct counter_set *set, const double *values)
{
	size_t begun = protobuf_begin(to, EVENT_ANNOTATIONS);

	protobuf_string(to, ANNOTATION_NAME, "counters");
	for (uint32_t i = 0; i < set->count; i++) {
		if (__builtin_isfinite(values[i]))
			put_count(to, &set->columns[i], values[i]);
	}
	protobuf_end(to, begun);
}

/* Starts the packet of an event. Returns the start of the event and sets *packet to the start of
 * the packet. */
static size_t begin(struct timeline *timeline, uint64_t time, uint64_t track,
		    enum perfetto_value type, size_t *packet)
{
	struct strbuf *to = &timeline->sink.text;
	size_t event;

	*packet = perfetto_packet_begin(timeline, SEQUENCE_NEEDS);
	protobuf_number(to, PACKET_TIMESTAMP, timeline_moment(timeline, time));
	event = protobuf_begin(to, PACKET_TRACK_EVENT);
	protobuf_number(to, EVENT_TYPE, type);
	protobuf_number(to, EVENT_TRACK, track);
	return event;
}

/* Correlations are unique per process; a viewer may open several. */
static uint64_t flow_id(const struct timeline *timeline, uint64_t correlation)
{
	return correlation ^ timeline_key(timeline) * UINT64_C(0x9e3779b97f4a7c15);
}

static void put_flows(struct timeline *timeline, const struct timeline_event *event)
{
	enum perfetto_field end = event->kind == TIMELINE_COMMAND ? EVENT_LAST_FLOW : EVENT_FLOW;

	for (uint32_t i = 0; i < event->flow_count; i++)
		protobuf_fixed(&timeline->sink.text, end, flow_id(timeline, event->flows[i]));
}

/* The stack of a command has its time, so that viewers can add up the time of functions. */
static void put_stack(struct strbuf *to, const struct timeline_event *event, uint64_t stack)
{
	if (!stack)
		return;
	protobuf_number(to, EVENT_CALLSTACK, stack);
	if (event->kind == TIMELINE_COMMAND)
		protobuf_double(to, EVENT_CALLSTACK_WEIGHT, (double)(event->end - event->start));
}

void perfetto_event_put_sample(struct timeline *timeline, const struct sample *sample)
{
	struct perfetto_events *own = timeline->own;

	perfetto_stacks_put_sample(timeline, &own->stacks, sample);
}

static void put_begin(struct timeline *timeline, const struct timeline_event *event)
{
	const struct counter_set *set = details_counters(timeline, event);
	struct perfetto_events *own = timeline->own;
	struct strbuf *to = &timeline->sink.text;
	struct detail details[DETAILS];
	struct numbered numbered[DETAILS];
	uint64_t name_id, stack;
	unsigned count = details_of(event, details);
	size_t length, packet, part;
	const char *name = timeline_name(event, &length);

	name_id = intern(timeline, own->events, INTERNED_EVENTS, name, length);
	for (unsigned i = 0; i < count; i++)
		numbered[i] = number(timeline, &details[i]);
	stack = perfetto_stacks_of(timeline, &own->stacks, event);
	part = begin(timeline, event->start, perfetto_packet_track(timeline, &event->track),
		     timeline_is_instant(event) ? EVENT_INSTANT : EVENT_BEGIN, &packet);
	protobuf_number(to, EVENT_CATEGORY_IID, category_of(event));
	put_name(to, name_id, EVENT_NAME_IID, EVENT_NAME, name, length);
	put_flows(timeline, event);
	put_stack(to, event, stack);
	for (unsigned i = 0; i < count; i++)
		put_detail(timeline, &numbered[i]);
	if (set)
		put_counters(to, set, record_values(event->record));
	protobuf_end(to, part);
	protobuf_end(to, packet);
}

void perfetto_event_put(struct timeline *timeline, const struct timeline_event *event)
{
	struct perfetto_events *own = timeline->own;
	struct strbuf *to = &timeline->sink.text;
	size_t packet, part;

	put_begin(timeline, event);
	if (own->last < event->end)
		own->last = event->end;
	if (timeline_is_instant(event))
		return;
	part = begin(timeline, event->end, perfetto_packet_track(timeline, &event->track),
		     EVENT_END, &packet);
	protobuf_end(to, part);
	protobuf_end(to, packet);
}

void perfetto_event_lost(struct timeline *timeline, uint64_t track, const struct stream *stream)
{
	struct perfetto_events *own = timeline->own;
	struct strbuf *to = &timeline->sink.text;
	struct detail detail = {
		.name = "lost", .type = DETAIL_NUMBER, .number = {stream_lost(stream)}};
	uint64_t time = own->last ? own->last : timeline_zero(timeline);
	size_t packet, part = begin(timeline, time, track, EVENT_INSTANT, &packet);

	protobuf_string(to, EVENT_NAME, timeline_incomplete(stream));
	put_detail(timeline, &(struct numbered){.detail = &detail});
	protobuf_end(to, part);
	protobuf_end(to, packet);
}

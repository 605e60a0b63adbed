/* SPDX-License-Identifier: MIT */
#include "view/page/page_events.h"

#include <stdlib.h>
#include <string.h>

#include "view/format/xmltext.h"
#include "view/page/page_number.h"

enum {
	FIRST_BLOCK = 256 /* nanoseconds, also of points */,
	MIXED = 0 /* name of a block of several names */
};

struct page_event {
	uint64_t start;
	uint64_t end;
	uint32_t name;
	uint32_t count; /* of the events in a block; 1: a single event */
};

struct page_point {
	uint64_t time;
	uint64_t bytes;
};

struct page_track {
	struct page_place place;
	struct strbuf heading;
	struct strbuf title;
	struct strbuf events; /* of struct page_event, or of struct page_point */
};

static struct page_track *track_at(const struct page_events *events, size_t number)
{
	return ((struct page_track **)(void *)events->tracks.data)[number];
}

static struct page_event *list_of(const struct page_track *track, size_t *count)
{
	*count = track->events.length / sizeof(struct page_event);
	return (struct page_event *)(void *)track->events.data;
}

static struct page_point *points_of(const struct page_track *track, size_t *count)
{
	*count = track->events.length / sizeof(struct page_point);
	return (struct page_point *)(void *)track->events.data;
}

size_t page_events_tracks(const struct page_events *events)
{
	return events->tracks.length / sizeof(struct page_track *);
}

int page_events_open(struct page_events *events)
{
	*events = (struct page_events){
		.names = names_new(),
		.room = {.texts = PAGE_NAMES, .bytes = PAGE_NAME_BYTES},
		.first = UINT64_MAX,
		.limit = PAGE_EVENTS,
		.point_limit = PAGE_POINTS,
	};
	return events->names ? 0 : -1;
}

static void free_track(struct page_track *track)
{
	strbuf_free(&track->heading);
	strbuf_free(&track->title);
	strbuf_free(&track->events);
	free(track);
}

void page_events_close(struct page_events *events)
{
	for (size_t i = 0; i < page_events_tracks(events); i++)
		free_track(track_at(events, i));
	strbuf_free(&events->tracks);
	map_free(&events->by_number);
	names_free(events->names);
}

void page_events_next_part(struct page_events *events)
{
	map_free(&events->by_number);
}

void page_events_add_track(struct page_events *events, uint32_t number,
			   const struct page_place *place, const struct strbuf *heading,
			   const struct strbuf *title)
{
	size_t length = events->tracks.length;
	struct page_track *track;

	if (page_events_tracks(events) >= PAGE_TRACKS)
		return;
	track = calloc(1, sizeof(*track));
	if (!track || map_set(&events->by_number, number, track)) {
		free(track);
		events->failed = true;
		return;
	}
	track->place = *place;
	strbuf_append(&track->heading, heading->data, heading->length);
	strbuf_append(&track->title, title->data, title->length);
	strbuf_append(&events->tracks, &track, sizeof(struct page_track *));
	events->failed |= track->heading.failed || track->title.failed || events->tracks.failed;
	if (events->tracks.length > length)
		return;
	map_set(&events->by_number, number, NULL);
	free_track(track);
}

uint32_t page_events_name(struct page_events *events, const struct strbuf *name)
{
	static const char other[] = "o(other)";
	uint32_t id = names_intern_within(events->names, name->data, name->length, &events->room);

	if (!id) {
		events->unnamed++;
		id = names_intern(events->names, other, sizeof(other) - 1);
	}
	events->failed |= name->failed || !id;
	return id;
}

/* By start; of those with the same start, the outer one of nested events is first. */
static int compare_events(const void *left, const void *right)
{
	const struct page_event *one = left, *other = right;

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	return one->end > other->end ? -1 : one->end < other->end;
}

static void sort_events(const struct page_events *events)
{
	for (size_t i = 0; i < page_events_tracks(events); i++) {
		struct page_track *track = track_at(events, i);
		size_t count;
		struct page_event *list = list_of(track, &count);

		if (count && !track->place.memory)
			qsort(list, count, sizeof(*list), compare_events);
	}
}

/* Makes blocks of at most `length` of sorted events. Returns how many are left. */
static size_t make_blocks(struct page_track *track, uint64_t length)
{
	size_t count, kept = 0;
	struct page_event *list = list_of(track, &count);

	for (size_t i = 1; i < count; i++) {
		struct page_event *block = &list[kept];
		uint64_t end = list[i].end > block->end ? list[i].end : block->end;

		if (end - block->start > length) {
			list[++kept] = list[i];
			continue;
		}
		block->end = end;
		if (__builtin_add_overflow(block->count, list[i].count, &block->count))
			block->count = UINT32_MAX;
		if (block->name != list[i].name)
			block->name = MIXED;
	}
	if (count)
		track->events.length = (kept + 1) * sizeof(*list);
	return track->events.length / sizeof(*list);
}

static void make_all_blocks(struct page_events *events)
{
	events->stored = 0;
	for (size_t i = 0; i < page_events_tracks(events); i++) {
		struct page_track *track = track_at(events, i);

		if (!track->place.memory)
			events->stored += make_blocks(track, events->block);
	}
}

/* First with the present length, for the events since the last time; then with longer ones, until
 * they fit. A block of the longest length has a whole track, and there are fewer tracks than events
 * may be. */
static void thin_out(struct page_events *events)
{
	sort_events(events);
	if (events->block)
		make_all_blocks(events);
	while (events->stored > events->limit && events->block < UINT64_MAX) {
		if (!events->block)
			events->block = FIRST_BLOCK;
		else if (__builtin_mul_overflow(events->block, 2, &events->block))
			events->block = UINT64_MAX;
		make_all_blocks(events);
	}
}

void page_events_add(struct page_events *events, uint32_t track, uint32_t name, uint64_t start,
		     uint64_t end)
{
	struct page_event event = {.start = start, .end = end, .name = name, .count = 1};
	struct page_track *place = map_get(&events->by_number, track);

	if (!place) {
		events->left_out++;
		return;
	}
	if (start < events->first)
		events->first = start;
	events->all++;
	strbuf_append(&place->events, &event, sizeof(event));
	events->failed |= place->events.failed;
	if (++events->stored > 2 * events->limit)
		thin_out(events);
}

/* Of the points within `length` of the first one, the greatest and the last one stay. Returns how
 * many are left. */
static size_t thin_track(struct page_track *track, uint64_t length)
{
	size_t count, kept = 0, next = 0;
	struct page_point *list = points_of(track, &count);

	while (next < count) {
		struct page_point most = list[next], last = most;
		uint64_t begin = most.time;

		while (++next < count && list[next].time - begin <= length) {
			last = list[next];
			if (last.bytes > most.bytes)
				most = last;
		}
		list[kept++] = most;
		if (last.time != most.time || last.bytes != most.bytes)
			list[kept++] = last;
	}
	track->events.length = kept * sizeof(*list);
	return kept;
}

static void thin_tracks(struct page_events *events)
{
	events->points = 0;
	for (size_t i = 0; i < page_events_tracks(events); i++) {
		struct page_track *track = track_at(events, i);

		if (track->place.memory)
			events->points += thin_track(track, events->point_block);
	}
}

/* As thin_out. A track has two points after the last step, and there are fewer tracks than points
 * may be. */
static void thin_points(struct page_events *events)
{
	if (events->point_block)
		thin_tracks(events);
	while (events->points > events->point_limit && events->point_block < UINT64_MAX) {
		if (!events->point_block)
			events->point_block = FIRST_BLOCK;
		else if (__builtin_mul_overflow(events->point_block, 2, &events->point_block))
			events->point_block = UINT64_MAX;
		thin_tracks(events);
	}
}

void page_events_add_point(struct page_events *events, uint32_t track, uint64_t time,
			   uint64_t bytes)
{
	struct page_point point = {.time = time, .bytes = bytes};
	struct page_track *place = map_get(&events->by_number, track);

	if (!place) {
		events->left_out++;
		return;
	}
	if (time < events->first)
		events->first = time;
	events->changes++;
	strbuf_append(&place->events, &point, sizeof(point));
	events->failed |= place->events.failed;
	if (++events->points > 2 * events->point_limit)
		thin_points(events);
}

static int compare_tracks(const void *left, const void *right)
{
	const struct page_place *one = &(*(struct page_track *const *)left)->place;
	const struct page_place *other = &(*(struct page_track *const *)right)->place;

	if (one->part != other->part)
		return one->part < other->part ? -1 : 1;
	if (one->group != other->group)
		return one->group < other->group ? -1 : 1;
	if (one->device != other->device)
		return one->device < other->device ? -1 : 1;
	return one->rank < other->rank ? -1 : one->rank > other->rank;
}

void page_events_end(struct page_events *events)
{
	thin_out(events);
	thin_points(events);
	if (events->tracks.length)
		qsort(events->tracks.data, page_events_tracks(events), sizeof(struct page_track *),
		      compare_tracks);
}

/* Name and whether it is a block, the time since the start before it, the length, and of a block
 * its events. */
static void put_events(const struct page_events *events, const struct page_track *track,
		       struct strbuf *to)
{
	enum { MOST = 4 * PAGE_NUMBER };
	size_t count;
	const struct page_event *list = list_of(track, &count);
	uint64_t before = events->first;

	for (size_t i = 0; i < count; i++) {
		char *start = strbuf_reserve_fast(to, MOST), *at = start;

		if (!at)
			return;
		at = page_number_put(at, (uint64_t)list[i].name << 1 | (list[i].count > 1));
		at = page_number_put(at, list[i].start - before);
		at = page_number_put(at, list[i].end - list[i].start);
		if (list[i].count > 1)
			at = page_number_put(at, list[i].count);
		before = list[i].start;
		to->length += (size_t)(at - start);
	}
}

/* The time since the point before it, and the bytes. */
static void put_points(const struct page_events *events, const struct page_track *track,
		       struct strbuf *to)
{
	size_t count;
	const struct page_point *list = points_of(track, &count);
	uint64_t before = events->first;

	for (size_t i = 0; i < count; i++) {
		char *start = strbuf_reserve_fast(to, 2 * (size_t)PAGE_NUMBER), *at = start;

		if (!at)
			return;
		at = page_number_put(at, list[i].time - before);
		at = page_number_put(at, list[i].bytes);
		before = list[i].time;
		to->length += (size_t)(at - start);
	}
}

void page_events_put_track(const struct page_events *events, size_t number, struct strbuf *to)
{
	const struct page_track *track = track_at(events, number);

	strbuf_printf(to, "<script type=\"text/plain\" class=\"%s\" data-heading=\"",
		      track->place.memory ? "memory" : "track");
	xml_put(to, track->heading.data, track->heading.length);
	strbuf_string(to, "\" data-title=\"");
	xml_put(to, track->title.data, track->title.length);
	strbuf_string(to, "\">");
	(track->place.memory ? put_points : put_events)(events, track, to);
	strbuf_string(to, "</script>\n");
}

void page_events_put_names(const struct page_events *events, struct strbuf *to)
{
	strbuf_string(to, "<ol id=\"names\" hidden>\n");
	for (uint32_t id = 1; id <= names_count(events->names); id++) {
		size_t length;
		const char *text = names_text(events->names, id, &length);

		strbuf_string(to, "<li>");
		xml_put(to, text, length);
		strbuf_string(to, "</li>\n");
	}
	strbuf_string(to, "</ol>\n");
}

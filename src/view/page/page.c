/* SPDX-License-Identifier: MIT */
/* One page for a browser, which needs no other file and no network: the totals as tables, and the
 * timeline as text that the page's script draws. doc/FORMAT describes it. */
#include "config.h"

#include <string.h>

#include "model/frames.h"
#include "output/escape.h"
#include "view/format/label.h"
#include "view/format/quantity.h"
#include "view/format/xmltext.h"
#include "view/page/page_events.h"
#include "view/page/page_flame.h"
#include "view/page/page_head.h"
#include "view/page/page_process.h"
#include "view/timeline/timeline_emit.h"
#include "view/view.h"

enum { NAME_ROOM = 300 /* characters of a name in the timeline */ };

/* Of the whole file. */
struct page {
	struct page_events events;
	struct page_flame flame;
	struct strbuf title;	 /* the first process */
	struct strbuf facts;	 /* HTML, of all processes */
	struct strbuf tables;	 /* the same */
	struct strbuf heading;	 /* of the tracks of the present device */
	struct strbuf no_starts; /* why events have no times, or empty */
	struct strbuf name;	 /* of an event */
	uint64_t misplaced;	 /* commands with times at which the machine did not run */
};

/* Of a process. */
struct part {
	struct page_process *process;
	struct flame_part *flame;
	struct label shown;
};

static void page_begin(struct timeline *timeline)
{
	struct page *page = timeline->shared;
	struct part *part = timeline->own;
	const char *no_starts = stream_no_starts(timeline->stream);

	part->process = page_process_new(timeline->stream);
	part->shown = (struct label){.names = timeline->catalog->names, .demangled = true};
	part->flame = flame_part_new(&page->flame.flame, timeline->stream);
	page->events.failed |= !part->process || !part->flame;
	page_events_next_part(&page->events);
	if (no_starts && !page->no_starts.length)
		strbuf_string(&page->no_starts, no_starts);
	if (!timeline->part)
		timeline_name_process(timeline, &page->title);
}

static void page_free(struct timeline *timeline)
{
	struct part *part = timeline->own;

	page_process_free(part->process);
	flame_part_free(part->flame);
	label_free(&part->shown);
}

static int page_frame(struct timeline *timeline, const struct frame *frame, struct strbuf *error)
{
	struct page *page = timeline->shared;
	struct part *part = timeline->own;
	const void *at = frame;
	const struct record *record = at;

	if (page->events.failed) {
		strbuf_string(error, "out of memory for the page");
		return -1;
	}
	if (!frame)
		return page_process_end(part->process, error) || flame_part_end(part->flame, error)
			       ? -1
			       : 0;
	if (frames_is_record(frame) && record->known & KNOWN_TIMES &&
	    !timeline_emit_has_times(timeline, record) && !stream_no_starts(timeline->stream))
		page->misplaced++;
	return page_process_add(part->process, frame, error) ||
			       flame_part_add(part->flame, frame, error)
		       ? -1
		       : 0;
}

static void page_device(struct timeline *timeline, const struct device *device)
{
	(void)timeline;
	(void)device;
}

/* Tracks of a device are below its name, others below that of the process. */
static void put_heading(struct timeline *timeline, const struct track *track)
{
	struct page *page = timeline->shared;
	const struct device *device = catalog_device(timeline->catalog, track->device);

	page->heading.length = 0;
	if (!track->is_queue) {
		timeline_name_process(timeline, &page->heading);
		return;
	}
	if (timeline->rank)
		strbuf_printf(&page->heading,
			      "rank %llu: ", (unsigned long long)timeline->rank->rank);
	else if (timeline->has_parts)
		strbuf_printf(&page->heading, "process %u: ", timeline->process.pid);
	if (device)
		timeline_name_device(device, &page->heading);
	else
		strbuf_string(&page->heading, "unknown device");
}

static void page_track(struct timeline *timeline, const struct track *track)
{
	struct page *page = timeline->shared;
	struct strbuf title = STRBUF_INIT;
	struct page_place place = {
		.part = (uint32_t)timeline->part,
		.group = track->is_queue		 ? 0
			 : track->role == TRACK_OVERHEAD ? 2
							 : 1,
		.device = track->is_queue ? track->device : 0,
		.rank = track_rank(track),
		.memory = track->role == TRACK_MEMORY,
	};

	if (stream_no_starts(timeline->stream))
		return;
	put_heading(timeline, track);
	track_name(track, timeline->catalog, &title);
	page_events_add_track(&page->events, track->number, &place, &page->heading, &title);
	page->events.failed |= title.failed || page->heading.failed;
	strbuf_free(&title);
}

static enum api api_of(const struct timeline *timeline, const struct record *record)
{
	const struct device *device = catalog_device(timeline->catalog, record->device);

	return device ? device->api : API_ASSUMED;
}

/* The script has a colour for each. */
static char kind_of(const struct timeline_event *event)
{
	if (event->kind == TIMELINE_COMMAND || event->kind == TIMELINE_MARK)
		return *timeline_category(event); /* kernel, copy or fill */
	if (event->kind == TIMELINE_RANGE || event->kind == TIMELINE_MOMENT)
		return 'r';
	return event->kind == TIMELINE_SPAN ? 's' : 'a'; /* waits and the like; calls of the API */
}

/* Commands have the names of the tables. */
static uint32_t name_event(struct timeline *timeline, const struct timeline_event *event)
{
	struct page *page = timeline->shared;
	struct part *part = timeline->own;
	struct strbuf *name = &page->name;
	size_t length;
	const char *text;

	name->length = 0;
	strbuf_char(name, kind_of(event));
	if (event->record && event->kind != TIMELINE_CALL) {
		label_short(name, api_of(timeline, event->record), event->record, &part->shown,
			    NAME_ROOM);
	} else {
		text = timeline_name(event, &length);
		escape_put(name, text, length, ESCAPE_SHOWN);
		label_shorten(name, 1, NAME_ROOM);
	}
	return page_events_name(&page->events, name);
}

static void page_event(struct timeline *timeline, const struct timeline_event *event)
{
	struct page *page = timeline->shared;

	if (stream_no_starts(timeline->stream))
		return;
	page_events_add(&page->events, event->track.number, name_event(timeline, event),
			timeline_moment(timeline, event->start),
			timeline_moment(timeline, event->end));
}

static void page_counter(struct timeline *timeline, const struct track *track, uint64_t time,
			 uint64_t bytes)
{
	struct page *page = timeline->shared;

	if (!stream_no_starts(timeline->stream))
		page_events_add_point(&page->events, track->number, timeline_moment(timeline, time),
				      bytes);
}

static void page_end(struct timeline *timeline, const struct stream *stream)
{
	struct page *page = timeline->shared;
	struct part *part = timeline->own;

	page_process_put_facts(part->process, stream, &page->facts);
	page_process_put_tables(part->process, stream, &page->tables);
}

static void put_header(struct strbuf *to, const struct timeline *timeline)
{
	const struct page *page = timeline->shared;

	strbuf_string(to, "<header>\n<h1>");
	xml_put(to, page->title.data, page->title.length);
	if (timeline->part > 1)
		strbuf_printf(to, " and %zu more", timeline->part - 1);
	strbuf_string(to, "</h1>\n<p>Work of the GPU, recorded by " PACKAGE_STRING);
	if (timeline->part > 1)
		strbuf_printf(to, ", of %zu processes", timeline->part);
	strbuf_string(to, ".</p>\n<noscript><p class=\"warning\">Without JavaScript there is no "
			  "timeline, and the tables cannot be sorted.</p></noscript>\n</header>\n");
}

/* Tells what the timeline does not show. */
static void put_limits(struct strbuf *to, const struct page *page)
{
	const struct page_events *events = &page->events;

	if (events->block) {
		strbuf_printf(to,
			      "<p class=\"warning\">The timeline has %llu events, drawn as %zu: "
			      "neighbours that together last at most ",
			      (unsigned long long)events->all, events->stored);
		quantity_put(to, &quantity_time, QUANTITY_AUTO, (double)events->block);
		strbuf_string(to, " are one block. The tables have all kernels, copies, fills and "
				  "calls.</p>\n");
	}
	if (events->point_block) {
		strbuf_printf(to,
			      "<p class=\"warning\">The memory in use has %llu changes, drawn as "
			      "%llu: of those within ",
			      (unsigned long long)events->changes,
			      (unsigned long long)events->points);
		quantity_put(to, &quantity_time, QUANTITY_AUTO, (double)events->point_block);
		strbuf_string(to, " the greatest and the last value are drawn.</p>\n");
	}
	if (page->misplaced)
		strbuf_printf(to,
			      "<p class=\"warning\">%llu kernels, copies and fills are not in the "
			      "timeline, because the machine did not run at the times that the "
			      "device gave. The tables have them.</p>\n",
			      (unsigned long long)page->misplaced);
	if (events->left_out)
		strbuf_printf(to,
			      "<p class=\"warning\">%llu events are not in the timeline, because "
			      "they are on more than %d tracks. The tables have all kernels, "
			      "copies, fills and calls.</p>\n",
			      (unsigned long long)events->left_out, PAGE_TRACKS);
	if (events->unnamed)
		strbuf_printf(to,
			      "<p class=\"warning\">%llu events are (other) in the timeline, "
			      "because there are too many names.</p>\n",
			      (unsigned long long)events->unnamed);
}

static void put_timeline(struct sink *sink, const struct page *page)
{
	const struct page_events *events = &page->events;
	struct strbuf *to = &sink->text;

	strbuf_string(to, "<section id=\"timeline\">\n<h2>Timeline</h2>\n");
	put_limits(to, page);
	if (page->no_starts.length) {
		strbuf_string(to, "<p class=\"warning\">There is no timeline of all events: ");
		xml_put(to, page->no_starts.data, page->no_starts.length);
		strbuf_string(to, ".</p>\n");
	} else if (!events->all && !events->changes) {
		strbuf_string(to, "<p class=\"warning\">There is no event with times.</p>\n");
	}
	page_events_put_names(events, to);
	for (size_t i = 0; i < page_events_tracks(events) && !sink_flow(sink); i++)
		page_events_put_track(events, i, to);
	strbuf_string(to, "</section>\n");
}

static void page_close(struct timeline *timeline)
{
	struct page *page = timeline->shared;
	struct strbuf *to = &timeline->sink.text;

	page_events_end(&page->events);
	if (page_flame_make(&page->flame, page->events.names))
		to->failed = true;
	page_head_put(to, &page->title);
	put_header(to, timeline);
	strbuf_append(to, page->facts.data, page->facts.length);
	put_timeline(&timeline->sink, page);
	page_flame_put(&page->flame, to);
	strbuf_append(to, page->tables.data, page->tables.length);
	page_head_put_end(to);
	to->failed |= page->events.failed || page->title.failed || page->facts.failed ||
		      page->tables.failed || page->no_starts.failed;
}

static const struct timeline_format format = {
	.own_size = sizeof(struct part),
	.begin = page_begin,
	.frame = page_frame,
	.device = page_device,
	.track = page_track,
	.event = page_event,
	.counter = page_counter,
	.end = page_end,
	.close = page_close,
	.free = page_free,
};

static int write_page(const char *path, struct stream *stream, struct strbuf *error)
{
	struct page page = {0};
	int result = -1;

	if (page_events_open(&page.events) || page_flame_open(&page.flame))
		strbuf_string(error, "out of memory for the page");
	else
		result = timeline_write_shared(&format, &page, path, stream, error);
	page_events_close(&page.events);
	page_flame_close(&page.flame);
	strbuf_free(&page.title);
	strbuf_free(&page.facts);
	strbuf_free(&page.tables);
	strbuf_free(&page.heading);
	strbuf_free(&page.no_starts);
	strbuf_free(&page.name);
	return result;
}

const struct view view_page = {
	.extension = ".html",
	.help = "a page for a browser: totals, notes, a timeline and call stacks, in one file",
	.without_starts = true,
	.has = KEPT_STACKS | KEPT_SAMPLES,
	.holds_several = true,
	.shows_ranks = true,
	.write = write_page,
};

/* SPDX-License-Identifier: MIT */
/* A timeline in the Open Trace Format, version 2, for Vampir and the tools of Score-P: a folder
 * with an archive. doc/FORMAT section 14 describes the contents. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "model/api.h"
#include "view/folder.h"
#include "view/format/label.h"
#include "view/otf2/otf2_archive.h"
#include "view/timeline/detail.h"
#include "view/view.h"

/* In place of an arrow: of a call, the correlation of its first command. */
#define FIRST_COMMAND "first_command"

enum { LOCATIONS_MOST = 1 << 14 /* each takes two files */ };

/* Of the whole archive. */
struct archive {
	struct otf2_definitions definitions;
	struct external_sort *sort;
	struct otf2_clock clock;
	struct strbuf error;	/* the first one, or empty */
	struct strbuf name;	/* space for a name */
	struct strbuf title;	/* the first process */
	uint64_t base;		/* added to timeline_moment: nanoseconds since 1970 */
	uint64_t without_times; /* commands that are not shown */
	uint64_t left_out;	/* events that are not shown, for other reasons */
	uint64_t lost, lost_events;
	bool cut_off;
};

/* Of a process. */
struct part {
	uint32_t node;
	uint32_t process;		  /* its group */
	uint32_t groups[CATALOG_DEVICES]; /* of devices */
	struct map locations;		  /* their numbers plus 1 by those of tracks */
	struct label shown;
};

static void otf2_begin(struct timeline *timeline)
{
	struct archive *archive = timeline->shared;
	struct part *part = timeline->own;
	struct otf2_group group = {.creator = OTF2_NONE};

	part->shown = (struct label){.names = timeline->catalog->names, .demangled = true};
	archive->base = timeline->rank ? (uint64_t)timeline->first_epoch
				       : (uint64_t)timeline->first.monotonic_to_epoch;
	archive->name.length = 0;
	timeline_name_process(timeline, &archive->name);
	if (!timeline->part)
		strbuf_append(&archive->title, archive->name.data, archive->name.length);
	part->node = otf2_add_node(&archive->definitions, &timeline->process);
	group.node = part->node;
	group.name = otf2_escaped(&archive->definitions, &archive->name);
	part->process = otf2_add_group(&archive->definitions, &group);
	for (uint32_t i = 0; i < CATALOG_DEVICES; i++)
		part->groups[i] = part->process;
}

static void otf2_free(struct timeline *timeline)
{
	struct part *part = timeline->own;

	map_free(&part->locations);
	label_free(&part->shown);
}

/* Errors of the callbacks that return nothing. */
static int otf2_frame(struct timeline *timeline, const struct frame *frame, struct strbuf *error)
{
	struct archive *archive = timeline->shared;

	(void)frame;
	if (archive->definitions.failed || archive->name.failed || archive->title.failed)
		strbuf_string(error, "out of memory for the archive");
	else if (archive->error.length)
		strbuf_string(error, strbuf_text(&archive->error));
	else
		return 0;
	return -1;
}

static void otf2_device(struct timeline *timeline, const struct device *device)
{
	struct archive *archive = timeline->shared;
	struct part *part = timeline->own;
	struct strbuf *name = &archive->name;
	struct otf2_group group = {.node = part->node, .creator = part->process};

	name->length = 0;
	if (timeline->rank)
		strbuf_printf(name, "rank %llu: ", (unsigned long long)timeline->rank->rank);
	else if (timeline->has_parts)
		strbuf_printf(name, "process %u: ", timeline->process.pid);
	timeline_name_device(device, name);
	group.name = otf2_escaped(&archive->definitions, name);
	part->groups[device->id] = otf2_add_group(&archive->definitions, &group);
}

/* A location is made for the first event that is shown. */
static void otf2_track(struct timeline *timeline, const struct track *track)
{
	(void)timeline;
	(void)track;
}

static uint8_t type_of(const struct track *track)
{
	if (track->role == TRACK_MEMORY)
		return OTF2_METRICS;
	return track->is_queue ? OTF2_STREAM : OTF2_THREAD;
}

/* Returns the number of the track's location plus 1; 0 if there are too many. */
static size_t location_of(struct timeline *timeline, const struct track *track)
{
	struct archive *archive = timeline->shared;
	struct part *part = timeline->own;
	void *known = map_get(&part->locations, track->number);
	struct otf2_location location = {.type = type_of(track), .rank = track_rank(track)};
	size_t count;

	if (known)
		return (size_t)(uintptr_t)known;
	otf2_locations(&archive->definitions, &count);
	if (count == LOCATIONS_MOST)
		return 0;
	archive->name.length = 0;
	track_name(track, timeline->catalog, &archive->name);
	location.name = otf2_escaped(&archive->definitions, &archive->name);
	location.group =
		track->is_queue ? part->groups[track->device % CATALOG_DEVICES] : part->process;
	count = 1 + (size_t)otf2_add_location(&archive->definitions, &location);
	archive->definitions.failed |=
		map_set(&part->locations, track->number, (void *)(uintptr_t)count) != 0;
	return count;
}

static uint64_t time_of(const struct timeline *timeline, uint64_t time)
{
	const struct archive *archive = timeline->shared;

	return timeline_moment(timeline, time) + archive->base;
}

/* Adds an event at this time; `end` is its last. */
static void add(struct timeline *timeline, const struct track *track, uint64_t start, uint64_t end,
		const void *bytes, size_t size)
{
	struct archive *archive = timeline->shared;
	size_t location = location_of(timeline, track);
	const struct sort_item item = {
		.key = location - 1, .second = start, .third = ~end, .bytes = bytes, .size = size};

	/* A file may claim clocks that wrap around. */
	if (!location || end < start) {
		archive->left_out++;
		return;
	}
	if (archive->clock.first > start)
		archive->clock.first = start;
	if (archive->clock.last < end)
		archive->clock.last = end;
	if (!archive->error.length)
		external_sort_add(archive->sort, &item, &archive->error);
}

static enum api api_of(const struct timeline *timeline, const struct timeline_event *event)
{
	const struct device *device;

	if (event->call)
		return (enum api)event->call->api;
	device = event->record ? catalog_device(timeline->catalog, event->record->device) : NULL;
	return device ? device->api : API_ASSUMED;
}

/* Commands have the names of the tables. */
static uint32_t name_event(struct timeline *timeline, const struct timeline_event *event,
			   uint32_t canonical)
{
	struct archive *archive = timeline->shared;
	struct part *part = timeline->own;

	if (!event->record || event->kind == TIMELINE_CALL)
		return canonical;
	archive->name.length = 0;
	label_name(&archive->name, api_of(timeline, event), event->record, &part->shown);
	return otf2_escaped(&archive->definitions, &archive->name);
}

static void set_role(const struct timeline *timeline, const struct timeline_event *event,
		     struct otf2_region *region)
{
	region->role = OTF2_FUNCTION;
	if (event->record || event->call)
		region->paradigm = api_row(api_of(timeline, event))->paradigm;
	if (event->kind == TIMELINE_CALL || event->kind == TIMELINE_OWN) {
		region->role = OTF2_WRAPPER;
	} else if (event->kind == TIMELINE_RANGE || event->kind == TIMELINE_MOMENT) {
		region->role = OTF2_CODE;
		region->paradigm = OTF2_USER;
	} else if (event->kind == TIMELINE_COMMAND && event->record->frame.kind != FRAME_KERNEL) {
		region->role = OTF2_TRANSFER;
	} else if (event->other && event->other->kind == FRAME_OVERHEAD) {
		region->role = OTF2_ARTIFICIAL;
		region->paradigm = OTF2_MEASUREMENT;
	}
}

static uint32_t region_of(struct timeline *timeline, const struct timeline_event *event)
{
	struct archive *archive = timeline->shared;
	const char *category = timeline_category(event);
	size_t length;
	const char *name = timeline_name(event, &length);
	struct otf2_region region = {
		.canonical = otf2_text(&archive->definitions, name, length),
		.category = otf2_text(&archive->definitions, category, strlen(category)),
	};

	region.name = name_event(timeline, event, region.canonical);
	set_role(timeline, event, &region);
	return otf2_add_region(&archive->definitions, &region);
}

_Static_assert(3 * DETAILS + 1 + COUNTER_COLUMNS <= OTF2_VALUES,
	       "all values of an event have room");

/* The values of an event, in the form of the sort. */
struct values {
	struct otf2_event event;
	uint64_t value[OTF2_VALUES];
	uint32_t attribute[OTF2_VALUES];
};

static void put(struct archive *archive, struct values *values, const char *name, size_t length,
		enum otf2_type type, uint64_t value)
{
	uint32_t at = values->event.count;

	values->value[at] = value;
	values->attribute[at] = otf2_add_attribute(&archive->definitions, name, length, type);
	values->event.count++;
}

static void put_real(struct archive *archive, struct values *values, const char *name, double real)
{
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	put(archive, values, name, strlen(name), OTF2_DOUBLE, bits);
}

/* Three attributes: grid_x, grid_y and grid_z. */
static void put_vector(struct archive *archive, struct values *values, const struct detail *detail)
{
	struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < 3; i++) {
		name.length = 0;
		strbuf_printf(&name, "%s_%c", detail->name, "xyz"[i]);
		put(archive, values, name.data, name.length, OTF2_UINT64, detail->number[i]);
	}
	archive->definitions.failed |= name.failed;
	strbuf_free(&name);
}

static void put_detail(struct timeline *timeline, struct values *values,
		       const struct detail *detail)
{
	struct archive *archive = timeline->shared;
	size_t length = strlen(detail->name);

	switch (detail->type) {
	case DETAIL_SIGNED:
		return put(archive, values, detail->name, length, OTF2_INT64, detail->number[0]);
	case DETAIL_VECTOR:
		return put_vector(archive, values, detail);
	case DETAIL_REAL:
		return put_real(archive, values, detail->name, detail->real);
	case DETAIL_TEXT:
		return put(archive, values, detail->name, length, OTF2_STRING,
			   otf2_text(&archive->definitions, detail->text, detail->length));
	case DETAIL_TIME:
		return put(archive, values, detail->name, length, OTF2_UINT64,
			   time_of(timeline, detail->number[0]));
	case DETAIL_NUMBER:
	default: /* DETAIL_NUMBER; -Wswitch-enum reports other missing cases */
		return put(archive, values, detail->name, length, OTF2_UINT64, detail->number[0]);
	}
}

static void put_counters(struct archive *archive, struct values *values,
			 const struct counter_set *set, const double *numbers)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (__builtin_isfinite(numbers[i]))
			put_real(archive, values, set->columns[i].name, numbers[i]);
}

/* Puts the numbers of attributes behind the last value. Returns the size of all in bytes. */
static size_t close_up(struct values *values)
{
	uint32_t count = values->event.count;

	memmove(&values->value[count], values->attribute, count * sizeof(values->attribute[0]));
	return sizeof(values->event) +
	       count * (sizeof(values->value[0]) + sizeof(values->attribute[0]));
}

static void otf2_event(struct timeline *timeline, const struct timeline_event *event)
{
	struct archive *archive = timeline->shared;
	const struct counter_set *set = details_counters(timeline, event);
	struct detail details[DETAILS];
	unsigned count = details_of(event, details);
	struct values values;

	if (event->kind == TIMELINE_MARK || (event->kind == TIMELINE_CALL && !event->has_times))
		archive->without_times++;
	if (event->kind == TIMELINE_MARK)
		return;
	values.event = (struct otf2_event){.end = time_of(timeline, event->end),
					   .region = region_of(timeline, event)};
	for (unsigned i = 0; i < count; i++)
		put_detail(timeline, &values, &details[i]);
	if (event->call && event->flow_count)
		put(archive, &values, FIRST_COMMAND, strlen(FIRST_COMMAND), OTF2_UINT64,
		    event->flows[0]);
	if (set)
		put_counters(archive, &values, set, record_values(event->record));
	add(timeline, &event->track, time_of(timeline, event->start), values.event.end, &values,
	    close_up(&values));
}

static void otf2_counter(struct timeline *timeline, const struct track *track, uint64_t time,
			 uint64_t bytes)
{
	const struct otf2_event event = {.end = bytes};
	uint64_t at = time_of(timeline, time);

	add(timeline, track, at, at, &event, sizeof(event));
}

static void otf2_end(struct timeline *timeline, const struct stream *stream)
{
	(void)timeline;
	(void)stream;
}

/* Readers refuse an archive without a location. */
static void add_empty(struct archive *archive)
{
	const struct otf2_location location = {
		.name = otf2_escaped(&archive->definitions, &archive->title), .type = OTF2_THREAD};
	size_t count;

	otf2_locations(&archive->definitions, &count);
	if (!count)
		otf2_add_location(&archive->definitions, &location);
}

static void otf2_close(struct timeline *timeline)
{
	struct archive *archive = timeline->shared;

	add_empty(archive);
	archive->lost = timeline->lost - timeline->lost_events;
	archive->lost_events = timeline->lost_events;
	archive->cut_off = timeline->cut_off;
}

static const struct timeline_format format = {
	.own_size = sizeof(struct part),
	.begin = otf2_begin,
	.frame = otf2_frame,
	.device = otf2_device,
	.track = otf2_track,
	.event = otf2_event,
	.counter = otf2_counter,
	.end = otf2_end,
	.close = otf2_close,
	.free = otf2_free,
};

static void tell_limits(const struct archive *archive, struct stream *stream)
{
	struct strbuf text = STRBUF_INIT;

	if (archive->without_times)
		strbuf_printf(&text,
			      "%llu kernels, copies and fills are not in the archive, because "
			      "the trace has no valid device times for them",
			      (unsigned long long)archive->without_times);
	if (text.length)
		stream_put_message(stream, strbuf_text(&text));
	text.length = 0;
	if (archive->left_out)
		strbuf_printf(&text,
			      "%llu events are not in the archive, because they are on more than "
			      "%d tracks, or their times are out of range",
			      (unsigned long long)archive->left_out, LOCATIONS_MOST);
	if (text.length)
		stream_put_message(stream, strbuf_text(&text));
	strbuf_free(&text);
}

enum { DIGITS = 24 };

static const char *number_text(char *to, uint64_t number)
{
	snprintf(to, DIGITS, "%llu", (unsigned long long)number);
	return to;
}

static int write_archive(const char *folder, struct archive *archive, struct strbuf *error)
{
	char lost[DIGITS], events[DIGITS], without[DIGITS], left[DIGITS];
	const struct otf2_property properties[] = {
		{"COMPUTEPROF::CUT_OFF", archive->cut_off ? "true" : "false"},
		{"COMPUTEPROF::LOST_RECORDS", number_text(lost, archive->lost)},
		{"COMPUTEPROF::LOST_EVENTS", number_text(events, archive->lost_events)},
		{"COMPUTEPROF::WITHOUT_TIMES", number_text(without, archive->without_times)},
		{"COMPUTEPROF::LEFT_OUT", number_text(left, archive->left_out)},
		{NULL, NULL},
	};
	const struct otf2_archive_input input = {
		.definitions = &archive->definitions,
		.sort = archive->sort,
		.clock = archive->clock,
		.creator = PACKAGE_STRING,
		.description = strbuf_text(&archive->title),
		.properties = properties,
	};

	return otf2_archive_write(folder, &input, error);
}

static int write_otf2(const char *path, struct stream *stream, struct strbuf *error)
{
	struct archive archive = {.clock = {.first = UINT64_MAX}, .sort = external_sort_new(0)};
	int result = -1;

	if (otf2_definitions_open(&archive.definitions) || !archive.sort)
		strbuf_string(error, "out of memory for the archive");
	else
		result = timeline_write_shared(&format, &archive, NULL, stream, error);
	if (!result)
		result = write_archive(path, &archive, error);
	if (!result)
		tell_limits(&archive, stream);
	external_sort_free(archive.sort);
	otf2_definitions_close(&archive.definitions);
	strbuf_free(&archive.error);
	strbuf_free(&archive.name);
	strbuf_free(&archive.title);
	return result;
}

const struct view view_otf2 = {
	.extension = ".otf2",
	.help = "a folder with a timeline for Vampir and other readers of OTF2",
	.anchor = FOLDER_ANCHOR,
	.has = KEPT_COUNTERS,
	.holds_several = true,
	.shows_ranks = true,
	.check = libotf2_open,
	.write = write_otf2,
};

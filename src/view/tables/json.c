/* SPDX-License-Identifier: MIT */
/* The summary for machines: JSON, as doc/FORMAT has it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/api.h"
#include "model/frames.h"
#include "model/method.h"
#include "output/jsontext.h"
#include "view/format/json_command.h"
#include "view/format/label.h"
#include "view/totals/totals.h"
#include "view/view.h"

static void put_device(struct strbuf *to, const struct catalog *catalog, uint32_t id)
{
	const struct device *device = catalog_device(catalog, id);

	if (!device)
		return;
	strbuf_printf(to, ", \"device\": %u, \"device_name\": ", device->number);
	json_name(to, device->name, strlen(device->name));
}

static const char *name_of(const struct activity *activity, const struct catalog *catalog,
			   size_t *length)
{
	static const char other[] = LABEL_OTHER_NAME;
	const struct record *like = &activity->like;

	if (!(like->frame.flags & LABEL_OTHER))
		return like->frame.kind == FRAME_KERNEL
			       ? method_text(like, DIALECT_CLASSIC, catalog->names, length)
			       : names_text(catalog->names, like->name, length);
	*length = sizeof(other) - 1;
	return other;
}

static void put_which(struct strbuf *to, const struct activity *activity,
		      const struct catalog *catalog)
{
	const struct record *like = &activity->like;
	const char *name;
	size_t length;

	strbuf_printf(to, "{\"api\": \"%s\"", api_row(activity->api)->name);
	if (!(like->frame.flags & LABEL_OTHER)) /* kernels of any device */
		put_device(to, catalog, like->device);
	if (like->frame.kind == FRAME_KERNEL) {
		name = name_of(activity, catalog, &length);
		strbuf_string(to, ", \"kind\": \"kernel\", \"name\": ");
		json_name(to, name, length);
	} else if (like->frame.kind == FRAME_COPY) {
		strbuf_printf(to, ", \"kind\": \"copy\", \"name\": \"%s\"", label_direction(like));
	} else {
		strbuf_string(to, ", \"kind\": \"fill\", \"name\": \"\"");
	}
}

static void put_times(struct strbuf *to, const struct activity *activity)
{
	bool known = activity_has_percentiles(activity);

	json_add_number(to, "total_ns", activity->total);
	json_add_number(to, "min_ns", activity->shortest);
	json_add_number(to, "max_ns", activity->longest);
	json_add_number(to, "avg_ns", activity_average(activity));
	json_add_known(to, "p50_ns", activity_percentile(activity, 50), known);
	json_add_known(to, "p95_ns", activity_percentile(activity, 95), known);
	json_add_known(to, "p99_ns", activity_percentile(activity, 99), known);
}

static void put_activity(struct strbuf *to, const struct activity *activity,
			 const struct catalog *catalog)
{
	put_which(to, activity, catalog);
	json_add_number(to, "count", activity->count);
	json_add_number(to, "untimed", activity->untimed);
	if (activity->count)
		put_times(to, activity);
	if (activity->like.frame.kind != FRAME_KERNEL)
		json_add_known(to, "bytes", activity->bytes, activity->sized);
	strbuf_char(to, '}');
}

static void put_function(struct strbuf *to, const struct activity *activity,
			 const struct catalog *catalog)
{
	size_t length;
	const char *name = name_of(activity, catalog, &length);

	strbuf_printf(to, "{\"api\": \"%s\", \"name\": ", api_row(activity->api)->name);
	json_name(to, name, length);
	json_add_number(to, "count", activity->count);
	json_add_number(to, "failed", activity->failed);
	put_times(to, activity);
	strbuf_char(to, '}');
}

static void put_range(struct strbuf *to, const struct activity *activity,
		      const struct catalog *catalog)
{
	size_t length;
	const char *name = names_text(catalog->names, activity->like.name, &length);

	strbuf_string(to, "{\"name\": ");
	json_name(to, name, length);
	json_add_number(to, "count", activity->count);
	put_times(to, activity);
	strbuf_char(to, '}');
}

/* `ranges`: the totals with the ranges, or NULL if they are not known. */
static void put_events(struct strbuf *to, const struct event_totals *events,
		       const struct event_totals *ranges)
{
	uint64_t bytes, left = event_totals_left(events, &bytes);

	strbuf_string(to, ",\n \"events\": {\"marks\": ");
	json_number(to, events->marks);
	json_add_known(to, "unfinished_ranges", ranges ? ranges->unfinished : 0, ranges);
	json_add_number(to, "allocations", events->allocations);
	json_add_number(to, "allocated_bytes", events->allocated);
	json_add_number(to, "peak_bytes", events->peak);
	json_add_number(to, "left_allocations", left);
	json_add_number(to, "left_bytes", bytes);
	json_add_number(to, "waits", events->waits);
	json_add_number(to, "waiting_ns", events->waiting);
	json_add_number(to, "overheads", events->overheads);
	json_add_number(to, "overhead_ns", event_totals_overhead(events));
	strbuf_char(to, '}');
}

/* Appends ", "name": [...]", longest total time first. */
static void put_list(struct strbuf *to, const char *name, struct activities *activities,
		     void (*put)(struct strbuf *to, const struct activity *activity,
				 const struct catalog *catalog),
		     const struct catalog *catalog)
{
	size_t count;
	struct activity *const *list = activities_sorted(activities, &count);

	strbuf_printf(to, ",\n \"%s\": [", name);
	for (size_t i = 0; i < count; i++) {
		strbuf_string(to, i ? ",\n  " : "\n  ");
		put(to, list[i], catalog);
	}
	strbuf_string(to, "\n ]");
}

/* Counts of a process or of all processes. A log may report losses without their number, and does
 * not report lost calls and other events. */
struct counts {
	uint64_t records, untimed, lost, lost_events;
	uint64_t unnamed, unplaced; /* of running totals only */
	bool cut_off, lost_unknown, events_unknown;
};

static struct counts count(const struct totals *totals, const struct stream *stream)
{
	return (struct counts){
		.records = totals->records,
		.untimed = totals_untimed(totals),
		.lost = stream_lost(stream) - stream_lost_events(stream),
		.lost_events = stream_lost_events(stream),
		.unnamed = totals->unnamed,
		.unplaced = totals_unplaced(totals),
		.cut_off = stream_is_cut_off(stream),
		.lost_unknown = stream_has_uncounted_losses(stream),
		.events_unknown = stream_lacks_events(stream),
	};
}

static void add_counts(struct counts *all, const struct counts *counts)
{
	all->records += counts->records;
	all->untimed += counts->untimed;
	all->lost += counts->lost;
	all->lost_events += counts->lost_events;
	all->unnamed += counts->unnamed;
	all->unplaced += counts->unplaced;
	all->cut_off |= counts->cut_off;
	all->lost_unknown |= counts->lost_unknown;
	all->events_unknown |= counts->events_unknown;
}

static void put_counts(struct strbuf *to, const struct counts *counts)
{
	json_add_number(to, "records", counts->records);
	json_add_number(to, "untimed", counts->untimed);
	json_add_known(to, "lost", counts->lost, !counts->lost_unknown);
	json_add_known(to, "lost_events", counts->lost_events, !counts->events_unknown);
	if (counts->unplaced)
		json_add_number(to, "in_no_row", counts->unplaced);
	if (counts->unnamed)
		json_add_number(to, "names_in_other", counts->unnamed);
	strbuf_printf(to, ", \"cut_off\": %s", counts->cut_off ? "true" : "false");
}

/* Totals of a stream, and those of the stream with its ranges. */
struct both {
	struct totals totals, other;
	struct stream *ranges; /* of `other`; NULL: they are in `totals` */
	bool unknown; /* there are ranges, but no totals of them */
};

static void put_ranges(struct strbuf *to, struct both *both, const struct catalog *catalog)
{
	struct totals *totals = both->ranges ? &both->other : &both->totals;

	if (both->ranges)
		catalog = stream_catalog(both->ranges);
	if (both->unknown)
		strbuf_string(to, ",\n \"ranges\": null");
	else
		put_list(to, "ranges", &totals->events.ranges, put_range, catalog);
}

/* Appends the members without the braces. */
static void put_process(struct strbuf *to, struct both *both, const struct stream *stream,
			struct counts *all)
{
	struct totals *totals = &both->totals;
	const struct event_totals *ranges = both->ranges ? &both->other.events : &totals->events;
	const struct catalog *catalog = stream_catalog(stream);
	const struct busy *busy = &totals->busy;
	const struct counts counts = count(totals, stream);
	bool spans = !busy_is_empty(busy) && !totals->no_starts;

	if (catalog->process.pid)
		strbuf_printf(to, "\"process\": %u", catalog->process.pid);
	else
		strbuf_string(to, "\"process\": null");
	json_command_put(to, &catalog->process);
	put_counts(to, &counts);
	json_add_known(to, "span_ns", busy_span(busy), spans);
	json_add_known(to, "idle_ns", busy_idle(busy), spans && !stream_has_gaps(stream));
	put_list(to, "activities", &totals->activities, put_activity, catalog);
	put_list(to, "calls", &totals->call_stats.functions, put_function, catalog);
	put_ranges(to, both, catalog);
	if (counts.events_unknown)
		strbuf_string(to, ",\n \"events\": null");
	else
		put_events(to, &totals->events, both->unknown ? NULL : ranges);
	add_counts(all, &counts);
}

static int put_file(const char *path, const struct strbuf *text, struct strbuf *error)
{
	FILE *file = fopen(path, "we");
	bool whole;

	if (!file) {
		strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
		return -1;
	}
	whole = fwrite(text->data, 1, text->length, file) == text->length;
	whole &= fclose(file) == 0;
	if (!whole)
		strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
	return whole ? 0 : -1;
}

/* As stream_next. */
static int read_all(struct totals *totals, struct stream *stream, struct strbuf *error)
{
	const struct catalog *catalog = stream_catalog(stream);
	const struct frame *frame;
	int result;

	while ((result = stream_next_frame(stream, &frame, error)) > 0) {
		const void *at = frame;

		if (frame->kind == FRAME_TOTALS ? totals_add_row(totals, catalog, frame, error)
		    : frames_is_record(frame)   ? totals_add(totals, catalog, at, error) < 0
						: totals_add_event(totals, frame, error))
			return -1;
	}
	return result;
}

/* The totals are zeroed before. Ends them; the caller closes them. */
static int sum_up(struct totals *totals, struct stream *stream, struct strbuf *error)
{
	int result;

	totals->no_starts = stream_no_starts(stream);
	totals->activities.by_device = true;
	totals->activities.percentiles = true;
	totals->call_stats.functions.percentiles = true;
	totals->events.ranges.percentiles = true;
	stream_want_totals(stream);
	result = read_all(totals, stream, error);
	return result ? result : totals_end(totals, error);
}

/* Without the ranges the rest is written. */
static void sum_up_ranges(struct both *both, const struct stream *stream)
{
	const char *path = stream_ranges(stream);
	struct strbuf error = STRBUF_INIT;

	if (!both->totals.has_rows)
		return;
	both->unknown = both->totals.ranges;
	if (path)
		both->ranges = stream_open(path, &error);
	if (both->ranges)
		both->unknown = sum_up(&both->other, both->ranges, &error) ||
				stream_lost(both->ranges) || stream_is_cut_off(both->ranges);
	strbuf_free(&error);
}

static int write_part(struct strbuf *to, struct stream *stream, struct counts *all,
		      struct strbuf *error)
{
	struct both *both = calloc(1, sizeof(*both)); /* too large for a small stack */
	int result;

	if (!both) {
		strbuf_string(error, "out of memory for the summary");
		return -1;
	}
	result = sum_up(&both->totals, stream, error);
	if (!result) {
		sum_up_ranges(both, stream);
		put_process(to, both, stream, all);
	}
	totals_close(&both->totals);
	totals_close(&both->other);
	stream_close(both->ranges);
	free(both);
	return result;
}

/* Several processes become an array of objects. */
static int write_parts(struct strbuf *to, struct stream *stream, struct strbuf *error)
{
	struct strbuf parts = STRBUF_INIT;
	struct counts all = {0};
	int result, more = 1;

	do {
		strbuf_string(&parts, parts.length ? "},\n{" : "");
		result = write_part(&parts, stream, &all, error);
	} while (!result && (more = stream_advance(stream, error)) > 0);
	strbuf_string(to, "{\"version\": 1");
	if (stream_parts(stream) > 1)
		put_counts(to, &all);
	strbuf_string(to, stream_parts(stream) > 1 ? ", \"processes\": [\n{" : ", ");
	strbuf_append(to, parts.data, parts.length);
	strbuf_string(to, stream_parts(stream) > 1 ? "}\n]}\n" : "}\n");
	to->failed |= parts.failed;
	strbuf_free(&parts);
	return result || more < 0 ? -1 : 0;
}

static int write_json(const char *path, struct stream *stream, struct strbuf *error)
{
	struct strbuf text = STRBUF_INIT;
	int result = write_parts(&text, stream, error);

	if (!result && text.failed) {
		strbuf_string(error, "out of memory for the summary");
		result = -1;
	}
	if (!result)
		result = put_file(path, &text, error);
	strbuf_free(&text);
	return result;
}

const struct view view_json = {
	.extension = ".json",
	.help = "a summary for programs: totals per kernel, copy, fill and call",
	.without_starts = true,
	.of_totals = true,
	.holds_several = true,
	.write = write_json,
};

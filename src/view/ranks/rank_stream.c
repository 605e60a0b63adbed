/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_stream.h"

#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "model/api.h"
#include "model/frames.h"
#include "view/progress.h"
#include "view/totals/totals.h"

static int no_memory(struct strbuf *error)
{
	strbuf_string(error, "out of memory for the sums of a process");
	return -1;
}

static int put_activity(struct rank_sums *sums, uint32_t process, const struct activity *activity,
			const struct catalog *catalog)
{
	struct activity_key what = {.like = activity->like, .api = activity->api};
	struct rank_entry entry = {
		.process = process,
		.sum = {.count = activity->count,
			.untimed = activity->untimed,
			.total = activity->total,
			.shortest = activity->count ? activity->shortest : 0,
			.longest = activity->longest,
			.bytes = activity->bytes,
			.sized = activity->sized},
	};
	struct histogram *times;
	const char *name = "";
	size_t length = 0;

	if (what.like.frame.kind == FRAME_KERNEL)
		name = names_text(catalog->names, what.like.name, &length);
	entry.activity = activity_index_number(&sums->activities, &what, name, length) - 1;
	times = entry.activity == UINT32_MAX ? NULL : rank_sums_make_times(sums, entry.activity);
	if (!times || histogram_add_all(times, activity->times))
		return -1;
	return rank_sums_put(sums, &entry);
}

/* A file that is read. */
struct reading {
	struct rank_sums *sums;
	struct totals *totals;
	struct stream *stream;
	uint64_t records;
	bool no_starts;
	struct rank_launches longest;
};

static uint32_t activity_of(struct rank_sums *sums, const struct catalog *catalog,
			    const struct record *record, enum api api)
{
	struct activity_key what = {.like = *record, .api = api};
	const char *name = "";
	size_t length = 0;

	what.like.frame.flags = 0;
	if (record->frame.kind == FRAME_KERNEL)
		name = names_text(catalog->names, record->name, &length);
	return activity_index_number(&sums->activities, &what, name, length) - 1;
}

/* Returns -1 without memory. */
static int put_longest(struct reading *reading, const struct record *record)
{
	const struct catalog *catalog = stream_catalog(reading->stream);
	const struct device *device = catalog_device(catalog, record->device);
	struct rank_launch launch = {
		.time = amount_duration(record),
		.start = reading->no_starts ? 0 : record->started,
		.record = reading->records,
		.device = device ? device->number : 0,
	};

	if (!(record->known & KNOWN_TIMES) || !rank_launches_takes(&reading->longest, &launch))
		return 0;
	launch.activity =
		activity_of(reading->sums, catalog, record, device ? device->api : API_ASSUMED);
	rank_launches_put(&reading->longest, &launch);
	return launch.activity == UINT32_MAX ? -1 : 0;
}

static int take_record(struct reading *reading, const struct record *record, struct strbuf *error)
{
	int added = totals_add(reading->totals, stream_catalog(reading->stream), record, error);

	reading->records++;
	if (added > 0 && put_longest(reading, record))
		return no_memory(error);
	return added < 0 ? -1 : 0;
}

static int read_frames(struct reading *reading, struct strbuf *error)
{
	const struct catalog *catalog = stream_catalog(reading->stream);
	const struct frame *frame;
	int result;

	while ((result = stream_next_frame(reading->stream, &frame, error)) > 0) {
		const void *at = frame;

		if (frame->kind == FRAME_TOTALS
			    ? totals_add_row(reading->totals, catalog, frame, error)
			    : frames_is_record(frame) && take_record(reading, at, error))
			return -1;
	}
	return result;
}

static int put_process(struct reading *reading, const char *path)
{
	struct rank_sums *sums = reading->sums;
	struct totals *totals = reading->totals;
	const struct stream *stream = reading->stream;
	const struct catalog *catalog = stream_catalog(stream);
	struct rank_process process = {
		.pid = catalog->process.pid,
		.cut_off = stream_is_cut_off(stream),
		.launches = !totals->has_rows,
		.lost = stream_lost(stream) - stream_lost_events(stream),
		.started = catalog->process.pid ? process_start(&catalog->process) : 0,
		.records = reading->records,
	};
	size_t count;
	struct activity *const *list = activities_sorted(&totals->activities, &count);
	int index, result;

	if (!process.lost && stream_has_uncounted_losses(stream))
		process.lost = UINT64_MAX;
	index = rank_sums_begin(sums, path, &process);
	result = index < 0 || totals->activities.list.failed ? -1 : 0;
	for (uint32_t i = 0; !result && i < catalog->process.part_count; i++) {
		const struct process_part *part = &catalog->process.parts[i];

		result = rank_sums_put_part(sums, &(struct rank_part){.process = (uint32_t)index,
								      .pid = part->pid,
								      .started = part->started});
	}
	for (size_t i = 0; !result && i < count; i++)
		result = put_activity(sums, (uint32_t)index, list[i], catalog);
	for (size_t i = 0; !result && i < reading->longest.count; i++) {
		reading->longest.list[i].process = (uint32_t)index;
		result = rank_sums_put_launch(sums, &reading->longest.list[i]);
	}
	return result;
}

/* Reads all frames. A log may end in a read error; its damaged lines are left out. */
static int read_all(struct reading *reading, const char *path, struct strbuf *error)
{
	struct stream *stream = reading->stream;
	bool log = stream_skips_damage(stream);
	const char *damage;

	if (log)
		stream_end_at_damage(stream, path);
	if (totals_open(reading->totals, error) || read_frames(reading, error))
		return -1;
	if (log && stream_error(stream)) {
		strbuf_printf(error, "cannot read %s: %s", path, strerror(stream_error(stream)));
		return -1;
	}
	damage = stream_damage(stream);
	if (damage)
		strbuf_string(error, damage);
	return damage ? 1 : 0;
}

int rank_stream_read(struct rank_sums *sums, struct stream *stream, const char *path,
		     struct strbuf *error)
{
	struct totals *totals = calloc(1, sizeof(*totals)); /* too large for a small stack */
	struct reading reading = {
		.sums = sums,
		.totals = totals,
		.stream = stream,
		.no_starts = stream_no_starts(stream),
	};
	struct progress progress;
	int result;

	if (!totals)
		return no_memory(error);
	totals->no_starts = true; /* the time without work is not needed */
	totals->kernels = sums->kernels;
	totals->demangled = sums->filter.demangled;
	totals->activities.percentiles = true;
	stream_want_totals(stream);
	progress_begin(&progress, stream);
	result = read_all(&reading, path, error);
	progress_end(&progress, stream);
	if (result >= 0 && put_process(&reading, path))
		result = no_memory(error);
	totals_close(totals);
	free(totals);
	return result;
}

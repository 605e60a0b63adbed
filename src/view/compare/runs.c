/* SPDX-License-Identifier: MIT */
#include "view/compare/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/api.h"
#include "model/command.h"
#include "model/frames.h"
#include "output/escape.h"
#include "view/compare/ranktest.h"
#include "view/format/label.h"
#include "view/progress.h"
#include "view/totals/totals.h"

enum { COMMAND_SHOWN = 200 /* bytes */ };

int runs_open(struct runs *runs, const char *kernels, bool demangled, struct strbuf *error)
{
	*runs = (struct runs){
		.filter.demangled = demangled,
		.kernels = kernels,
		.demangled = demangled,
	};
	if (!activity_index_open(&runs->activities))
		return name_filter_open(&runs->filter, kernels, error);
	strbuf_string(error, "out of memory for the comparison");
	return -1;
}

static void free_times(struct run_sum *sum)
{
	if (sum->times)
		histogram_free(sum->times);
	free(sum->times);
	sum->times = NULL;
}

static void free_run(struct run *run)
{
	for (uint32_t i = 0; i < run->count; i++)
		free_times(&run->sums[i]);
	free(run->sums);
}

void runs_close(struct runs *runs)
{
	for (int side = 0; side < RUNS_SIDES; side++) {
		struct run_side *at = &runs->sides[side];

		for (size_t i = 0; i < at->count; i++)
			free_run(&at->list[i]);
		free(at->list);
		strbuf_free(&at->devices);
		strbuf_free(&at->used);
		strbuf_free(&at->commands);
		strbuf_free(&at->systems);
		strbuf_free(&at->notes);
		strbuf_free(&at->left_out);
	}
	name_filter_close(&runs->filter);
	activity_index_close(&runs->activities);
}

int runs_begin(struct runs *runs, enum runs_side side, struct strbuf *error)
{
	struct run_side *at = &runs->sides[side];

	if (!at->list)
		at->list = calloc(RANKTEST_RUNS, sizeof(*at->list));
	if (!at->list) {
		strbuf_string(error, "out of memory for the comparison");
		return -1;
	}
	if (at->count == RANKTEST_RUNS) {
		strbuf_printf(error, "at most %d runs of each side can be compared", RANKTEST_RUNS);
		return -1;
	}
	at->count++;
	return 0;
}

bool runs_next_line(const struct strbuf *list, size_t *at, const char **line, size_t *length)
{
	if (*at >= list->length)
		return false;
	*line = list->data + *at;
	*length = (size_t)((const char *)memchr(*line, '\n', list->length - *at) - *line);
	*at += *length + 1;
	return true;
}

void runs_add_line(struct strbuf *list, const char *line, size_t length)
{
	const char *at = strbuf_text(list), *end;

	for (; length && *at; at = end + 1) {
		end = strchr(at, '\n');
		if ((size_t)(end - at) == length && !memcmp(at, line, length))
			return;
	}
	if (!length)
		return;
	strbuf_append(list, line, length);
	strbuf_char(list, '\n');
}

static struct run_sum *sum_at(struct run *run, uint32_t number)
{
	struct run_sum *sums = run->sums;
	uint32_t room = number * 2;

	if (number <= run->count)
		return &sums[number - 1];
	sums = memory_array(sums, room, sizeof(*sums));
	if (!sums)
		return NULL;
	memset(sums + run->count, 0, (room - run->count) * sizeof(*sums));
	run->sums = sums;
	run->count = room;
	return &sums[number - 1];
}

struct run_sum *runs_place(struct runs *runs, enum runs_side side, const struct activity_key *what,
			   const char *name, size_t length)
{
	struct run_side *at = &runs->sides[side];
	uint32_t number = activity_index_number(&runs->activities, what, name, length);

	return number ? sum_at(&at->list[at->count - 1], number) : NULL;
}

static int add_activity(struct runs *runs, enum runs_side side, const struct activity *activity,
			const struct catalog *catalog)
{
	struct activity_key what = {.like = activity->like, .api = activity->api};
	struct run_sum *sum;
	const char *name = "";
	size_t length = 0;

	if (activity->like.frame.kind == FRAME_KERNEL)
		name = names_text(catalog->names, activity->like.name, &length);
	sum = runs_place(runs, side, &what, name, length);
	if (!sum)
		return -1;
	if (activity->count && (!sum->count || activity->shortest < sum->shortest))
		sum->shortest = activity->shortest;
	sum->launches += activity->count + activity->untimed;
	sum->count += activity->count;
	sum->total = amount_add(sum->total, activity->total);
	sum->bytes = amount_add(sum->bytes, activity->bytes);
	sum->sized = amount_add(sum->sized, activity->sized);
	if (!sum->times)
		sum->times = calloc(1, sizeof(*sum->times));
	return sum->times ? histogram_add_all(sum->times, activity->times) : -1;
}

static int add_activities(struct runs *runs, enum runs_side side, struct totals *totals,
			  const struct catalog *catalog, struct strbuf *error)
{
	size_t count;
	struct activity *const *list = activities_sorted(&totals->activities, &count);

	for (size_t i = 0; i < count; i++) {
		if (!add_activity(runs, side, list[i], catalog))
			continue;
		strbuf_string(error, "out of memory for the comparison");
		return -1;
	}
	return 0;
}

/* Appends the name and the API. */
static void put_device(struct strbuf *to, const struct device *device)
{
	escape_put(to, device->name, strlen(device->name), ESCAPE_SHOWN);
	strbuf_printf(to, " (%s", api_row(device->api)->name);
}

/* Adds the device of a record or of a row of totals, if it has one. */
static void add_used(struct run_side *side, const struct catalog *catalog, uint32_t id)
{
	const struct device *device = catalog_device(catalog, id);
	struct strbuf line = STRBUF_INIT;

	if (!device)
		return;
	put_device(&line, device);
	strbuf_char(&line, ')');
	runs_add_line(&side->used, line.data, line.length);
	strbuf_free(&line);
}

static int read_frames(struct totals *totals, struct stream *stream, struct run_side *side,
		       struct strbuf *error)
{
	const struct catalog *catalog = stream_catalog(stream);
	struct run *run = &side->list[side->count - 1];
	const struct frame *frame;
	uint32_t last = UINT32_MAX, device;
	int result;

	while ((result = stream_next_frame(stream, &frame, error)) > 0) {
		const void *at = frame;
		bool is_record = frames_is_record(frame);

		run->has_records |= is_record || frame->kind == FRAME_TOTALS;
		device = is_record		       ? ((const struct record *)at)->device
			 : frame->kind == FRAME_TOTALS ? ((const struct totals_row *)at)->device
						       : last;
		if (device != last)
			add_used(side, catalog, device);
		last = device;
		if (frame->kind == FRAME_TOTALS
			    ? totals_add_row(totals, catalog, frame, error)
			    : is_record && totals_add(totals, catalog, at, error) < 0)
			return -1;
	}
	return result;
}

static void add_environment(struct run_side *side, const struct catalog *catalog)
{
	struct strbuf line = STRBUF_INIT;

	for (uint32_t i = 0; i < catalog->device_count; i++) {
		const struct device *device = catalog_device(catalog, i);

		line.length = 0;
		put_device(&line, device);
		if (device->compute_major)
			strbuf_printf(&line, ", compute capability %u.%u", device->compute_major,
				      device->compute_minor);
		strbuf_char(&line, ')');
		runs_add_line(&side->devices, line.data, line.length);
	}
	line.length = 0;
	command_put(&line, &catalog->process, COMMAND_SHOWN);
	runs_add_line(&side->commands, line.data, line.length);
	strbuf_free(&line);
}

void runs_add_loss(struct run_side *side, const char *path, uint64_t lost, bool cut_off)
{
	struct strbuf line = STRBUF_INIT;

	side->list[side->count - 1].is_cut_off |= cut_off;
	if (!lost || cut_off)
		return;
	escape_put(&line, path, strlen(path), ESCAPE_SHOWN);
	if (lost == UINT64_MAX)
		strbuf_string(&line, " has lost records");
	else
		strbuf_printf(&line, " has lost %llu records", (unsigned long long)lost);
	runs_add_line(&side->notes, line.data, line.length);
	strbuf_free(&line);
}

static void add_losses(struct run_side *side, const struct stream *stream, const char *path)
{
	uint64_t lost = stream_lost(stream) - stream_lost_events(stream);

	if (!lost && stream_has_uncounted_losses(stream))
		lost = UINT64_MAX;
	runs_add_loss(side, path, lost, stream_is_cut_off(stream));
}

/* `totals` is zeroed. */
static int add_part(struct runs *runs, enum runs_side side, struct totals *totals,
		    struct stream *stream, struct strbuf *error)
{
	struct run_side *at = &runs->sides[side];

	totals->kernels = runs->kernels;
	totals->demangled = runs->demangled;
	totals->activities.percentiles = true;
	if (totals_open(totals, error) || read_frames(totals, stream, at, error))
		return -1;
	add_environment(at, stream_catalog(stream));
	return add_activities(runs, side, totals, stream_catalog(stream), error);
}

int runs_add_stream(struct runs *runs, enum runs_side side, struct stream *stream, const char *path,
		    struct strbuf *error)
{
	struct totals *totals = calloc(1, sizeof(*totals)); /* too large for a small stack */
	struct progress progress;
	int result;

	if (!totals) {
		strbuf_string(error, "out of memory for the comparison");
		return -1;
	}
	stream_want_totals(stream);
	progress_begin(&progress, stream);
	result = add_part(runs, side, totals, stream, error);
	progress_end(&progress, stream);
	if (!result)
		add_losses(&runs->sides[side], stream, path);
	totals_close(totals);
	free(totals);
	return result;
}

static void finish_sum(struct run_sum *sum)
{
	if (sum->times && sum->times->count)
		sum->median = (double)histogram_percentile(sum->times, 50);
	else if (sum->middle_count)
		sum->median = sum->middles / (double)sum->middle_count;
	if (sum->median < (double)sum->shortest)
		sum->median = (double)sum->shortest;
	free_times(sum);
}

/* What a run has up to some moment tells nothing of its time. */
static void leave_out(struct run_side *side, const char *name)
{
	struct run *run = &side->list[--side->count];
	struct strbuf line = STRBUF_INIT;

	escape_put(&line, name, strlen(name), ESCAPE_SHOWN);
	strbuf_string(&line, run->is_cut_off ? " ends before its program did" : " has no records");
	strbuf_string(&line, ": it is left out");
	runs_add_line(&side->left_out, line.data, line.length);
	strbuf_free(&line);
	free_run(run);
	*run = (struct run){0};
}

void runs_finish(struct runs *runs, enum runs_side side, const char *name)
{
	struct run_side *at = &runs->sides[side];
	struct run *run = &at->list[at->count - 1];

	if (run->is_cut_off || !run->has_records) {
		leave_out(at, name);
		return;
	}
	for (uint32_t i = 0; i < run->count; i++) {
		finish_sum(&run->sums[i]);
		run->total = amount_add(run->total, run->sums[i].total);
	}
}

const struct activity_key *runs_activities(const struct runs *runs, uint32_t *count)
{
	return activity_index_list(&runs->activities, count);
}

const struct run_sum *runs_sum(const struct run *run, uint32_t activity)
{
	if (activity >= run->count || !run->sums[activity].launches)
		return NULL;
	return &run->sums[activity];
}

bool runs_knows_bytes(const struct run_sum *sum)
{
	return sum->sized && sum->sized == sum->count;
}

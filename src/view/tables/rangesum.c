/* SPDX-License-Identifier: MIT */
/*
 * The totals of NVTX's ranges, and of their contents. The ranges around a call are known only after
 * all ranges: the calls come from a second reading.
 */
#include "view/tables/rangesum.h"

#include <stdlib.h>

#include "model/api.h"
#include "model/frames.h"

/* The activities of a thread since the ranges around it changed, for all of these ranges. */
struct range_sums {
	struct strbuf labels; /* uint32_t */
	struct activities of[RANGE_ROWS];
};

static void free_sums(struct tables_job *job);

void rangesum_open(struct tables_job *job)
{
	for (int i = 0; i < RANGE_ROWS; i++) {
		job->in_ranges[i].by_group = true;
		job->in_ranges[i].percentiles = job->options->extras;
	}
}

void rangesum_close(struct tables_job *job)
{
	free_sums(job);
	ranges_free(&job->ranges);
	for (int i = 0; i < RANGE_ROWS; i++)
		activities_free(&job->in_ranges[i]);
	strbuf_free(&job->shown_ranges);
}

static int add_range(void *context, uint32_t label, uint64_t start, uint64_t end)
{
	struct tables_job *job = context;
	struct activities *to = &job->in_ranges[RANGE_SELF];
	size_t count;
	const struct range_label *labels = ranges_labels(&job->ranges, &count);
	const struct call like = {
		.name = labels[label].name, .enter = start, .leave = end, .api = API_ASSUMED};

	to->group = label;
	return activities_add_call(to, &like) ? 0 : -1;
}

/* Threads and domains by number, ranges like other activities with times. */
static int compare(const void *left, const void *right)
{
	const struct shown_range *one = left, *other = right;

	if (one->label.thread != other->label.thread)
		return one->label.thread < other->label.thread ? -1 : 1;
	if (one->label.domain != other->label.domain)
		return one->label.domain < other->label.domain ? -1 : 1;
	if (one->self->total != other->self->total)
		return one->self->total < other->self->total ? 1 : -1;
	return one->self->group < other->self->group ? -1 : one->self->group > other->self->group;
}

static int put_in_order(struct tables_job *job)
{
	size_t count;
	const struct range_label *labels = ranges_labels(&job->ranges, &count);
	struct activity *const *list = activities_sorted(&job->in_ranges[RANGE_SELF], &count);

	for (size_t i = 0; i < count; i++) {
		struct shown_range range = {labels[list[i]->group], list[i]};

		strbuf_append(&job->shown_ranges, &range, sizeof(range));
	}
	if (job->shown_ranges.failed)
		return -1;
	qsort(job->shown_ranges.data, count, sizeof(struct shown_range), compare);
	return 0;
}

/* Adds the common sums to each label. */
static int add_sums(struct tables_job *job, struct range_sums *sums, enum range_rows rows)
{
	const uint32_t *labels = (const void *)sums->labels.data;
	int result = activities_add_sums(&job->in_ranges[rows], &sums->of[rows], labels,
					 sums->labels.length / sizeof(*labels));

	activities_clear(&sums->of[rows]);
	return result;
}

static int add_all_sums(struct tables_job *job, struct range_sums *sums)
{
	return add_sums(job, sums, RANGE_WORK) | add_sums(job, sums, RANGE_CALLS);
}

/*
 * Returns the sums for the thread between these times: once for all ranges around it, mostly those
 * of the call before. NULL if there are none, or, with -1, without memory.
 */
static struct range_sums *sums_of(struct tables_job *job, uint32_t thread, uint64_t enter,
				  uint64_t leave, int *result)
{
	int64_t number = ranges_thread(&job->ranges, thread);
	struct range_sums *sums = number < 0 ? NULL : &job->range_sums[number];
	const uint32_t *labels;
	size_t count;

	*result = 0;
	if (!sums)
		return NULL;
	if (!ranges_are_same(&job->ranges, (size_t)number, enter, leave)) {
		*result = add_all_sums(job, sums);
		labels = ranges_around(&job->ranges, thread, enter, leave, &count);
		sums->labels.length = 0;
		strbuf_append(&sums->labels, labels, count * sizeof(*labels));
		*result |= sums->labels.failed ? -1 : 0;
	}
	return *result || !sums->labels.length ? NULL : sums;
}

static int add_call(struct tables_job *job, const struct call *call)
{
	int result;
	struct range_sums *sums =
		sums_of(job, call->frame.thread, call->enter, call->leave, &result);

	if (!sums)
		return result;
	return activities_add_call(&sums->of[RANGE_CALLS], call) ? 0 : -1;
}

static int add_record(struct tables_job *job, const struct record *record)
{
	int result, wanted = totals_wants(&job->totals, job->catalog, record);
	struct range_sums *sums;

	if (wanted <= 0 || !(record->known & KNOWN_TIMES) || record->frame.flags & RECORD_NO_CALL)
		return wanted < 0 ? -1 : 0;
	sums = sums_of(job, record->frame.thread, record->enter, record->leave, &result);
	if (!sums)
		return result;
	return activities_add(&sums->of[RANGE_WORK], job->catalog, record) ? 0 : -1;
}

static int make_sums(struct tables_job *job)
{
	size_t count = ranges_threads(&job->ranges);

	job->range_sums = calloc(count ? count : 1, sizeof(*job->range_sums));
	for (size_t i = 0; job->range_sums && i < count; i++)
		for (int rows = 0; rows < RANGE_ROWS; rows++)
			job->range_sums[i].of[rows].percentiles = job->options->extras;
	return job->range_sums ? 0 : -1;
}

static int finish_sums(struct tables_job *job)
{
	size_t count = ranges_threads(&job->ranges);
	int result = 0;

	for (size_t i = 0; i < count && !result; i++)
		result = add_all_sums(job, &job->range_sums[i]);
	return result;
}

static void free_sums(struct tables_job *job)
{
	size_t count = job->range_sums ? ranges_threads(&job->ranges) : 0;

	for (size_t i = 0; i < count; i++) {
		for (int rows = 0; rows < RANGE_ROWS; rows++)
			activities_free(&job->range_sums[i].of[rows]);
		strbuf_free(&job->range_sums[i].labels);
	}
	free(job->range_sums);
}

/* Damage was reported in the first reading. */
static int read_again(struct tables_job *job, struct stream *stream)
{
	struct strbuf damage = STRBUF_INIT;
	const struct frame *frame;
	int result = 0;

	while (!result && stream_next_frame(stream, &frame, &damage) > 0) {
		const void *at = frame;

		if (frame->kind == FRAME_CALL && tables_want(job, 1u << TABLE_API_SUMMARY))
			result = add_call(job, at);
		if (frames_is_record(frame) && tables_want(job, 1u << TABLE_SUMMARY))
			result = add_record(job, at);
	}
	strbuf_free(&damage);
	return result;
}

int rangesum_read(struct tables_job *job, const struct stream *stream, struct strbuf *error)
{
	struct stream *again;
	int result = 0;

	if (!ranges_any(&job->ranges))
		return 0;
	again = stream_again(stream, error);
	if (!again)
		return -1;
	if (ranges_settle(&job->ranges, add_range, job) || put_in_order(job) || make_sums(job) ||
	    read_again(job, again) || finish_sums(job)) {
		strbuf_string(error, "out of memory for the ranges");
		result = -2;
	}
	stream_close(again);
	return result;
}

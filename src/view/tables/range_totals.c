/* SPDX-License-Identifier: MIT */
/*
 * The totals of NVTX's ranges, and of their contents. The ranges around a call are known only after
 * all ranges. Until then calls and records wait in a queue.
 */
#include "view/tables/range_totals.h"

#include <stdlib.h>

#include "model/api.h"
#include "model/frames.h"
#include "view/stream/spill_queue.h"

/* The activities of a thread since the ranges around it changed, for all of these ranges. */
struct range_sums {
	struct strbuf labels; /* uint32_t */
	struct activities of[RANGE_ROWS];
};

/* A call, or a record with its call: the values that the totals of ranges need. */
struct range_content {
	uint64_t enter, leave;
	uint64_t duration; /* of a record, on the device */
	uint32_t thread;
	uint32_t name;
	uint32_t device_or_api; /* of a record, of a call */
	uint16_t kind;		/* enum frame_kind */
	uint8_t source, target; /* of a copy */
};

static const char no_memory[] = "out of memory for the ranges";

static int fail(struct strbuf *error)
{
	strbuf_string(error, no_memory);
	return -1;
}

static void free_sums(struct tables_job *job);

void range_totals_open(struct tables_job *job)
{
	for (int i = 0; i < RANGE_ROWS; i++) {
		job->in_ranges[i].by_group = true;
		job->in_ranges[i].percentiles = job->options->extras;
	}
}

void range_totals_close(struct tables_job *job)
{
	free_sums(job);
	spill_queue_free(job->range_contents);
	ranges_free(&job->ranges);
	for (int i = 0; i < RANGE_ROWS; i++)
		activities_free(&job->in_ranges[i]);
	strbuf_free(&job->shown_ranges);
	strbuf_free(&job->range_error);
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

static int add_call(struct range_sums *sums, const struct range_content *content)
{
	const struct call call = {
		.name = content->name,
		.enter = content->enter,
		.leave = content->leave,
		.api = (uint16_t)content->device_or_api,
	};

	return activities_add_call(&sums->of[RANGE_CALLS], &call) ? 0 : -1;
}

static int add_record(struct tables_job *job, struct range_sums *sums,
		      const struct range_content *content)
{
	const struct record record = {
		.frame.kind = content->kind,
		.known = KNOWN_TIMES,
		.ended = content->duration,
		.name = content->name,
		.device = content->device_or_api,
		.source = content->source,
		.target = content->target,
	};

	return activities_add(&sums->of[RANGE_WORK], job->catalog, &record) ? 0 : -1;
}

static int add_content(struct tables_job *job, const struct range_content *content)
{
	int result;
	struct range_sums *sums =
		sums_of(job, content->thread, content->enter, content->leave, &result);

	if (!sums)
		return result;
	return content->kind == FRAME_CALL ? add_call(sums, content)
					   : add_record(job, sums, content);
}

/* After an error the queue is NULL and range_error is set. The error matters only if there is a
 * range. */
static void keep(struct tables_job *job, const struct range_content *content)
{
	if (!job->range_contents && !job->range_error.length)
		job->range_contents = spill_queue_new(sizeof(*content));
	if (!job->range_contents) {
		if (!job->range_error.length)
			strbuf_string(&job->range_error, no_memory);
		return;
	}
	if (!spill_queue_add(job->range_contents, content, &job->range_error))
		return;
	spill_queue_free(job->range_contents);
	job->range_contents = NULL;
}

void range_totals_add_call(struct tables_job *job, const struct call *call)
{
	const struct range_content content = {
		.enter = call->enter,
		.leave = call->leave,
		.thread = call->frame.thread,
		.name = call->name,
		.device_or_api = call->api,
		.kind = FRAME_CALL,
	};

	if (tables_want(job, 1u << TABLE_API_SUMMARY))
		keep(job, &content);
}

void range_totals_add_record(struct tables_job *job, const struct record *record)
{
	const struct range_content content = {
		.enter = record->enter,
		.leave = record->leave,
		.duration = amount_duration(record),
		.thread = record->frame.thread,
		.name = record->name,
		.device_or_api = record->device,
		.source = record->source,
		.target = record->target,
		.kind = record->frame.kind,
	};

	if (tables_want(job, 1u << TABLE_SUMMARY) && record->known & KNOWN_TIMES &&
	    !(record->frame.flags & RECORD_NO_CALL))
		keep(job, &content);
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

static int add_contents(struct tables_job *job, struct strbuf *error)
{
	const void *content;
	int found = 0;

	while (job->range_contents &&
	       (found = spill_queue_next(job->range_contents, &content, error)) > 0)
		if (add_content(job, content))
			return fail(error);
	return found;
}

int range_totals_end(struct tables_job *job, struct strbuf *error)
{
	if (!ranges_any(&job->ranges))
		return 0;
	if (job->range_error.length) {
		strbuf_string(error, strbuf_text(&job->range_error));
		return -1;
	}
	if (ranges_end(&job->ranges, add_range, job) || put_in_order(job) || make_sums(job))
		return fail(error);
	if (add_contents(job, error))
		return -1;
	return finish_sums(job) ? fail(error) : 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * What NVTX's ranges add up to, and what is in them. Which ranges are around a call is known only
 * when all of them are: the calls come from a second reading.
 */
#include <stdlib.h>

#include "model/frames.h"
#include "view/tablesjob.h"

void rangesum_open(struct tables_job *job)
{
	for (int i = 0; i < RANGE_ROWS; i++) {
		job->in_ranges[i].by_group = true;
		job->in_ranges[i].percentiles = job->options->extras;
	}
}

void rangesum_close(struct tables_job *job)
{
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
		.name = labels[label].name, .enter = start, .leave = end, .api = API_CUDA};

	to->group = label;
	return activities_add_call(to, &like) ? 0 : -1;
}

/* Threads and domains by their numbers, ranges as all that takes time. */
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

static int add_call(struct tables_job *job, const struct call *call)
{
	struct activities *to = &job->in_ranges[RANGE_CALLS];
	size_t count;
	const uint32_t *labels =
		ranges_around(&job->ranges, call->frame.thread, call->enter, call->leave, &count);

	for (size_t i = 0; i < count; i++) {
		to->group = labels[i];
		if (!activities_add_call(to, call))
			return -1;
	}
	return 0;
}

static int add_record(struct tables_job *job, const struct record *record)
{
	struct activities *to = &job->in_ranges[RANGE_WORK];
	int wanted = survey_wants(&job->survey, job->catalog, record);
	const uint32_t *labels;
	size_t count;

	if (wanted <= 0 || !(record->known & KNOWN_TIMES) || record->frame.flags & RECORD_NO_CALL)
		return wanted < 0 ? -1 : 0;
	labels = ranges_around(&job->ranges, record->frame.thread, record->enter, record->leave,
			       &count);
	for (size_t i = 0; i < count; i++) {
		to->group = labels[i];
		if (!activities_add(to, job->catalog, record))
			return -1;
	}
	return 0;
}

/* What the file says of damage was said when it was read first. */
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
	if (ranges_settle(&job->ranges, add_range, job) || put_in_order(job) ||
	    read_again(job, again)) {
		strbuf_string(error, "no memory for what the ranges add up to");
		result = -2;
	}
	stream_close(again);
	return result;
}

/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_records.h"

#include <stdlib.h>
#include <string.h>

#include "model/frames.h"
#include "output/trace.h"
#include "view/format/sink.h"
#include "view/ranks/rank_frames.h"
#include "view/stream/external_sort.h"

struct job {
	struct stream *stream;
	struct rank_frames frames;
	struct external_sort *sort;
	struct counted_record room; /* the frame being converted */
	struct process process;	    /* of the trace */
	struct strbuf command;
	struct strbuf parts; /* struct process_part */
	size_t part;
	uint64_t number;
	uint64_t lost, lost_events;
	bool has_gaps;
	bool cut_off;
	uint64_t written; /* frames */
};

static int no_memory(struct strbuf *error)
{
	strbuf_string(error, "out of memory");
	return -1;
}

/* Those of a merged trace are taken over. */
static void take_identity(struct job *job, const struct process *process)
{
	const struct process_part own = {.pid = process->pid, .started = process_start(process)};

	if (process->part_count)
		strbuf_append(&job->parts, process->parts, process->part_count * sizeof(own));
	else if (process->pid)
		strbuf_append(&job->parts, &own, sizeof(own));
}

/* The first part's clock counts from the earliest start. */
static void take_process(struct job *job)
{
	const struct process *process = &stream_catalog(job->stream)->process;
	const struct stream_rank *rank = stream_rank(job->stream);
	uint64_t started;

	if (!job->part) {
		job->process.monotonic_to_epoch = rank->epoch;
		memcpy(job->process.boot, process->boot, sizeof(process->boot));
		strbuf_append(&job->command, process->command, process->command_length);
	}
	rank_frames_align(&job->frames, rank->epoch, job->process.monotonic_to_epoch);
	started = process->started + job->frames.host_shift;
	if (!job->part || started < job->process.started)
		job->process.started = started;
	take_identity(job, process);
}

static int take_frame(struct job *job, const struct frame *frame, struct strbuf *error)
{
	struct timed *timed = (void *)&job->room;
	struct sort_item item = {.second = job->part, .third = job->number++, .bytes = &job->room};

	item.size = frames_is_record(frame) ? frame->size : frames_fixed_size(frame->kind);
	memcpy(&job->room, frame, item.size);
	timed->frame.size = (uint32_t)item.size;
	if (rank_frames_convert(&job->frames, &timed->frame, error))
		return -1;
	item.key = timed->enter;
	return external_sort_add(job->sort, &item, error);
}

static int take_part(struct job *job, struct strbuf *error)
{
	struct stream *stream = job->stream;
	const struct frame *frame;
	bool begun = false;
	int found;

	rank_frames_begin(&job->frames, stream_catalog(stream), stream_rank(stream)->rank);
	/* The process is in the catalog after the first frame, or at the end. */
	while ((found = stream_next_frame(stream, &frame, error)) > 0) {
		if (!begun)
			take_process(job);
		begun = true;
		if (take_frame(job, frame, error))
			return -1;
	}
	if (!begun)
		take_process(job);
	job->lost += stream_lost(stream);
	job->lost_events += stream_lost_events(stream);
	job->has_gaps |= stream_has_gaps(stream);
	job->cut_off |= stream_is_cut_off(stream);
	job->part++;
	return found;
}

static int take_parts(struct job *job, struct strbuf *error)
{
	int more;

	do {
		if (take_part(job, error))
			return -1;
		more = stream_advance(job->stream, error);
	} while (more > 0);
	return job->parts.failed ? no_memory(error) : more;
}

static void put_lost(const struct job *job, struct strbuf *to)
{
	struct lost_frame *frame = frames_put_lost(to, 0, job->lost, job->lost_events);

	if (frame)
		frame->gaps = job->has_gaps;
}

/* Appends the frames before the records. */
static void put_catalog(const struct job *job, struct strbuf *to)
{
	const struct catalog *catalog = &job->frames.catalog.merged;

	frames_put_process(to, &job->process);
	put_lost(job, to);
	for (uint32_t i = 1; i <= names_count(catalog->names); i++)
		frames_put_name(to, catalog->names, i);
	for (uint32_t i = 0; i < catalog->device_count; i++)
		frames_put_device(to, &catalog->devices[i]);
	for (uint32_t i = 0; i < catalog->context_count; i++)
		frames_put_context(to, &catalog->contexts[i]);
	for (uint32_t i = 0; i < catalog->counters_count; i++)
		frames_put_counters(to, catalog->counters[i]);
	for (uint32_t i = 1; i <= catalog->stacks.module_count; i++)
		frames_put_module(to, &catalog->stacks, i);
	for (uint32_t i = 1; i <= catalog->stacks.node_count; i++)
		frames_put_stack(to, &catalog->stacks, i);
}

static int put_records(struct job *job, struct sink *sink, struct strbuf *error)
{
	struct sort_item item;
	int found;

	while ((found = external_sort_next(job->sort, &item, error)) > 0) {
		strbuf_append(&sink->text, item.bytes, ((const struct frame *)item.bytes)->size);
		job->written++;
		if (sink_flow(sink))
			return -1;
	}
	return found;
}

static int write_trace(struct job *job, const char *path, struct strbuf *error)
{
	struct sink sink;
	size_t before;
	int result;

	job->process.command = job->command.data;
	job->process.command_length = (uint32_t)job->command.length;
	job->process.parts = (void *)job->parts.data;
	job->process.part_count = (uint32_t)(job->parts.length / sizeof(struct process_part));
	if (sink_open(&sink, path, false, error))
		return -1;
	trace_put_header(&sink.text);
	before = sink.text.length;
	put_catalog(job, &sink.text);
	job->written = trace_count_frames(sink.text.data + before, sink.text.length - before);
	result = sink_flow(&sink) ? -1 : put_records(job, &sink, error);
	if (!job->cut_off)
		frames_put_end(&sink.text, job->written);
	return sink_close(&sink, error) || result ? -1 : 0;
}

static void tell_stacks(const struct job *job)
{
	uint64_t lost = job->frames.catalog.lost_stacks;
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text,
		      "%llu records and events have no call stack: a trace has no room for those "
		      "of all processes",
		      (unsigned long long)lost);
	if (lost)
		stream_put_message(job->stream, strbuf_text(&text));
	strbuf_free(&text);
}

static int write_records(const char *path, struct stream *stream, struct strbuf *error)
{
	struct job *job = calloc(1, sizeof(*job));
	int result = -1;

	if (!job)
		return no_memory(error);
	job->stream = stream;
	job->sort = external_sort_new(0);
	if (rank_frames_open(&job->frames) || !job->sort)
		no_memory(error);
	else if (!take_parts(job, error))
		result = write_trace(job, path, error);
	tell_stacks(job);
	rank_frames_close(&job->frames);
	external_sort_free(job->sort);
	strbuf_free(&job->command);
	strbuf_free(&job->parts);
	free(job);
	return result;
}

const struct view rank_records_view = {
	.extension = ".cptrace",
	.help = "a trace of all processes",
	.without_starts = true,
	.holds_several = true,
	.shows_ranks = true,
	.write = write_records,
};

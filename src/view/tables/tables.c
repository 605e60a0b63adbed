/* SPDX-License-Identifier: MIT */
#include "view/tables/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/frames.h"
#include "view/tables/apitrace.h"
#include "view/tables/gputrace.h"
#include "view/tables/nvtx_table.h"
#include "view/tables/range_totals.h"
#include "view/tables/summary.h"
#include "view/tables/table_messages.h"
#include "view/tables/tablesjob.h"

#define WANTED_TRACES  (1u << TABLE_GPU_TRACE | 1u << TABLE_API_TRACE)
#define WANTED_SUMMARY (1u << TABLE_SUMMARY | 1u << TABLE_API_SUMMARY)

static const char *const unit_names[] = {
	[TABLES_AUTO] = "auto", [TABLES_NS] = "ns", [TABLES_US] = "us",
	[TABLES_MS] = "ms",	[TABLES_S] = "s",
};

int tables_unit(const char *name)
{
	for (int i = 0; i <= TABLES_S; i++)
		if (!strcmp(name, unit_names[i]))
			return i;
	return -1;
}

/* nvprof's lines in place of a table. */
static const char no_kernels[] = "No kernels were profiled.\n";
static const char no_calls[] = "No API activities were profiled.\n";

/* Each returns 0, or -1 with one sentence in `error`. */
static int put_gpu_trace(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	if (tables_has_rows(job))
		return gputrace_put(job, stream, error);
	strbuf_string(&job->text, no_kernels);
	return 0;
}

static int put_api_trace(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	(void)stream;
	if (job->totals.call_stats.count)
		return apitrace_put(job, job->totals.seen, error);
	strbuf_string(&job->text, no_calls);
	return 0;
}

/* Ranges from a trace of their own are printed with the names of that trace. */
static void put_ranges(struct tables_job *job)
{
	if (!job->range_job) {
		nvtx_table_put(job);
		return;
	}
	tables_flush(job, 0);
	nvtx_table_put(job->range_job);
	tables_flush(job->range_job, 0);
	job->text.failed |= job->range_job->text.failed;
}

/* If the GPU summary is requested, too, there is no message that no calls were profiled. */
static int put_summary(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	bool of_gpu = tables_want(job, 1u << TABLE_SUMMARY);

	(void)error;
	if (of_gpu && !tables_has_rows(job))
		strbuf_string(&job->text, no_kernels);
	if (!of_gpu && !job->totals.call_stats.count)
		strbuf_string(&job->text, no_calls);
	summary_put(job);
	put_ranges(job);
	if (job->options->csv || !job->options->notes)
		return 0; /* nvprof's output ends here, and readers of it read to the end */
	if (of_gpu && tables_has_rows(job))
		table_messages_put_records(job, stream);
	table_messages_put_notes(job, stream);
	return 0;
}

static int put_tables(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	static const struct {
		unsigned tables;
		int (*put)(struct tables_job *job, struct stream *stream, struct strbuf *error);
	} parts[] = {
		{1u << TABLE_GPU_TRACE, put_gpu_trace},
		{1u << TABLE_API_TRACE, put_api_trace},
		{WANTED_SUMMARY, put_summary},
	};

	table_messages_put_command(job);
	table_messages_put_rank(job);
	table_messages_put_warnings(job, stream);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!tables_want(job, parts[i].tables))
			continue;
		strbuf_printf(&job->text, "%sProfiling result:\n", tables_prefix(job));
		if (parts[i].put(job, stream, error))
			return -1;
	}
	return 0;
}

/* This and the next return 0, or -1 with one sentence in `error`. */
static int take_call(struct tables_job *job, const struct stream *stream, const struct call *call,
		     struct strbuf *error)
{
	uint64_t number = stream_numbers_calls(stream) ? call->frame.correlation : 0;

	if (totals_add_call(&job->totals, call, error))
		return -1;
	range_totals_add_call(job, call);
	return job->calls ? apitrace_add(job, call, number, error) : 0;
}

static int take_record(struct tables_job *job, const struct stream *stream,
		       const struct record *record, struct strbuf *error)
{
	int wanted = totals_add(&job->totals, job->catalog, record, error);
	uint64_t number = job->totals.seen;

	if (wanted < 0)
		return -1;
	if (stream_is_numbered(stream))
		number = record->frame.correlation;
	if (job->calls && apitrace_add_record(job, record, number, error))
		return -1;
	if (wanted)
		range_totals_add_record(job, record);
	if (!wanted || !job->trace || !(record->known & KNOWN_TIMES))
		return 0;
	return gputrace_add(job, record, number, error);
}

static int take_row(struct tables_job *job, const struct frame *row, struct strbuf *error)
{
	return totals_add_row(&job->totals, job->catalog, row, error);
}

/* Returns -1 without memory. */
static int take_range(struct tables_job *job, const struct frame *frame, struct strbuf *error)
{
	if (!tables_want(job, WANTED_SUMMARY) || !ranges_add(&job->ranges, frame))
		return 0;
	strbuf_string(error, "out of memory for the ranges");
	return -1;
}

/* Returns what stream_next_frame returns; or -2, with one sentence, if there is no memory, or no
 * space for sorting. After damage (-1) the totals have everything before the damage. */
static int read_once(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	const struct frame *frame;
	int result;

	while ((result = stream_next_frame(stream, &frame, error)) > 0) {
		const void *at = frame;

		if (job->totals.has_rows && frame->kind != FRAME_TOTALS)
			continue;
		if (frame->kind == FRAME_CALL	  ? take_call(job, stream, at, error)
		    : frame->kind == FRAME_TOTALS ? take_row(job, at, error)
		    : frames_is_record(frame)	  ? take_record(job, stream, at, error)
						  : totals_add_event(&job->totals, frame, error))
			return -2;
		if (take_range(job, frame, error))
			return -2;
	}
	return result;
}

/* Reads the whole stream and completes the totals. Returns 0; -1 if the stream is damaged (totals
 * have everything before the damage); -2 without totals. -1 and -2 put a sentence into `error`. */
static int read_all(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	struct strbuf later = STRBUF_INIT;
	int result = read_once(job, stream, error);

	/* The first error is reported. */
	if (result != -2 && (range_totals_end(job, result ? &later : error) ||
			     totals_end(&job->totals, result ? &later : error)))
		result = -2;
	strbuf_free(&later);
	return result;
}

static int open_job(struct tables_job *job, const struct stream *stream,
		    const struct tables_options *options, struct strbuf *error)
{
	*job = (struct tables_job){
		.options = options,
		.catalog = stream_catalog(stream),
		.totals = {.no_starts = stream_no_starts(stream),
			   .demangled = options->demangle,
			   .kernels = options->kernels,
			   .devices = options->devices,
			   .device_count = options->device_count,
			   .activities.percentiles = options->extras,
			   .call_stats.functions.percentiles = options->extras},
		.shapes = names_new(),
		.shown = {.names = stream_catalog(stream)->names, .demangled = options->demangle},
		.first = UINT64_MAX,
	};
	tables_set_page(job);
	range_totals_open(job);
	if (job->shapes && (!tables_want(job, 1u << TABLE_GPU_TRACE) || !gputrace_open(job)) &&
	    (!tables_want(job, 1u << TABLE_API_TRACE) || !apitrace_open(job)))
		return totals_open(&job->totals, error);
	strbuf_string(error, "out of memory for the tables");
	return -1;
}

static void close_job(struct tables_job *job)
{
	totals_close(&job->totals);
	range_totals_close(job);
	gputrace_close(job);
	apitrace_close(job);
	names_free(job->shapes);
	label_free(&job->shown);
	strbuf_free(&job->text);
	strbuf_free(&job->range_problem);
}

/* The trace of the ranges of a process with running totals. */
struct range_trace {
	struct stream *stream;
	struct tables_options options;
	struct tables_job job;
};

static void put_missing(struct strbuf *to, const struct stream *stream)
{
	uint64_t lost = stream_lost(stream);

	if (lost)
		strbuf_printf(to, "the totals of NVTX ranges are incomplete: %llu %s lost",
			      (unsigned long long)lost,
			      lost == 1 ? "record, call or other event in them is"
					: "records, calls and other events in them are");
	else if (stream_is_cut_off(stream))
		strbuf_printf(to, "the totals of NVTX ranges are incomplete: %s",
			      trace_cut_text(stream_cut(stream)));
}

/* Sets job->range_job, or job->range_problem, or both. */
static void read_ranges(struct tables_job *job, struct range_trace *trace, const char *path)
{
	struct strbuf error = STRBUF_INIT;
	int result = -2;

	trace->stream = stream_open(path, &error);
	trace->options = *job->options;
	trace->options.wanted &= WANTED_SUMMARY;
	if (trace->stream && !open_job(&trace->job, trace->stream, &trace->options, &error))
		result = read_all(&trace->job, trace->stream, &error);
	trace->job.to = job->to;
	if (result)
		strbuf_printf(&job->range_problem, "the totals of NVTX ranges are %s: %s",
			      result == -2 ? "missing" : "incomplete", strbuf_text(&error));
	else
		put_missing(&job->range_problem, trace->stream);
	job->range_job = result == -2 ? NULL : &trace->job;
	strbuf_free(&error);
}

static struct range_trace *open_ranges(struct tables_job *job, const struct stream *stream)
{
	const char *path = stream_ranges(stream), *why = job->options->no_ranges;
	bool wanted = job->totals.has_rows && tables_want(job, WANTED_SUMMARY);
	struct range_trace *trace = NULL;

	if (wanted && !path && job->totals.ranges)
		strbuf_printf(&job->range_problem,
			      "%llu NVTX ranges are in no table: %s",
			      (unsigned long long)job->totals.ranges,
			      why ? why : "their trace is missing");
	if (!wanted || !path)
		return NULL;
	trace = calloc(1, sizeof(*trace));
	if (trace)
		read_ranges(job, trace, path);
	else
		strbuf_string(&job->range_problem, "out of memory for the ranges");
	return trace;
}

static void close_ranges(struct range_trace *trace)
{
	if (!trace)
		return;
	if (trace->stream && trace->job.options)
		close_job(&trace->job);
	stream_close(trace->stream);
	free(trace);
}

static int print(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	int result = read_all(job, stream, error);
	struct strbuf later = STRBUF_INIT;
	struct range_trace *ranges;

	if (result == -2 || stream_lacks_records(stream))
		return -1;
	ranges = open_ranges(job, stream);
	result |= put_tables(job, stream, result ? &later : error);
	strbuf_free(&later);
	tables_flush(job, 0);
	close_ranges(ranges);
	if (result < 0)
		return -1;
	if (!ferror(job->to) && !job->text.failed && !fflush(job->to))
		return 0;
	if (!job->error)
		job->error = job->text.failed ? ENOMEM : errno;
	strbuf_printf(error, "cannot write the tables: %s", strerror(job->error));
	return -1;
}

int tables_print(FILE *to, struct stream *stream, const struct tables_options *options,
		 struct strbuf *error)
{
	/* Not on the stack, whose limit may be smaller than this struct. */
	struct tables_job *job = calloc(1, sizeof(*job));
	int result = -1;

	if (!job) {
		strbuf_string(error, "out of memory");
		return -1;
	}
	if (!(options->wanted & WANTED_TRACES))
		stream_want_totals(stream);
	if (!open_job(job, stream, options, error)) {
		job->to = to;
		result = print(job, stream, error);
	}
	close_job(job);
	free(job);
	return result;
}

/* SPDX-License-Identifier: MIT */
#include "view/tables/tables.h"

#include <string.h>

#include "model/frames.h"
#include "view/tables/apitrace.h"
#include "view/tables/gputrace.h"
#include "view/tables/notes.h"
#include "view/tables/nvtx_table.h"
#include "view/tables/range_totals.h"
#include "view/tables/summary.h"
#include "view/tables/table_messages.h"
#include "view/tables/tablesjob.h"

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
static int put_gpu_trace(struct tables_job *job, const struct stream *stream, struct strbuf *error)
{
	(void)stream;
	if (tables_has_rows(job))
		return gputrace_put(job, error);
	strbuf_string(&job->text, no_kernels);
	return 0;
}

static int put_api_trace(struct tables_job *job, const struct stream *stream, struct strbuf *error)
{
	(void)stream;
	if (job->totals.call_stats.count)
		return apitrace_put(job, job->totals.seen, error);
	strbuf_string(&job->text, no_calls);
	return 0;
}

/* If both are requested, there is no message that calls were not configured. */
static int put_summary(struct tables_job *job, const struct stream *stream, struct strbuf *error)
{
	bool of_gpu = tables_want(job, 1u << TABLE_SUMMARY);

	(void)error;
	if (of_gpu && !tables_has_rows(job))
		strbuf_string(&job->text, no_kernels);
	if (!of_gpu && !job->totals.call_stats.count)
		strbuf_string(&job->text, no_calls);
	summary_put(job);
	nvtx_table_put(job);
	if (job->options->csv || !job->options->notes)
		return 0; /* nvprof's output ends here, and readers of it read to the end */
	if (of_gpu && tables_has_rows(job))
		table_messages_put_records(job, stream);
	if (stream_lost(stream) || stream_is_cut_off(stream) ||
	    stream_has_uncounted_losses(stream) || job->options->unrecovered)
		notes_put_none(&job->text, tables_prefix(job));
	else
		notes_put(&job->text, &job->totals, &job->shown, tables_prefix(job));
	return 0;
}

static int put_tables(struct tables_job *job, const struct stream *stream, struct strbuf *error)
{
	static const struct {
		unsigned tables;
		int (*put)(struct tables_job *job, const struct stream *stream,
			   struct strbuf *error);
	} parts[] = {
		{1u << TABLE_GPU_TRACE, put_gpu_trace},
		{1u << TABLE_API_TRACE, put_api_trace},
		{WANTED_SUMMARY, put_summary},
	};

	table_messages_put_command(job);
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

/* Returns -1 without memory. */
static int take_range(struct tables_job *job, const struct frame *frame, struct strbuf *error)
{
	if (!tables_want(job, WANTED_SUMMARY) || !ranges_add(&job->ranges, frame))
		return 0;
	strbuf_string(error, "out of memory for the ranges");
	return -1;
}

/* Returns as stream_next, or -2 with one sentence: no memory, or no space for sorting. After damage
 * (-1) the totals have everything before it. */
static int read_once(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	const struct frame *frame;
	int result;

	while ((result = stream_next_frame(stream, &frame, error)) > 0) {
		const void *at = frame;

		if (frame->kind == FRAME_CALL    ? take_call(job, stream, at, error)
		    : frames_is_record(frame) ? take_record(job, stream, at, error)
					      : totals_add_event(&job->totals, frame, error))
			return -2;
		if (take_range(job, frame, error))
			return -2;
	}
	return result;
}

static int print(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	struct strbuf later = STRBUF_INIT;
	int result = read_once(job, stream, error);

	if (result == -2)
		return -1;
	/* The first error is reported. */
	if (!range_totals_end(job, result ? &later : error) &&
	    !totals_end(&job->totals, result ? &later : error))
		result |= put_tables(job, stream, result ? &later : error);
	else
		result = -1;
	strbuf_free(&later);
	tables_flush(job, 0);
	if (result < 0)
		return -1;
	if (!ferror(job->to) && !job->text.failed && !fflush(job->to))
		return 0;
	strbuf_string(error, "cannot write the tables");
	return -1;
}

int tables_print(FILE *to, struct stream *stream, const struct tables_options *options,
		 struct strbuf *error)
{
	struct tables_job job = {
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
		.to = to,
	};
	int result = -1;

	tables_set_page(&job);
	range_totals_open(&job);
	if (!job.shapes || (tables_want(&job, 1u << TABLE_GPU_TRACE) && gputrace_open(&job)) ||
	    (tables_want(&job, 1u << TABLE_API_TRACE) && apitrace_open(&job)))
		strbuf_string(error, "out of memory for the tables");
	else if (!totals_open(&job.totals, error))
		result = print(&job, stream, error);
	totals_close(&job.totals);
	range_totals_close(&job);
	gputrace_close(&job);
	apitrace_close(&job);
	names_free(job.shapes);
	label_free(&job.shown);
	strbuf_free(&job.text);
	return result;
}

/* SPDX-License-Identifier: MIT */
/* The API trace: each of the program's calls, in the order of their starts. */
#include "view/tables/apitrace.h"

#include <stdlib.h>

#include "view/format/printer.h"
#include "view/stream/ordered.h"

enum { NAME_LEAST = 8, WIDTH = 8 };

struct call_entry {
	uint64_t start;
	uint64_t duration;
	uint64_t number; /* 0: only its records have one */
	uint32_t name;
	uint32_t api; /* enum api */
};

/* A record that may be of a call. */
struct made_entry {
	uint64_t number;
	uint32_t name; /* of a kernel; 0: not known */
	uint32_t is_kernel;
};

/* The rows, and their common data. */
struct api_trace {
	struct tables_job *job;
	struct ordered *rows;
	uint64_t longest, last; /* duration, start */
	uint64_t origin;
	uint64_t unmade; /* the next number for a call without a known record */
	struct printer printer;
	struct strbuf scratch;
};

/* One of them. */
struct api_row {
	struct api_trace *trace;
	const struct call_entry *call;
	bool is_kernel;
	uint32_t kernel; /* its name; 0: not known */
	uint64_t number;
};

static int take(void *context, const struct ordered_pair *pair, struct strbuf *error);

int apitrace_open(struct tables_job *job)
{
	struct api_trace *trace = calloc(1, sizeof(*trace));
	struct ordered_options options = {
		.by_time = true,
		.firsts_only = true,
		.first_size = sizeof(struct call_entry),
		.second_size = sizeof(struct made_entry),
		.take = take,
		.context = trace,
	};

	if (!trace)
		return -1;
	trace->job = job;
	trace->rows = ordered_new(&options);
	job->calls = trace;
	return trace->rows ? 0 : -1;
}

void apitrace_close(struct tables_job *job)
{
	if (!job->calls)
		return;
	ordered_free(job->calls->rows);
	strbuf_free(&job->calls->scratch);
	free(job->calls);
	job->calls = NULL;
}

/* A call comes before the calls inside it. */
int apitrace_add(struct tables_job *job, const struct call *call, uint64_t number,
		 struct strbuf *error)
{
	struct api_trace *trace = job->calls;
	const struct call_entry entry = {
		.start = call->enter + (uint64_t)job->catalog->process.monotonic_to_epoch,
		.duration = amount_call_duration(call),
		.number = number,
		.name = call->name,
		.api = call->api,
	};
	const struct ordered_side side = {
		.key = call->made,
		.time = entry.start,
		.then = UINT64_MAX - entry.duration,
		.bytes = &entry,
		.size = sizeof(entry),
	};

	tables_note_start(job, entry.start);
	if (entry.duration > trace->longest)
		trace->longest = entry.duration;
	if (entry.start > trace->last)
		trace->last = entry.start;
	return ordered_add_first(trace->rows, &side, call->made ? call->records : 0, error);
}

int apitrace_add_record(struct tables_job *job, const struct record *record, uint64_t number,
			struct strbuf *error)
{
	const struct made_entry entry = {
		.number = number,
		.name = record->name,
		.is_kernel = record->frame.kind == FRAME_KERNEL,
	};
	const struct ordered_side side = {
		.key = record->frame.correlation, .bytes = &entry, .size = sizeof(entry)};

	return ordered_add_second(job->calls->rows, &side, error);
}

static struct api_row row_of(struct api_trace *trace, const struct ordered_pair *pair)
{
	const struct call_entry *call = pair->first;
	const struct made_entry *made = pair->second;

	if (!made)
		return (struct api_row){.trace = trace,
					.call = call,
					.number = call->number ? call->number : ++trace->unmade};
	return (struct api_row){.trace = trace,
				.call = call,
				.is_kernel = made->is_kernel,
				.kernel = made->name,
				.number = made->number};
}

static bool start_of(const struct printer_column *column, const void *at, double *value)
{
	const struct api_row *row = at;

	(void)column;
	*value = (double)(row->call->start - row->trace->origin);
	return true;
}

static bool duration_of(const struct printer_column *column, const void *at, double *value)
{
	const struct api_row *row = at;

	(void)column;
	*value = (double)row->call->duration;
	return true;
}

/* "clEnqueueNDRangeKernel (vectorAdd [12])", at most `room` columns (0: no limit). */
static void put_name(struct strbuf *to, const void *at, size_t room)
{
	const struct api_row *row = at;
	struct label *shown = &row->trace->job->shown;
	struct record function = {.frame.kind = FRAME_CALL, .name = row->call->name};
	struct record kernel = {.frame.kind = FRAME_KERNEL, .name = row->kernel};
	size_t start = to->length, taken;
	struct strbuf *number = &row->trace->scratch;

	label_name(to, row->call->api, &function, shown);
	if (!row->is_kernel)
		return;
	number->length = 0;
	strbuf_string(number, " [");
	strbuf_decimal(number, row->number);
	strbuf_string(number, "])");
	strbuf_string(to, " (");
	taken = to->length - start + number->length;
	if (room)
		room = room > taken + NAME_LEAST ? room - taken : NAME_LEAST;
	label_short(to, row->call->api, &kernel, shown, room);
	strbuf_append(to, number->data, number->length);
}

static void put_number(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct api_row *row = at;

	(void)column;
	strbuf_decimal(to, row->number);
}

/* clang-format off */
static const struct printer_column columns[] = {
	{ .heading = "Start", .csv = "\"Start\"", .width = WIDTH, .quantity = &quantity_time,
	  .number = start_of },
	{ .heading = "Duration", .csv = "\"Duration\"", .width = WIDTH,
	  .quantity = &quantity_time, .number = duration_of },
	{ .heading = "Name", .csv = "\"Name\"", .quoted = true, .name = put_name },
	{ .csv = "\"Correlation_ID\"", .text = put_number },
};
/* clang-format on */

static int take(void *context, const struct ordered_pair *pair, struct strbuf *error)
{
	struct api_trace *trace = context;
	struct api_row row = row_of(trace, pair);

	(void)error;
	printer_row(&trace->printer, &row);
	return 0;
}

int apitrace_put(struct tables_job *job, uint64_t records, struct strbuf *error)
{
	struct api_trace *trace = job->calls;
	const struct call_entry largest = {.start = trace->last, .duration = trace->longest};
	const struct api_row row = {.trace = trace, .call = &largest};

	trace->printer = (struct printer){
		.page = &job->page,
		.columns = columns,
		.count = sizeof(columns) / sizeof(columns[0]),
	};
	trace->origin = tables_origin(job);
	trace->unmade = records;
	printer_measure(&trace->printer, &row);
	printer_begin(&trace->printer);
	return ordered_end(trace->rows, error);
}

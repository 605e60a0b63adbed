/* SPDX-License-Identifier: MIT */
/* The API trace: each of the program's calls, in the order of their starts. */
#include "view/tables/apitrace.h"

#include <stdlib.h>

#include "view/stream/ordered.h"

enum { NAME_LEAST = 8, WIDTH = 8, FLUSH = 1 << 16 };

struct call_entry {
	uint64_t start;
	uint64_t duration;
	uint64_t number; /* 0: only what it made has one */
	uint32_t name;
	uint32_t api; /* enum api */
};

/* A record that a call may have made. */
struct made_entry {
	uint64_t number;
	uint32_t name; /* of a kernel, else 0 */
	uint32_t padding;
};

/* The rows, and what they have in common. */
struct api_trace {
	struct tables_job *job;
	struct ordered *rows;
	uint64_t longest, last; /* duration, start */
	uint64_t origin;
	uint64_t unmade; /* the next number of a call that made no record that is known */
	int units[2];	 /* of CSV: start, duration */
	struct strbuf scratch;
};

/* One of them. */
struct api_row {
	const struct call_entry *call;
	uint32_t kernel; /* its name, or 0 */
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

/* What holds others comes before them. */
int apitrace_add(struct tables_job *job, const struct call *call, uint64_t number,
		 struct strbuf *error)
{
	struct api_trace *trace = job->calls;
	const struct call_entry entry = {
		.start = call->enter + (uint64_t)job->catalog->process.monotonic_to_epoch,
		.duration = activity_call_duration(call),
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
		.name = record->frame.kind == FRAME_KERNEL ? record->name : 0,
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
		return (struct api_row){.call = call,
					.number = call->number ? call->number : ++trace->unmade};
	return (struct api_row){.call = call, .kernel = made->name, .number = made->number};
}

/* "clEnqueueNDRangeKernel (vectorAdd [12])", at most `room` columns (0: any). */
static void put_name(struct api_trace *trace, const struct api_row *row, size_t room)
{
	struct tables_job *job = trace->job;
	struct record function = {.frame.kind = FRAME_CALL, .name = row->call->name};
	struct record kernel = {.frame.kind = FRAME_KERNEL, .name = row->kernel};
	size_t start = job->text.length, taken;
	struct strbuf *number = &trace->scratch;

	label_name(&job->text, (enum api)row->call->api, &function, &job->shown);
	if (!row->kernel)
		return;
	number->length = 0;
	strbuf_string(number, " [");
	quantity_put_whole(number, row->number);
	strbuf_string(number, "])");
	strbuf_string(&job->text, " (");
	taken = job->text.length - start + number->length;
	if (room)
		room = room > taken + NAME_LEAST ? room - taken : NAME_LEAST;
	label_short(&job->text, (enum api)row->call->api, &kernel, &job->shown, room);
	strbuf_append(&job->text, number->data, number->length);
}

static void put_time(struct api_trace *trace, uint64_t time)
{
	struct strbuf *to = &trace->job->text;
	size_t start = to->length;

	quantity_put(to, &quantity_time, tables_time_unit(trace->job), (double)time);
	label_right(to, start, WIDTH);
	strbuf_string(to, "  ");
}

static void put_row(struct api_trace *trace, const struct api_row *row)
{
	struct tables_job *job = trace->job;
	size_t line = job->text.length;

	put_time(trace, row->call->start - trace->origin);
	put_time(trace, row->call->duration);
	put_name(trace, row, tables_room(job, job->text.length - line));
	strbuf_char(&job->text, '\n');
}

static void put_row_csv(struct api_trace *trace, const struct api_row *row)
{
	struct strbuf *to = &trace->job->text;
	size_t start;

	quantity_put_csv(to, &quantity_time, trace->units[0],
			 (double)(row->call->start - trace->origin));
	strbuf_char(to, ',');
	quantity_put_csv(to, &quantity_time, trace->units[1], (double)row->call->duration);
	strbuf_char(to, ',');
	start = to->length;
	put_name(trace, row, 0);
	label_quote(to, start);
	strbuf_char(to, ',');
	quantity_put_whole(to, row->number);
	strbuf_char(to, '\n');
}

static int take(void *context, const struct ordered_pair *pair, struct strbuf *error)
{
	struct api_trace *trace = context;
	struct api_row row = row_of(trace, pair);

	(void)error;
	if (trace->job->options->csv)
		put_row_csv(trace, &row);
	else
		put_row(trace, &row);
	tables_flush(trace->job, FLUSH);
	return 0;
}

/* Of CSV a column has one unit, that of its largest value. */
static void choose_units(struct api_trace *trace)
{
	int unit = tables_time_unit(trace->job);

	trace->units[0] = trace->units[1] = unit;
	if (unit != QUANTITY_AUTO)
		return;
	trace->units[0] =
		quantity_unit(&quantity_time, (double)(trace->last - trace->origin));
	trace->units[1] = quantity_unit(&quantity_time, (double)trace->longest);
}

static void put_heading(struct api_trace *trace)
{
	struct tables_job *job = trace->job;

	if (!job->options->csv) {
		strbuf_string(&job->text, "   Start  Duration  Name\n");
		return;
	}
	choose_units(trace);
	strbuf_printf(&job->text, "\"Start\",\"Duration\",\"Name\",\"Correlation_ID\"\n%s,%s,,\n",
		      quantity_time.units[trace->units[0]].name,
		      quantity_time.units[trace->units[1]].name);
}

int apitrace_put(struct tables_job *job, uint64_t records, struct strbuf *error)
{
	struct api_trace *trace = job->calls;

	trace->origin = tables_origin(job);
	trace->unmade = records;
	put_heading(trace);
	return ordered_end(trace->rows, error);
}

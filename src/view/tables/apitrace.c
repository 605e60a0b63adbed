/* SPDX-License-Identifier: MIT */
/* The API trace: each of the program's calls, in the order of their starts. */
#include "view/tables/apitrace.h"

#include <stdlib.h>

#include "view/tables/printer.h"

enum { NAME_LEAST = 8, WIDTH = 8 };

struct call_entry {
	uint64_t start;
	uint64_t duration;
	uint64_t made;
	uint64_t number; /* 0: only what it made has one */
	uint32_t name;
	uint32_t records;
	enum api api;
};

/* A record that a call may have made; it may stand before the call or behind it. */
struct made_entry {
	uint64_t correlation;
	uint64_t number;
	uint32_t name; /* of a kernel, else 0 */
};

/* The rows, and what they have in common. */
struct api_trace {
	struct tables_job *job;
	const struct call_entry *calls;
	size_t count;
	const struct made_entry *made;
	size_t made_count;
	uint64_t origin;
	uint64_t unmade; /* the next number of a call that made no record that is known */
	struct strbuf scratch;
};

/* One of them. */
struct api_row {
	struct api_trace *trace;
	const struct call_entry *call;
	uint32_t kernel; /* its name, or 0 */
	uint64_t number;
};

int apitrace_add(struct tables_job *job, const struct call *call, uint64_t number)
{
	struct call_entry entry = {
		.start = call->enter + (uint64_t)job->catalog->process.monotonic_to_epoch,
		.duration = activity_call_duration(call),
		.made = call->made,
		.number = number,
		.name = call->name,
		.records = call->records,
		.api = (enum api)call->api,
	};

	tables_note_start(job, entry.start);
	strbuf_append(&job->calls, &entry, sizeof(entry));
	return job->calls.failed ? -1 : 0;
}

int apitrace_add_record(struct tables_job *job, const struct record *record, uint64_t number)
{
	struct made_entry entry = {
		.correlation = record->frame.correlation,
		.number = number,
		.name = record->frame.kind == FRAME_KERNEL ? record->name : 0,
	};

	strbuf_append(&job->made, &entry, sizeof(entry));
	return job->made.failed ? -1 : 0;
}

/* What holds others comes before them. */
static int compare_calls(const void *left, const void *right)
{
	const struct call_entry *one = left, *other = right;

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	if (one->duration != other->duration)
		return one->duration > other->duration ? -1 : 1;
	if (one->made != other->made)
		return one->made < other->made ? -1 : 1;
	return one->name < other->name ? -1 : one->name > other->name;
}

static int compare_made(const void *left, const void *right)
{
	const struct made_entry *one = left, *other = right;

	if (one->correlation != other->correlation)
		return one->correlation < other->correlation ? -1 : 1;
	return one->number < other->number ? -1 : one->number > other->number;
}

/* The first record that a call made and that the stream has; NULL: none. */
static const struct made_entry *find_made(const struct api_trace *trace,
					  const struct call_entry *call)
{
	size_t low = 0, high = trace->made_count;

	if (!call->made)
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->made[middle].correlation < call->made)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == trace->made_count || trace->made[low].correlation - call->made >= call->records)
		return NULL;
	return &trace->made[low];
}

static struct api_row next_row(struct api_trace *trace, const struct call_entry *call)
{
	const struct made_entry *made = find_made(trace, call);

	if (!made)
		return (struct api_row){.trace = trace,
					.call = call,
					.number = call->number ? call->number : ++trace->unmade};
	return (struct api_row){
		.trace = trace, .call = call, .kernel = made->name, .number = made->number};
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

/* "clEnqueueNDRangeKernel (vectorAdd [12])", at most `room` columns (0: any). */
static void put_name(struct strbuf *to, const void *at, size_t room)
{
	const struct api_row *row = at;
	struct label *shown = &row->trace->job->shown;
	struct record function = {.frame.kind = FRAME_CALL, .name = row->call->name};
	struct record kernel = {.frame.kind = FRAME_KERNEL, .name = row->kernel};
	size_t start = to->length, taken;
	struct strbuf *number = &row->trace->scratch;

	label_name(to, row->call->api, &function, shown);
	if (!row->kernel)
		return;
	number->length = 0;
	strbuf_string(number, " [");
	quantity_put_whole(number, row->number);
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
	quantity_put_whole(to, row->number);
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

void apitrace_put(struct tables_job *job, uint64_t records)
{
	struct call_entry *calls = (void *)job->calls.data;
	struct made_entry *made = (void *)job->made.data;
	struct api_trace trace = {
		.job = job,
		.calls = calls,
		.count = job->calls.length / sizeof(*calls),
		.made = made,
		.made_count = job->made.length / sizeof(*made),
		.origin = tables_origin(job),
		.unmade = records,
	};
	struct printer printer = {
		.job = job, .columns = columns, .count = sizeof(columns) / sizeof(columns[0])};

	qsort(calls, trace.count, sizeof(*calls), compare_calls);
	if (trace.made_count)
		qsort(made, trace.made_count, sizeof(*made), compare_made);
	for (size_t i = 0; i < trace.count && job->options->csv; i++)
		printer_measure(&printer, &(struct api_row){.trace = &trace, .call = &calls[i]});
	printer_begin(&printer);
	for (size_t i = 0; i < trace.count; i++) {
		struct api_row row = next_row(&trace, &calls[i]);

		printer_row(&printer, &row);
	}
	strbuf_free(&trace.scratch);
}

/* SPDX-License-Identifier: MIT */
/* The API trace: each of the program's calls, in the order of their starts. */
#include "view/tables/apitrace.h"

#include <stdlib.h>

enum { NAME_LEAST = 8, WIDTH = 8, FLUSH = 1 << 16 };

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
	int units[2];	 /* of CSV: start, duration */
	struct strbuf scratch;
};

/* One of them. */
struct api_row {
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

	label_name(&job->text, row->call->api, &function, &job->shown);
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
	label_short(&job->text, row->call->api, &kernel, &job->shown, room);
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

/* Of CSV a column has one unit, that of its largest value. */
static void choose_units(struct api_trace *trace)
{
	int unit = tables_time_unit(trace->job);
	uint64_t longest = 0, last = trace->calls[trace->count - 1].start - trace->origin;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->calls[i].duration > longest)
			longest = trace->calls[i].duration;
	trace->units[0] = trace->units[1] = unit;
	if (unit != QUANTITY_AUTO)
		return;
	trace->units[0] = quantity_unit(&quantity_time, (double)last);
	trace->units[1] = quantity_unit(&quantity_time, (double)longest);
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

	qsort(calls, trace.count, sizeof(*calls), compare_calls);
	if (trace.made_count)
		qsort(made, trace.made_count, sizeof(*made), compare_made);
	put_heading(&trace);
	for (size_t i = 0; i < trace.count; i++) {
		struct api_row row = next_row(&trace, &calls[i]);

		if (job->options->csv)
			put_row_csv(&trace, &row);
		else
			put_row(&trace, &row);
		tables_flush(job, FLUSH);
	}
	strbuf_free(&trace.scratch);
}

/* SPDX-License-Identifier: MIT */
/* The GPU trace: each kernel, copy and fill, in the order of their starts. */
#include "view/tables/gputrace.h"

#include <stdlib.h>
#include <string.h>

#include "view/stream/external_sort.h"
#include "view/tables/tracecolumn.h"

/* Only what a row shows: launches of a kernel are mostly alike. */
static struct record shape_of(const struct record *record)
{
	return (struct record){
		.frame.kind = record->frame.kind,
		.grid = {record->grid[0], record->grid[1], record->grid[2]},
		.block = {record->block[0], record->block[1], record->block[2]},
		.name = record->name,
		.device = record->device,
		.context = record->context,
		.stream = record->stream,
		.static_shared = record->static_shared,
		.dynamic_shared = record->dynamic_shared,
		.registers = record->registers,
		.known = record->known,
		.host_memory = record->host_memory,
		.source = record->source,
		.target = record->target,
	};
}

/* A record of the trace; what many have in common is a text of job->shapes. */
struct trace_entry {
	uint64_t start;
	uint64_t end;
	uint64_t bytes;
	uint64_t correlation;
	uint32_t shape;
	uint32_t padding;
};

/* The rows, and what they have in common. */
struct gpu_trace {
	struct external_sort *rows; /* struct trace_entry */
	struct trace_entry latest;
	uint64_t origin;
	double largest[TRACE_COLUMNS]; /* of CSV */
	int units[TRACE_COLUMNS];
};

int gputrace_open(struct tables_job *job)
{
	struct gpu_trace *trace = calloc(1, sizeof(*trace));

	job->trace = trace;
	if (trace)
		trace->rows = external_sort_new(0);
	return trace && trace->rows ? 0 : -1;
}

void gputrace_close(struct tables_job *job)
{
	if (!job->trace)
		return;
	external_sort_free(job->trace->rows);
	free(job->trace);
	job->trace = NULL;
}

static struct trace_row row_of(struct tables_job *job, const struct trace_entry *entry,
			       uint64_t origin)
{
	struct trace_row row = {
		.catalog = job->catalog,
		.shown = &job->shown,
		.start = entry->start - origin,
		.has_start = !job->survey.no_starts,
		.duration = entry->end - entry->start,
		.bytes = entry->bytes,
		.correlation = entry->correlation,
	};
	size_t length;

	memcpy(&row.shape, names_text(job->shapes, entry->shape, &length), sizeof(row.shape));
	return row;
}

/* Of CSV a column has one unit, that of its largest value. */
static void note_largest(struct tables_job *job, const struct trace_entry *entry, uint64_t origin)
{
	struct gpu_trace *trace = job->trace;
	struct trace_row row = row_of(job, entry, origin);

	for (int column = 0; column < TRACE_COLUMNS; column++) {
		double value;

		if (trace_columns[column].number && trace_columns[column].number(&row, &value) &&
		    value > trace->largest[column])
			trace->largest[column] = value;
	}
}

/* Without starts the rows stand in the order of the records. */
int gputrace_add(struct tables_job *job, const struct record *record, uint64_t number,
		 struct strbuf *error)
{
	struct record shape = shape_of(record);
	const struct trace_entry entry = {
		.start = record->started,
		.end = record->started + activity_duration(record),
		.bytes = record->bytes,
		.correlation = number,
		.shape = names_intern(job->shapes, (const char *)&shape, sizeof(shape)),
	};
	struct sort_item item = {.bytes = &entry, .size = sizeof(entry)};

	if (!entry.shape) {
		strbuf_string(error, "no memory for the trace");
		return -1;
	}
	if (!job->survey.no_starts) {
		item.key = entry.start;
		item.second = entry.end;
		item.third = entry.correlation;
	}
	tables_note_start(job, entry.start);
	if (entry.start >= job->trace->latest.start)
		job->trace->latest = entry;
	/* Its start counts from where the trace begins, which is known at the end. */
	if (job->options->csv)
		note_largest(job, &entry, entry.start);
	return external_sort_add(job->trace->rows, &item, error);
}

static bool is_used(const struct tables_job *job, const struct trace_column *column)
{
	switch (column->used) {
	case USED_BY_KERNELS:
		return job->survey.kernel_count;
	case USED_BY_TRANSFERS:
		return job->survey.transfer_count;
	case USED_ALWAYS:
		break;
	}
	return true;
}

static void put_heading(struct tables_job *job)
{
	struct strbuf *to = &job->text;
	const char *between = "";

	for (int i = 0; i < TRACE_COLUMNS; i++) {
		if (!trace_columns[i].heading || !is_used(job, &trace_columns[i]))
			continue;
		strbuf_printf(to, "%s%*s", between, trace_columns[i].width,
			      trace_columns[i].heading);
		between = "  ";
	}
	strbuf_string(to, "  Name\n");
}

static void put_row(struct tables_job *job, const struct trace_row *row)
{
	struct strbuf *to = &job->text;
	size_t line = to->length;
	const char *between = "";

	for (int i = 0; i < TRACE_COLUMNS; i++) {
		const struct trace_column *column = &trace_columns[i];

		if (!column->heading || !is_used(job, column))
			continue;
		strbuf_string(to, between);
		trace_cell(to, column, row, tables_time_unit(job));
		between = "  ";
	}
	strbuf_string(to, "  ");
	trace_name(to, row, tables_room(job, to->length - line));
	strbuf_char(to, '\n');
}

static void put_footnotes(struct tables_job *job)
{
	struct strbuf *to = &job->text;

	strbuf_char(to, '\n');
	for (int i = 0; i < TRACE_COLUMNS; i++)
		if (trace_columns[i].footnote && is_used(job, &trace_columns[i]))
			strbuf_printf(to, "%s\n", trace_columns[i].footnote);
}

static void choose_units(struct tables_job *job)
{
	struct gpu_trace *trace = job->trace;

	note_largest(job, &trace->latest, trace->origin);
	for (int i = 0; i < TRACE_COLUMNS; i++) {
		const struct quantity *quantity = trace_columns[i].quantity;

		if (!quantity)
			continue;
		trace->units[i] = quantity_unit(quantity, trace->largest[i]);
		if (quantity == &quantity_time && tables_time_unit(job) != QUANTITY_AUTO)
			trace->units[i] = tables_time_unit(job);
	}
}

static void put_heading_csv(struct tables_job *job)
{
	struct strbuf *to = &job->text;
	const char *between = "";

	for (int i = 0; i < TRACE_COLUMNS; i++) {
		if (!is_used(job, &trace_columns[i]))
			continue;
		strbuf_printf(to, "%s%s", between, trace_columns[i].csv);
		between = ",";
	}
	strbuf_char(to, '\n');
	between = "";
	for (int i = 0; i < TRACE_COLUMNS; i++) {
		const struct quantity *quantity = trace_columns[i].quantity;

		if (!is_used(job, &trace_columns[i]))
			continue;
		strbuf_printf(to, "%s%s%.*s", between,
			      quantity ? quantity->units[job->trace->units[i]].name : "",
			      (int)trace_columns[i].commas, ",,,");
		between = ",";
	}
	strbuf_char(to, '\n');
}

static void put_row_csv(struct tables_job *job, const struct trace_row *row)
{
	struct strbuf *to = &job->text;
	const char *between = "";

	for (int i = 0; i < TRACE_COLUMNS; i++) {
		if (!is_used(job, &trace_columns[i]))
			continue;
		strbuf_string(to, between);
		trace_field(to, &trace_columns[i], row, job->trace->units[i]);
		between = ",";
	}
	strbuf_char(to, '\n');
}

static int put_rows(struct tables_job *job, struct strbuf *error)
{
	struct sort_item item;
	int found;

	while ((found = external_sort_next(job->trace->rows, &item, error)) > 0) {
		struct trace_row row = row_of(job, item.bytes, job->trace->origin);

		if (job->options->csv)
			put_row_csv(job, &row);
		else
			put_row(job, &row);
		tables_flush(job, 1 << 16);
	}
	return found;
}

int gputrace_put(struct tables_job *job, struct strbuf *error)
{
	int result;

	job->trace->origin = tables_origin(job);
	if (job->options->csv) {
		choose_units(job);
		put_heading_csv(job);
		return put_rows(job, error);
	}
	put_heading(job);
	result = put_rows(job, error);
	put_footnotes(job);
	return result;
}

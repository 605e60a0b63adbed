/* SPDX-License-Identifier: MIT */
/* The GPU trace: each kernel, copy and fill, in the order of their starts. */
#include "view/tables/gputrace.h"

#include <stdlib.h>
#include <string.h>

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

int gputrace_add(struct tables_job *job, const struct record *record, uint64_t number)
{
	struct record shape = shape_of(record);
	struct trace_entry entry = {
		.start = record->started,
		.end = record->started + activity_duration(record),
		.bytes = record->bytes,
		.correlation = number,
		.shape = names_intern(job->shapes, (const char *)&shape, sizeof(shape)),
	};

	tables_note_start(job, entry.start);
	strbuf_append(&job->trace, &entry, sizeof(entry));
	return entry.shape && !job->trace.failed ? 0 : -1;
}

static int compare(const void *left, const void *right)
{
	const struct trace_entry *one = left, *other = right;

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	if (one->end != other->end)
		return one->end < other->end ? -1 : 1;
	return one->correlation < other->correlation ? -1 : one->correlation > other->correlation;
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

/* The rows, and what they have in common. */
struct trace {
	struct tables_job *job;
	const struct trace_entry *entries;
	size_t count;
	uint64_t origin;
	double largest[TRACE_COLUMNS];
	int units[TRACE_COLUMNS];
};

static void put_heading(const struct trace *trace)
{
	struct strbuf *to = &trace->job->text;
	const char *between = "";

	for (int i = 0; i < TRACE_COLUMNS; i++) {
		if (!trace_columns[i].heading || !is_used(trace->job, &trace_columns[i]))
			continue;
		strbuf_printf(to, "%s%*s", between, trace_columns[i].width,
			      trace_columns[i].heading);
		between = "  ";
	}
	strbuf_string(to, "  Name\n");
}

static void put_row(struct trace *trace, const struct trace_row *row)
{
	struct tables_job *job = trace->job;
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

static void put_footnotes(const struct trace *trace)
{
	struct strbuf *to = &trace->job->text;

	strbuf_char(to, '\n');
	for (int i = 0; i < TRACE_COLUMNS; i++)
		if (trace_columns[i].footnote && is_used(trace->job, &trace_columns[i]))
			strbuf_printf(to, "%s\n", trace_columns[i].footnote);
}

/* Of CSV a column has one unit, that of its largest value. */
static void choose_units(struct trace *trace)
{
	for (size_t i = 0; i < trace->count; i++) {
		struct trace_row row = row_of(trace->job, &trace->entries[i], trace->origin);

		for (int column = 0; column < TRACE_COLUMNS; column++) {
			double value;

			if (trace_columns[column].number &&
			    trace_columns[column].number(&row, &value) &&
			    value > trace->largest[column])
				trace->largest[column] = value;
		}
	}
	for (int i = 0; i < TRACE_COLUMNS; i++) {
		const struct quantity *quantity = trace_columns[i].quantity;

		if (!quantity)
			continue;
		trace->units[i] = quantity_unit(quantity, trace->largest[i]);
		if (quantity == &quantity_time && tables_time_unit(trace->job) != QUANTITY_AUTO)
			trace->units[i] = tables_time_unit(trace->job);
	}
}

static void put_heading_csv(const struct trace *trace)
{
	struct strbuf *to = &trace->job->text;
	const char *between = "";

	for (int i = 0; i < TRACE_COLUMNS; i++) {
		if (!is_used(trace->job, &trace_columns[i]))
			continue;
		strbuf_printf(to, "%s%s", between, trace_columns[i].csv);
		between = ",";
	}
	strbuf_char(to, '\n');
	between = "";
	for (int i = 0; i < TRACE_COLUMNS; i++) {
		const struct quantity *quantity = trace_columns[i].quantity;

		if (!is_used(trace->job, &trace_columns[i]))
			continue;
		strbuf_printf(to, "%s%s%.*s", between,
			      quantity ? quantity->units[trace->units[i]].name : "",
			      (int)trace_columns[i].commas, ",,,");
		between = ",";
	}
	strbuf_char(to, '\n');
}

static void put_row_csv(const struct trace *trace, const struct trace_row *row)
{
	struct strbuf *to = &trace->job->text;
	const char *between = "";

	for (int i = 0; i < TRACE_COLUMNS; i++) {
		if (!is_used(trace->job, &trace_columns[i]))
			continue;
		strbuf_string(to, between);
		trace_field(to, &trace_columns[i], row, trace->units[i]);
		between = ",";
	}
	strbuf_char(to, '\n');
}

static void put_rows(struct trace *trace)
{
	for (size_t i = 0; i < trace->count; i++) {
		struct trace_row row = row_of(trace->job, &trace->entries[i], trace->origin);

		if (trace->job->options->csv)
			put_row_csv(trace, &row);
		else
			put_row(trace, &row);
		tables_flush(trace->job, 1 << 16);
	}
}

void gputrace_put(struct tables_job *job)
{
	struct trace_entry *entries = (void *)job->trace.data;
	struct trace trace = {.job = job, .entries = entries};

	trace.count = job->trace.length / sizeof(*entries);
	/* Without starts they stand in the order of the records. */
	if (trace.count && !job->survey.no_starts)
		qsort(entries, trace.count, sizeof(*entries), compare);
	trace.origin = tables_origin(job);
	if (job->options->csv) {
		choose_units(&trace);
		put_heading_csv(&trace);
		put_rows(&trace);
		return;
	}
	put_heading(&trace);
	put_rows(&trace);
	put_footnotes(&trace);
}

/* SPDX-License-Identifier: MIT */
/* The GPU trace: each kernel, copy and fill, in the order of their starts. */
#include "view/tables/gputrace.h"

#include <stdlib.h>
#include <string.h>

#include "view/stacks/caller_names.h"
#include "view/stream/external_sort.h"
#include "view/tables/tracecolumn.h"

/* The values of a row that many records have in common: most launches of a kernel are equal. */
struct shape {
	uint64_t grid[3];
	uint32_t block[3];
	uint32_t name;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	uint32_t static_shared;
	uint32_t dynamic_shared;
	uint32_t registers;
	uint32_t known;
	uint32_t stack;
	uint16_t kind; /* enum frame_kind */
	uint8_t host_memory;
	uint8_t source;
	uint8_t target;
	uint8_t padding[3]; /* 0: shapes are compared as bytes */
};

_Static_assert(sizeof(struct shape) == 80, "no byte of a shape is undefined");

static struct shape shape_of(const struct record *record)
{
	return (struct shape){
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
		.stack = record->frame.stack,
		.kind = record->frame.kind,
		.host_memory = record->host_memory,
		.source = record->source,
		.target = record->target,
	};
}

static struct record record_of(const struct shape *shape)
{
	return (struct record){
		.frame = {.kind = shape->kind, .stack = shape->stack},
		.grid = {shape->grid[0], shape->grid[1], shape->grid[2]},
		.block = {shape->block[0], shape->block[1], shape->block[2]},
		.name = shape->name,
		.device = shape->device,
		.context = shape->context,
		.stream = shape->stream,
		.static_shared = shape->static_shared,
		.dynamic_shared = shape->dynamic_shared,
		.registers = shape->registers,
		.known = shape->known,
		.host_memory = shape->host_memory,
		.source = shape->source,
		.target = shape->target,
	};
}

/* A record of the trace; values common to many records are a text of job->shapes. */
struct trace_entry {
	uint64_t start;
	uint64_t end;
	uint64_t bytes;
	uint64_t correlation;
	uint32_t shape;
	uint32_t padding;
};

/* The rows, and their common data. */
struct gpu_trace {
	struct external_sort *rows; /* struct trace_entry */
	struct trace_entry latest;
	bool has_stacks; /* of any row */
	struct caller_names *callers;
	struct printer printer;
};

int gputrace_open(struct tables_job *job)
{
	struct gpu_trace *trace = calloc(1, sizeof(*trace));

	job->trace = trace;
	if (!trace)
		return -1;
	trace->printer = (struct printer){
		.page = &job->page, .columns = trace_columns, .count = TRACE_COLUMNS};
	trace->rows = external_sort_new(0);
	return trace->rows ? 0 : -1;
}

void gputrace_close(struct tables_job *job)
{
	if (!job->trace)
		return;
	external_sort_free(job->trace->rows);
	caller_names_free(job->trace->callers);
	free(job->trace);
	job->trace = NULL;
}

static struct trace_row row_of(struct tables_job *job, const struct trace_entry *entry,
			       uint64_t origin)
{
	struct trace_row row = {
		.catalog = job->catalog,
		.shown = &job->shown,
		.callers = job->trace->callers,
		.start = entry->start - origin,
		.has_start = !job->totals.no_starts,
		.duration = entry->end - entry->start,
		.correlation = entry->correlation,
	};
	struct shape shape;

	memcpy(&shape, names_text(job->shapes, entry->shape, NULL), sizeof(shape));
	row.shape = record_of(&shape);
	row.shape.bytes = entry->bytes;
	return row;
}

/* Includes the values of a row in the choice of units for CSV. */
static void measure(struct tables_job *job, const struct trace_entry *entry, uint64_t origin)
{
	struct trace_row row = row_of(job, entry, origin);

	printer_measure(&job->trace->printer, &row);
}

/* Without starts the rows stand in the order of the records. */
int gputrace_add(struct tables_job *job, const struct record *record, uint64_t number,
		 struct strbuf *error)
{
	struct shape shape = shape_of(record);
	const struct trace_entry entry = {
		.start = record->started,
		.end = record->started + amount_duration(record),
		.bytes = record->bytes,
		.correlation = number,
		.shape = names_intern(job->shapes, (const char *)&shape, sizeof(shape)),
	};
	struct sort_item item = {.bytes = &entry, .size = sizeof(entry)};

	if (!entry.shape) {
		strbuf_string(error, "out of memory for the trace");
		return -1;
	}
	if (!job->totals.no_starts) {
		item.key = entry.start;
		item.second = entry.end;
		item.third = entry.correlation;
	}
	tables_note_start(job, entry.start);
	job->trace->has_stacks |= record->frame.stack != 0;
	if (entry.start >= job->trace->latest.start)
		job->trace->latest = entry;
	/* Starts count from the start of the trace, which is known at the end. */
	if (job->options->csv)
		measure(job, &entry, entry.start);
	return external_sort_add(job->trace->rows, &item, error);
}

static void add_message(void *stream, const char *text)
{
	stream_put_message(stream, text);
}

/* All stacks are known. Returns -1 without memory. */
static int open_callers(struct tables_job *job, struct stream *stream)
{
	if (!job->trace->has_stacks)
		return 0;
	job->trace->callers =
		caller_names_new(job->catalog, !job->options->demangle, add_message, stream);
	job->trace->printer.parts |= TRACE_CALLERS;
	return job->trace->callers ? 0 : -1;
}

int gputrace_put(struct tables_job *job, struct stream *stream, struct strbuf *error)
{
	uint64_t origin = tables_origin(job);
	struct printer *printer = &job->trace->printer;
	struct sort_item item;
	int found;

	printer->parts = (job->totals.kernel_count ? TRACE_KERNELS : 0) |
			 (job->totals.transfer_count ? TRACE_TRANSFERS : 0);
	if (open_callers(job, stream)) {
		strbuf_string(error, "out of memory for the callers");
		return -1;
	}
	if (job->options->csv)
		measure(job, &job->trace->latest, origin);
	printer_begin(printer);
	while ((found = external_sort_next(job->trace->rows, &item, error)) > 0) {
		struct trace_row row = row_of(job, item.bytes, origin);

		printer_row(printer, &row);
	}
	if (!found)
		printer_end(printer);
	return found;
}

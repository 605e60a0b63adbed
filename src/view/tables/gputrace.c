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
		.correlation = entry->correlation,
	};
	size_t length;

	memcpy(&row.shape, names_text(job->shapes, entry->shape, &length), sizeof(row.shape));
	row.shape.bytes = entry->bytes;
	return row;
}

void gputrace_put(struct tables_job *job)
{
	struct trace_entry *entries = (void *)job->trace.data;
	size_t count = job->trace.length / sizeof(*entries);
	uint64_t origin = tables_origin(job);
	struct printer printer = {
		.job = job,
		.columns = trace_columns,
		.count = TRACE_COLUMNS,
		.parts = (job->survey.kernel_count ? TRACE_KERNELS : 0) |
			 (job->survey.transfer_count ? TRACE_TRANSFERS : 0),
	};

	/* Without starts they stand in the order of the records. */
	if (count && !job->survey.no_starts)
		qsort(entries, count, sizeof(*entries), compare);
	for (size_t i = 0; i < count && job->options->csv; i++) {
		struct trace_row row = row_of(job, &entries[i], origin);

		printer_measure(&printer, &row);
	}
	printer_begin(&printer);
	for (size_t i = 0; i < count; i++) {
		struct trace_row row = row_of(job, &entries[i], origin);

		printer_row(&printer, &row);
	}
	printer_end(&printer);
}

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_ROWTRACE_H
#define TESTS_UNIT_ROWTRACE_H

/* Rows of running totals for the frames of a trace, by the definitions of model/totals.h, and the
 * outputs of both. */
#include "rangetrace.h"

#include "base/busy.h"
#include "model/api.h"
#include "model/totals.h"
#include "view/view.h"

enum { ROWS_MOST = 256, ROOM = 1 << 16 };

#define BOTH_SUMMARIES (1u << TABLE_SUMMARY | 1u << TABLE_API_SUMMARY)

struct made_rows {
	struct totals_buckets_row rows[ROWS_MOST];
	bool has_buckets[ROWS_MOST];
	size_t count;
	bool percentiles; /* of calls */
	struct totals_process process;
	struct busy busy, overhead;
};

static inline bool same_row(const struct totals_row *one, const struct totals_row *other)
{
	return one->frame.flags == other->frame.flags && one->name == other->name &&
	       one->device == other->device && one->code == other->code &&
	       one->record_kind == other->record_kind && one->api == other->api &&
	       one->source == other->source && one->target == other->target;
}

static inline struct totals_buckets_row *row_like(struct made_rows *rows,
						  const struct totals_row *key, bool buckets)
{
	for (size_t i = 0; i < rows->count; i++)
		if (same_row(&rows->rows[i].row, key))
			return &rows->rows[i];
	assert_true(rows->count < ROWS_MOST);
	rows->has_buckets[rows->count] = buckets;
	rows->rows[rows->count].row = *key;
	rows->rows[rows->count].row.shortest = UINT64_MAX;
	return &rows->rows[rows->count++];
}

static inline void add_time(struct totals_buckets_row *to, uint64_t start, uint64_t duration)
{
	struct totals_row *row = &to->row;

	row->first = !row->count || start < row->first ? start : row->first;
	row->last = start + duration > row->last ? start + duration : row->last;
	row->shortest = duration < row->shortest ? duration : row->shortest;
	row->longest = duration > row->longest ? duration : row->longest;
	row->total += duration;
	row->count++;
	to->buckets[totals_bucket(duration)]++;
}

static inline void add_copy_row(struct made_rows *rows, struct totals_row *row,
				const struct record *record)
{
	const struct totals_row sizes = {.frame.flags = TOTALS_COPY_SIZES,
					 .device = record->device};
	uint64_t duration = record->ended - record->started;

	if (!(record->frame.flags & RECORD_NO_CALL) && record->leave >= record->enter &&
	    record->ended <= record->leave + (BASE - 1500)) {
		row->waited_time += record->leave - record->enter;
		row->waited_count++;
	}
	if (record->known & KNOWN_HOST_MEMORY && record->host_memory == HOST_MEMORY_PAGEABLE) {
		row->pageable_time += duration;
		row->pageable_count++;
	}
	if (record->known & KNOWN_BYTES) {
		struct totals_buckets_row *to = row_like(rows, &sizes, true);

		to->row.count++;
		to->buckets[totals_bucket(record->bytes)]++;
	}
}

static inline void add_record_row(struct made_rows *rows, const struct record *record)
{
	const struct totals_row key = {
		.frame.flags = TOTALS_ACTIVITY,
		.record_kind = record->frame.kind,
		.name = record->name,
		.device = record->device,
		.source = record->source,
		.target = record->target,
	};
	struct totals_buckets_row *to = row_like(rows, &key, true);
	int missing = record->frame.flags & RECORD_UNFINISHED  ? TOTALS_UNFINISHED
		      : record->frame.flags & RECORD_FAILED    ? TOTALS_FAILED
		      : record->frame.flags & RECORD_BAD_TIMES ? TOTALS_BAD_TIMES
							       : TOTALS_UNKNOWN;

	rows->process.records++;
	if (record->known & KNOWN_OCCUPANCY) {
		to->row.occupancy += (double)record->occupancy;
		to->row.occupancies++;
	}
	if (!(record->known & KNOWN_TIMES)) {
		to->row.missing[missing]++;
		return;
	}
	busy_add(&rows->busy, record->started, record->ended);
	add_time(to, record->started, record->ended - record->started);
	if (record->known & KNOWN_BYTES) {
		to->row.bytes += record->bytes;
		to->row.sized++;
	}
	if (record->frame.kind == FRAME_COPY)
		add_copy_row(rows, &to->row, record);
}

static inline void add_call_row(struct made_rows *rows, const struct call *call)
{
	struct totals_row key = {
		.frame.flags = TOTALS_FUNCTION, .api = call->api, .name = call->name};
	struct totals_buckets_row *to = row_like(rows, &key, rows->percentiles);

	add_time(to, call->enter, call->leave - call->enter);
	to->row.failed += call->result != 0;
	if (!call->result || call->result == api_row(call->api)->not_ready)
		return;
	key.frame.flags = TOTALS_FAILURE;
	key.code = call->result;
	row_like(rows, &key, false)->row.count++;
}

static inline void add_event_row(struct made_rows *rows, const struct frame *event)
{
	const union event *at = (const void *)event;
	struct totals_process *process = &rows->process;
	bool freed = event->flags & ALLOCATION_FREED;

	if (event->kind == FRAME_MARK) {
		process->marks += !(event->flags & (MARK_START | MARK_END));
		process->ranges += !!(event->flags & MARK_START);
	} else if (event->kind == FRAME_ALLOCATION) {
		process->allocations += !freed;
		process->allocated += freed ? 0 : at->allocation.bytes;
		process->left += freed ? UINT64_MAX : 1;
		process->in_use += freed ? -at->allocation.bytes : at->allocation.bytes;
		if (process->in_use > process->peak)
			process->peak = process->in_use;
	} else if (event->kind == FRAME_WAIT && at->wait.kind != WAIT_STREAM_FOR_EVENT) {
		process->waits++;
		process->waiting += at->wait.leave - at->wait.enter;
	} else if (event->kind == FRAME_OVERHEAD && at->overhead.kind == OVERHEAD_FLUSH) {
		process->overheads++;
		busy_add(&rows->overhead, at->overhead.enter, at->overhead.leave);
	}
}

/* Adds the frames of a trace without its END frame. */
static inline void rows_of(struct made_rows *rows, const struct made_trace *trace)
{
	const struct trace_header *header = (const void *)trace->bytes.data;
	const struct frame *frame;

	for (size_t at = header->header_size; at < trace->bytes.length; at += frame->size) {
		const void *bytes = trace->bytes.data + at;

		frame = bytes;
		if (frames_is_record(frame))
			add_record_row(rows, bytes);
		else if (frame->kind == FRAME_CALL)
			add_call_row(rows, bytes);
		else if (frames_is_event(frame))
			add_event_row(rows, frame);
	}
}

static inline void put_row(struct strbuf *to, const struct totals_buckets_row *from, bool buckets)
{
	struct totals_buckets_row row = *from;
	uint32_t size = buckets ? sizeof(row) : sizeof(row.row);

	row.row.frame.kind = FRAME_TOTALS;
	row.row.frame.size = size;
	strbuf_append(to, &row, size);
}

/* Appends the rows, and those of all devices and of the process. */
static inline void put_rows(struct strbuf *to, struct made_rows *rows)
{
	struct totals_buckets_row all = {.row = {.frame.flags = TOTALS_DEVICE,
						 .device = UINT32_MAX,
						 .first = rows->busy.first,
						 .last = rows->busy.last,
						 .total = busy_span(&rows->busy) -
							  busy_idle(&rows->busy)}};
	struct totals_process *process = &rows->process;

	for (size_t i = 0; i < rows->count; i++)
		put_row(to, &rows->rows[i], rows->has_buckets[i]);
	put_row(to, &all, false);
	process->overhead = busy_span(&rows->overhead) - busy_idle(&rows->overhead);
	process->frame = (struct frame){
		.kind = FRAME_TOTALS, .size = sizeof(*process), .flags = TOTALS_PROCESS};
	strbuf_append(to, process, sizeof(*process));
}

static struct made_trace trace;
static struct made_rows rows;

static inline int begin(void **state)
{
	memset(&rows, 0, sizeof(rows));
	return set_up(state);
}

static inline int end(void **state)
{
	made_free(&trace);
	return tear_down(state);
}

/* Appends the records and events, or all other frames but END. */
static inline void put_frames(struct strbuf *to, bool slots)
{
	const struct trace_header *header = (const void *)trace.bytes.data;
	const struct frame *frame;

	for (size_t at = header->header_size; at < trace.bytes.length; at += frame->size) {
		const void *bytes = trace.bytes.data + at;

		frame = bytes;
		if (frames_is_slot(frame) == slots && frame->kind != FRAME_END)
			strbuf_append(to, frame, frame->size);
	}
}

static inline void put_catalog(struct strbuf *to)
{
	const struct trace_header *header = (const void *)trace.bytes.data;

	strbuf_append(to, header, header->header_size);
	put_frames(to, false);
}

static inline void write_bytes(const char *path, const struct strbuf *bytes)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes->data, 1, bytes->length, file), bytes->length);
	assert_int_equal(fclose(file), 0);
}

static inline void write_to(const char *path, struct strbuf *bytes)
{
	trace_finish(bytes);
	assert_false(bytes->failed);
	write_bytes(path, bytes);
}

/* Writes the files "trace" and "rows". */
static inline void write_both(void)
{
	struct strbuf bytes = STRBUF_INIT;

	put_catalog(&bytes);
	put_rows(&bytes, &rows);
	write_to("rows", &bytes);
	strbuf_free(&bytes);
	write_to("trace", &trace.bytes);
}

static inline char *table_of(const char *path, const char *from,
			     const struct tables_options *options)
{
	const char *const all[] = {from};
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(stream);
	stream_set_ranges(stream, all);
	assert_int_equal(tables_print(to, stream, options, &error), 0);
	fclose(to);
	stream_close(stream);
	strbuf_free(&error);
	return text;
}

static inline char *json_of(const char *path, const char *from)
{
	const char *const all[] = {from};
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	static char text[ROOM];
	size_t size;
	FILE *file;

	assert_non_null(stream);
	stream_set_ranges(stream, all);
	assert_int_equal(view_json.write("out.json", stream, &error), 0);
	stream_close(stream);
	strbuf_free(&error);
	file = fopen("out.json", "r");
	assert_non_null(file);
	size = fread(text, 1, ROOM - 1, file);
	text[size] = '\0';
	fclose(file);
	return strdup(text);
}

#endif

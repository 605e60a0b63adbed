/* SPDX-License-Identifier: MIT */
#ifndef TESTS_TOTALS_CHECK_H
#define TESTS_TOTALS_CHECK_H

#include <string.h>

#include "model/event.h"
#include "model/frames.h"
#include "model/totals.h"
#include "output/trace.h"
#include "output/tracereader.h"

/* Compares the totals of a run with a trace of the same run. The sums are made by code of its own.
 * */
struct sums {
	uint64_t timed, total, shortest, longest, first, last;
	uint64_t untimed, bytes, sized, size_buckets;
	uint64_t calls, call_total, call_longest, failed, failures;
	uint64_t marks, ranges, allocations, allocated, in_use, waits, waiting, overheads;
	uint64_t buckets;
	uint64_t busy; /* of all devices; totals only */
	uint64_t records, lost;
	unsigned processes;
};

static inline void sum_record(struct sums *sums, const struct record *record)
{
	uint64_t took = record->ended - record->started;

	sums->records++;
	if (!(record->known & KNOWN_TIMES)) {
		sums->untimed++;
		return;
	}
	if (!sums->timed || record->started < sums->first)
		sums->first = record->started;
	if (record->ended > sums->last)
		sums->last = record->ended;
	if (!sums->timed || took < sums->shortest)
		sums->shortest = took;
	if (took > sums->longest)
		sums->longest = took;
	sums->timed++;
	sums->buckets++;
	sums->total += took;
	if (!(record->known & KNOWN_BYTES))
		return;
	sums->bytes += record->bytes;
	sums->sized++;
	sums->size_buckets += record->frame.kind == FRAME_COPY;
}

static inline void sum_call(struct sums *sums, const struct call *call)
{
	sums->calls++;
	sums->call_total += call->leave - call->enter;
	if (call->leave - call->enter > sums->call_longest)
		sums->call_longest = call->leave - call->enter;
	sums->failed += call->result != 0;
	sums->failures += call->result != 0;
}

static inline void sum_event(struct sums *sums, const struct frame *event)
{
	const union event *any = (const void *)event;

	switch (event->kind) {
	case FRAME_CALL:
		sum_call(sums, &any->call);
		break;
	case FRAME_MARK:
		sums->marks += !(event->flags & (MARK_START | MARK_END));
		sums->ranges += event->flags & MARK_START;
		break;
	case FRAME_ALLOCATION:
		if (event->flags & ALLOCATION_FREED)
			break;
		sums->allocations++;
		sums->allocated += any->allocation.bytes;
		break;
	case FRAME_WAIT:
		sums->waits++;
		sums->waiting += any->wait.leave - any->wait.enter;
		break;
	case FRAME_OVERHEAD:
		sums->overheads += any->overhead.kind == OVERHEAD_FLUSH ||
				   any->overhead.kind == OVERHEAD_RESOURCE;
		break;
	default:
		break;
	}
}

/* Returns -1 if the trace cannot be read, or has a flag of the totals. */
static inline int sum_trace(const char *path, struct sums *sums)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open(path, &error);
	const struct frame *frame;
	int result = reader ? 1 : -1;

	memset(sums, 0, sizeof(*sums));
	while (result > 0 && (result = trace_next_frame(reader, &frame, &error)) > 0) {
		if (frame->flags & 1 << 15)
			result = -1;
		if (frames_is_record(frame))
			sum_record(sums, (const void *)frame);
		else
			sum_event(sums, frame);
	}
	trace_close(reader);
	strbuf_free(&error);
	return result;
}

static inline uint64_t sum_buckets(const struct totals_row *row)
{
	const struct totals_buckets_row *wide = (const void *)row;
	uint64_t sum = 0;

	for (int i = 0; totals_has_buckets(row) && i < TOTALS_BUCKETS; i++)
		sum += wide->buckets[i];
	return sum;
}

static inline void sum_activity(struct sums *sums, const struct totals_row *row)
{
	if (row->count && (!sums->timed || row->first < sums->first))
		sums->first = row->first;
	if (row->last > sums->last)
		sums->last = row->last;
	if (row->count && (!sums->timed || row->shortest < sums->shortest))
		sums->shortest = row->shortest;
	if (row->longest > sums->longest)
		sums->longest = row->longest;
	sums->timed += row->count;
	sums->total += row->total;
	sums->buckets += sum_buckets(row);
	sums->bytes += row->bytes;
	sums->sized += row->sized;
	for (int reason = 0; reason < TOTALS_MISSING; reason++)
		sums->untimed += row->missing[reason];
}

static inline void sum_process(struct sums *sums, const struct totals_process *process)
{
	sums->processes++;
	sums->records = process->records;
	sums->marks = process->marks;
	sums->ranges = process->ranges;
	sums->allocations = process->allocations;
	sums->allocated = process->allocated;
	sums->in_use = process->in_use;
	sums->waits = process->waits;
	sums->waiting = process->waiting;
	sums->overheads = process->overheads;
}

static inline void sum_row(struct sums *sums, const struct totals_row *row)
{
	const void *at = row;

	switch (row->frame.flags & 0xff) {
	case TOTALS_ACTIVITY:
		sum_activity(sums, row);
		break;
	case TOTALS_COPY_SIZES:
		sums->size_buckets += row->count == sum_buckets(row) ? row->count : 0;
		break;
	case TOTALS_FUNCTION:
		sums->calls += row->count;
		sums->call_total += row->total;
		sums->failed += row->failed;
		if (row->longest > sums->call_longest)
			sums->call_longest = row->longest;
		break;
	case TOTALS_FAILURE:
		sums->failures += row->count;
		break;
	case TOTALS_DEVICE:
		if (row->device == UINT32_MAX)
			sums->busy = row->total;
		break;
	default:
		sum_process(sums, at);
	}
}

/* Sums up the rows of a report. Returns -1 if it is no whole trace. */
static inline int sum_totals(const struct strbuf *totals, struct sums *sums)
{
	const struct trace_header *header = (const void *)totals->data;
	const struct frame *frame = NULL;

	memset(sums, 0, sizeof(*sums));
	if (totals->length < sizeof(*header))
		return -1;
	for (size_t at = header->header_size; at < totals->length; at += frame->size) {
		frame = (const void *)(totals->data + at);
		if (frame->size < sizeof(*frame) || frame->size > totals->length - at)
			return -1;
		if (frame->kind == FRAME_TOTALS)
			sum_row(sums, (const void *)frame);
		if (frame->kind == FRAME_LOST)
			sums->lost += ((const struct lost_frame *)(const void *)frame)->count;
	}
	return frame && frame->kind == FRAME_END ? 0 : -1;
}

#define SAME(member)                                                                               \
	if (totals.member != trace.member) {                                                       \
		print_message("# %s: %llu in the totals, %llu in the trace\n", #member,            \
			      (unsigned long long)totals.member,                                   \
			      (unsigned long long)trace.member);                                   \
		different++;                                                                       \
	}

/* Returns the number of sums that differ; -1 if one of them cannot be read. */
static inline int compare_sums(const struct strbuf *report, const char *path)
{
	struct sums totals, trace;
	int different = 0;

	if (sum_totals(report, &totals) || sum_trace(path, &trace) || totals.processes != 1)
		return -1;
	SAME(timed) SAME(total) SAME(shortest) SAME(longest) SAME(first) SAME(last)
	SAME(untimed) SAME(bytes) SAME(sized) SAME(size_buckets) SAME(buckets) SAME(records)
	SAME(calls) SAME(call_total) SAME(call_longest) SAME(failed) SAME(failures)
	SAME(marks) SAME(ranges) SAME(allocations) SAME(allocated) SAME(waits) SAME(waiting)
	SAME(overheads)
	return different;
}
#undef SAME

#endif

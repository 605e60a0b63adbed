/* SPDX-License-Identifier: MIT */
#include "model/totals_row.h"

#include "model/amount.h"

enum { WITH_BUCKETS = sizeof(struct totals_buckets_row), PLAIN = sizeof(struct totals_row) };

_Static_assert(AMOUNT_MEMORIES * AMOUNT_MEMORIES <= 32 && API_COUNT <= 8 &&
		       CATALOG_DEVICES <= 1 << 16,
	       "they are in the bits of a key");

static struct totals_row row_of(enum totals_kind kind, uint32_t size)
{
	return (struct totals_row){
		.frame = {.kind = FRAME_TOTALS, .flags = (uint16_t)kind, .size = size}};
}

void totals_row_of_record(struct totals_row *key, const struct record *record)
{
	*key = row_of(TOTALS_ACTIVITY, WITH_BUCKETS);
	key->record_kind = record->frame.kind;
	key->device = record->device;
	if (record->frame.kind == FRAME_KERNEL)
		key->name = record->name;
	if (record->frame.kind != FRAME_COPY)
		return;
	key->source = amount_memory(record->source);
	key->target = amount_memory(record->target);
}

void totals_row_of_sizes(struct totals_row *key, uint32_t device)
{
	*key = row_of(TOTALS_COPY_SIZES, WITH_BUCKETS);
	key->device = device;
}

void totals_row_of_function(struct totals_row *key, const struct call *call, bool percentiles)
{
	*key = row_of(TOTALS_FUNCTION, percentiles ? WITH_BUCKETS : PLAIN);
	key->api = call->api;
	key->name = call->name;
}

void totals_row_of_failure(struct totals_row *key, const struct call *call)
{
	*key = row_of(TOTALS_FAILURE, PLAIN);
	key->api = call->api;
	key->name = call->name;
	key->code = call->result;
}

void totals_row_of_device(struct totals_row *key, uint32_t device)
{
	*key = row_of(TOTALS_DEVICE, PLAIN);
	key->device = device;
}

void totals_row_of_process(struct totals_row *key)
{
	*key = row_of(TOTALS_PROCESS, PLAIN);
}

void totals_row_of_others(struct totals_row *key, enum totals_kind kind, unsigned api,
			  bool percentiles)
{
	*key = row_of(kind, kind == TOTALS_ACTIVITY || kind == TOTALS_COPY_SIZES || percentiles
				    ? WITH_BUCKETS
				    : PLAIN);
	key->frame.flags |= TOTALS_OTHER;
	key->api = (uint16_t)api;
	key->device = UINT32_MAX;
}

/* The bits of a key: 63 set, 60 to 62 its kind, 56 to 59 the kind of record. */
static uint64_t start_of(unsigned kind, unsigned record_kind)
{
	return 1ull << 63 | (uint64_t)(kind & 7) << 60 | (uint64_t)(record_kind & 15) << 56;
}

static uint64_t activity_key(unsigned kind, uint32_t name, uint32_t device, unsigned memories)
{
	return start_of(TOTALS_ACTIVITY, kind) | (uint64_t)name << 24 |
	       (uint64_t)(device & 0xffff) << 8 | memories << 3;
}

uint64_t totals_row_record_key(const struct record *record)
{
	unsigned memories = 0;
	bool kernel = record->frame.kind == FRAME_KERNEL;

	if (record->frame.kind == FRAME_COPY)
		memories = amount_memory(record->source) * AMOUNT_MEMORIES +
			   amount_memory(record->target);
	return activity_key(record->frame.kind, kernel ? record->name : 0, record->device,
			    memories);
}

static uint64_t function_key(uint32_t name, unsigned api)
{
	return start_of(TOTALS_FUNCTION, 0) | (uint64_t)name << 3 | api;
}

uint64_t totals_row_call_key(const struct call *call)
{
	return function_key(call->name, call->api);
}

uint64_t totals_row_key(const struct totals_row *key)
{
	unsigned kind = totals_row_kind(key);

	switch (kind) {
	case TOTALS_ACTIVITY:
		return activity_key(key->record_kind, key->name, key->device,
				    key->source * AMOUNT_MEMORIES + key->target);
	case TOTALS_FUNCTION:
		return function_key(key->name, key->api);
	case TOTALS_FAILURE: /* names have 20 bits */
		return start_of(kind, 0) | (uint64_t)(key->name & 0xfffff) << 35 |
		       (uint64_t)(uint32_t)key->code << 3 | key->api;
	default:
		return start_of(kind, 0) | key->device;
	}
}

static void add_time(struct totals_row *row, uint64_t start, uint64_t duration)
{
	if (!row->count || start < row->first)
		row->first = start;
	if (start + duration > row->last)
		row->last = start + duration;
	if (duration < row->shortest)
		row->shortest = duration;
	if (duration > row->longest)
		row->longest = duration;
	row->total = amount_add(row->total, duration);
	row->count++;
}

static void add_copy(struct totals_row *row, const struct record *record, int64_t shift,
		     uint64_t duration)
{
	if (amount_is_waited(record, shift)) {
		row->waited_time = amount_add(row->waited_time, record->leave - record->enter);
		row->waited_count++;
	}
	if (amount_is_pageable(record)) {
		row->pageable_time = amount_add(row->pageable_time, duration);
		row->pageable_count++;
	}
}

void totals_row_add_record(struct totals_row *row, const struct record *record, int64_t shift)
{
	uint64_t duration = amount_duration(record);

	if (record->known & KNOWN_OCCUPANCY) {
		row->occupancy += (double)record->occupancy;
		row->occupancies++;
	}
	if (!(record->known & KNOWN_TIMES)) {
		row->missing[amount_missing(record)]++;
		return;
	}
	add_time(row, record->started, duration);
	if (record->known & KNOWN_BYTES) {
		row->bytes = amount_add(row->bytes, record->bytes);
		row->sized++;
	}
	if (record->frame.kind == FRAME_COPY)
		add_copy(row, record, shift, duration);
}

void totals_row_add_call(struct totals_row *row, const struct call *call)
{
	row->failed += call->result != 0;
	add_time(row, call->enter, amount_call_duration(call));
}

static void add_mark(struct totals_process *process, const struct mark *mark)
{
	if (mark->frame.flags & MARK_START)
		process->ranges++;
	else if (!(mark->frame.flags & MARK_END))
		process->marks++;
}

static void add_allocation(struct totals_process *process, const struct allocation *allocation)
{
	if (allocation->frame.flags & ALLOCATION_FREED)
		return;
	process->allocations++;
	process->allocated = amount_add(process->allocated, allocation->bytes);
}

static void add_wait(struct totals_process *process, const struct wait *wait)
{
	if (!amount_is_host_wait(wait))
		return;
	process->waits++;
	process->waiting = amount_add(process->waiting, amount_between(wait->enter, wait->leave));
}

void totals_row_add_event(struct totals_process *process, const struct frame *event)
{
	const void *at = event;

	switch (event->kind) {
	case FRAME_MARK:
		add_mark(process, at);
		break;
	case FRAME_ALLOCATION:
		add_allocation(process, at);
		break;
	case FRAME_WAIT:
		add_wait(process, at);
		break;
	case FRAME_OVERHEAD:
		process->overheads += amount_is_own_overhead(at);
		break;
	default:
		break;
	}
}

bool totals_row_is_empty(const struct totals_row *row)
{
	uint64_t any = row->count;

	if (totals_row_kind(row) == TOTALS_PROCESS)
		return false;
	for (int reason = 0; reason < TOTALS_MISSING; reason++)
		any |= row->missing[reason];
	return !any;
}

static bool is_activity_valid(const struct catalog *catalog, const struct totals_row *row)
{
	if (row->frame.flags & TOTALS_OTHER)
		return row->api < API_COUNT;
	return row->record_kind >= FRAME_KERNEL && row->record_kind <= FRAME_FILL &&
	       row->device < catalog->device_count && row->source < AMOUNT_MEMORIES &&
	       row->target < AMOUNT_MEMORIES;
}

bool totals_row_is_valid(const struct catalog *catalog, const struct totals_row *row)
{
	bool known = row->device < catalog->device_count;

	if (row->frame.kind != FRAME_TOTALS || !totals_is_size(row->frame.size))
		return false;
	if (totals_row_kind(row) == TOTALS_PROCESS) /* it has other members */
		return row->frame.size == PLAIN;
	if (row->name > names_count(catalog->names))
		return false;
	switch (totals_row_kind(row)) {
	case TOTALS_ACTIVITY:
		return is_activity_valid(catalog, row);
	case TOTALS_COPY_SIZES:
		return known || row->frame.flags & TOTALS_OTHER;
	case TOTALS_DEVICE:
		return known || row->device == UINT32_MAX;
	case TOTALS_FUNCTION:
	case TOTALS_FAILURE:
		return row->api < API_COUNT;
	default:
		return false;
	}
}

/* SPDX-License-Identifier: MIT */
#include "session/totals.h"

#include <string.h>

#include "base/memory.h"
#include "model/amount.h"
#include "model/api.h"
#include "model/frames.h"
#include "model/totals_row.h"

enum {
	UNLISTED_MOST = 1 << 20, /* keys of rows of others that are kept */
	UNNAMED = 16, /* places that are reserved for rows without a name: of copies, fills and
		       * devices, which are few */
};

static int add_others(struct running_totals *totals, enum api api)
{
	struct totals_row key;

	for (int kind = TOTALS_ACTIVITY; kind <= TOTALS_FAILURE; kind++) {
		int64_t row;

		totals_row_of_others(&key, (enum totals_kind)kind, api,
				     kind == TOTALS_FUNCTION && totals->percentiles);
		row = totals_table_add(&totals->table, &key, 0);
		if (row < 0)
			return -1;
		totals->others[api][kind] = (uint32_t)row;
	}
	return 0;
}

/* The rows that exist from the start, so that a full table can count everything. */
static int add_first_rows(struct running_totals *totals)
{
	struct totals_row key;
	int64_t row;

	totals_row_of_process(&key);
	row = totals_table_add(&totals->table, &key, 0);
	if (row < 0)
		return -1;
	totals->process = (uint32_t)row;
	for (int api = 0; api < API_COUNT; api++)
		if (add_others(totals, (enum api)api))
			return -1;
	totals_row_of_device(&key, UINT32_MAX);
	totals->all.row = totals_table_add(&totals->table, &key, 0);
	return totals->all.row < 0 ? -1 : 0;
}

/* Returns true if the tool can read the totals: it trusts no file of an unknown boot (without
 * /proc), and names are in the file. */
static bool is_readable(const struct ringfile *ringfile)
{
	static const uint8_t unknown[BOOT_ID];

	return ringfile->path[0] && !ringfile->frames_lost &&
	       memcmp(ringfile->header->boot, unknown, sizeof(unknown));
}

void totals_start(struct running_totals *totals, struct ringfile *ringfile,
		  const struct settings *settings)
{
	totals->table.ringfile = ringfile;
	totals->table.stride = sizeof(struct totals_buckets_row);
	totals->percentiles = settings->totals_percentiles;
	totals->off = !is_readable(ringfile) || add_first_rows(totals);
	ringfile->header->totals_off = totals->off;
}

static struct totals_cached *cached(struct running_totals *totals, uint64_t key)
{
	return &totals->cache[(key * 0x9e3779b97f4a7c15u) >> 32 & (TOTALS_CACHE - 1)];
}

/* Caches the row of a key that is not cached. */
static const struct totals_cached *look_up(struct running_totals *totals, uint64_t key,
					   const struct totals_row *like, unsigned api)
{
	struct totals_cached *place = cached(totals, key);
	uintptr_t known = (uintptr_t)map_get(&totals->rows, key);
	uint32_t reserved = like->name ? UNNAMED : 0;
	int64_t row = known ? (int64_t)known - 1 : totals_table_add(&totals->table, like, reserved);
	bool keep = !known;

	if (row < 0) {
		row = totals->others[api][totals_row_kind(like)];
		keep = totals->unlisted < UNLISTED_MOST;
		totals->unlisted += keep;
	}
	if (keep)
		map_set(&totals->rows, key, (void *)(uintptr_t)(row + 1));
	place->row = (uint32_t)row;
	place->at = totals_table_row(&totals->table, place->row);
	place->key = key;
	return place;
}

/* Returns a copy, since the next search may use the same place. */
static struct totals_cached find_row(struct running_totals *totals, const struct totals_row *like,
				     unsigned api)
{
	uint64_t key = totals_row_key(like);
	const struct totals_cached *recent = cached(totals, key);

	return recent->key == key ? *recent : *look_up(totals, key, like, api);
}

static unsigned api_of(const struct catalog *catalog, const struct record *record)
{
	return catalog_device(catalog, record->device)->api;
}

static struct totals_cached row_of_record(struct running_totals *totals,
					  const struct catalog *catalog,
					  const struct record *record)
{
	uint64_t key = totals_row_record_key(record);
	const struct totals_cached *recent = cached(totals, key);
	struct totals_row like;

	if (recent->key == key)
		return *recent;
	totals_row_of_record(&like, record);
	return *look_up(totals, key, &like, api_of(catalog, record));
}

static struct totals_cached row_of_call(struct running_totals *totals, const struct call *call)
{
	uint64_t key = totals_row_call_key(call);
	const struct totals_cached *recent = cached(totals, key);
	struct totals_row like;

	if (recent->key == key)
		return *recent;
	totals_row_of_function(&like, call, totals->percentiles);
	return *look_up(totals, key, &like, call->api);
}

static struct totals_row *change(struct running_totals *totals, const struct totals_cached *row,
				 unsigned bucket)
{
	return totals_change_at(&totals->table, row->row, row->at, bucket, TOTALS_PART);
}

/* Adds the size of a copy. */
static void add_size(struct running_totals *totals, const struct totals_cached *sizes,
		     uint64_t bytes)
{
	unsigned bucket = totals_bucket(bytes);
	struct totals_row *row = change(totals, sizes, bucket);

	row->count++;
	totals_row_add_bucket(row, bucket);
}

static struct totals_busy *busy_of(struct running_totals *totals, uint32_t device)
{
	struct totals_busy **place = &totals->devices[device];
	struct totals_row key;

	if (*place)
		return *place;
	*place = memory_map(sizeof(**place));
	if (!*place)
		return NULL;
	totals_row_of_device(&key, device);
	(*place)->row = totals_table_add(&totals->table, &key, 0);
	if (device >= totals->device_end)
		totals->device_end = device + 1;
	return *place;
}

static void add_interval(struct totals_busy *busy, const struct record *record)
{
	busy_add(&busy->busy, record->started, record->started + amount_duration(record));
	busy->added++;
}

/* While only one device has records, the times of all devices are its times. */
static void add_busy(struct running_totals *totals, const struct record *record)
{
	struct totals_busy *busy = busy_of(totals, record->device);

	if (busy && !totals->all.added && (!totals->only || busy == totals->only)) {
		totals->only = busy;
	} else {
		if (totals->only) {
			totals->all.busy = totals->only->busy;
			totals->all.added = totals->only->added;
			totals->only = NULL;
		}
		add_interval(&totals->all, record);
	}
	if (busy)
		add_interval(busy, record);
}

void totals_take_record(struct running_totals *totals, const struct catalog *catalog,
			struct record *record)
{
	bool timed = record->known & KNOWN_TIMES, sized = totals_row_has_size(record);
	unsigned bucket = timed ? totals_bucket(amount_duration(record)) : TOTALS_BUCKETS;
	struct totals_cached number = row_of_record(totals, catalog, record), sizes = {0};
	struct totals_row like, *row;

	if (sized) {
		totals_row_of_sizes(&like, record->device);
		sizes = find_row(totals, &like, api_of(catalog, record));
	}
	totals_begin(&totals->table, record->frame.correlation);
	record->frame.flags |= FRAME_TOTALLED;
	row = change(totals, &number, bucket);
	totals_row_add_record(row, record, catalog->process.monotonic_to_epoch);
	totals_row_add_bucket(row, bucket);
	if (sized)
		add_size(totals, &sizes, record->bytes);
	totals_commit(&totals->table);
	totals->records++;
	if (timed)
		add_busy(totals, record);
}

static void mark_totalled(struct frame *event, struct frame *place)
{
	event->flags |= FRAME_TOTALLED;
	if (place)
		place->flags |= FRAME_TOTALLED;
}

static void take_call(struct running_totals *totals, struct call *call, struct frame *place)
{
	bool failed = api_is_failure(call->api, call->result);
	unsigned bucket = TOTALS_BUCKETS;
	struct totals_cached function = row_of_call(totals, call), failure = {0};
	struct totals_row like, *row;

	if (failed) {
		totals_row_of_failure(&like, call);
		failure = find_row(totals, &like, call->api);
	}
	if (totals->percentiles)
		bucket = totals_bucket(amount_call_duration(call));
	totals_begin(&totals->table, call->frame.correlation);
	mark_totalled(&call->frame, place);
	row = change(totals, &function, bucket);
	totals_row_add_call(row, call);
	totals_row_add_bucket(row, bucket);
	if (failed)
		change(totals, &failure, TOTALS_BUCKETS)->count++;
	totals_commit(&totals->table);
}

/* The memory in use and the union of overheads depend on all earlier events. */
static void add_state(struct running_totals *totals, struct totals_process *process)
{
	process->in_use = totals->memory.bytes;
	process->left = totals->memory.allocations;
	if (process->in_use > process->peak)
		process->peak = process->in_use;
	process->overhead = busy_time(&totals->overhead);
}

static void note_state(struct running_totals *totals, const struct frame *event)
{
	const void *at = event;
	const struct overhead *overhead = at;

	if (event->kind == FRAME_ALLOCATION)
		memory_in_use_add(&totals->memory, at);
	if (event->kind == FRAME_OVERHEAD && amount_is_own_overhead(overhead) &&
	    overhead->leave > overhead->enter)
		busy_add(&totals->overhead, overhead->enter, overhead->leave);
}

void totals_take_event(struct running_totals *totals, struct frame *event, struct frame *place)
{
	void *at = event;
	struct totals_process *process;

	if (event->kind == FRAME_CALL) {
		take_call(totals, at, place);
		return;
	}
	if (event->kind == FRAME_QUEUE || event->kind == FRAME_USE || event->kind == FRAME_CHANGE ||
	    event->kind == FRAME_PATTERN || event->kind == FRAME_VALUE ||
	    event->kind == FRAME_SOURCE_LINE || event->kind == FRAME_RECORDED ||
	    event->kind == FRAME_ATTRIBUTE || event->kind == FRAME_MANAGED)
		return;
	note_state(totals, event);
	totals_begin(&totals->table, event->correlation);
	mark_totalled(event, place);
	at = totals_change(&totals->table, totals->process, TOTALS_BUCKETS);
	process = at;
	totals_row_add_event(process, event);
	add_state(totals, process);
	totals_commit(&totals->table);
}

static void publish_busy(struct running_totals *totals, struct totals_busy *from,
			 const struct totals_busy *busy)
{
	struct totals_row *row;

	if (from->row < 0 || from->published == busy->added)
		return;
	totals_begin(&totals->table, 0);
	row = totals_change(&totals->table, (uint32_t)from->row, TOTALS_BUCKETS);
	row->count = busy->added;
	row->total = busy_time(&busy->busy);
	row->first = busy->busy.first;
	row->last = busy->busy.last;
	totals_commit(&totals->table);
	from->published = busy->added;
}

static void publish_process(struct running_totals *totals)
{
	struct totals_process *process;
	void *row;

	totals_begin(&totals->table, 0);
	row = totals_change(&totals->table, totals->process, TOTALS_BUCKETS);
	process = row;
	process->records = totals->records;
	process->other = totals->unlisted;
	totals_commit(&totals->table);
	totals->published = totals->records;
}

void totals_publish(struct running_totals *totals)
{
	if (totals->published == totals->records)
		return;
	for (uint32_t i = 0; i < totals->device_end; i++)
		if (totals->devices[i])
			publish_busy(totals, totals->devices[i], totals->devices[i]);
	publish_busy(totals, &totals->all, totals->only ? totals->only : &totals->all);
	publish_process(totals);
}

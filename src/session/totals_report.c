/* SPDX-License-Identifier: MIT */
#include "session/totals_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/busy.h"
#include "base/map.h"
#include "model/amount.h"
#include "model/api.h"
#include "model/frames.h"
#include "model/totals_row.h"
#include "output/trace.h"
#include "session/totals_table.h"

/* The times of a device after those in its row. */
struct later {
	struct busy busy;
	uint64_t last; /* end of the times in the row */
};

struct report {
	const struct ringfile_reader *ring;
	const struct settings *const *settings;
	struct totals_rows rows;
	struct map by_key; /* index + 1 of the first row with a key */
	uint64_t interrupted;
	size_t process; /* index of its row */
	bool percentiles;
	struct later **later; /* by device; the last one is for all devices */
	bool failed; /* no memory */
};

/* Returns a new row with this key. */
static size_t add_row(struct report *report, const struct totals_row *key)
{
	struct totals_buckets_row row = {.row = *key};

	if (totals_row_kind(key) != TOTALS_PROCESS)
		row.row.shortest = UINT64_MAX;
	report->failed |= totals_rows_add(&report->rows, &row.row) != 0;
	return totals_rows_count(&report->rows) - 1;
}

/* Returns the first row with this key; NULL without memory. A record may have any name. */
static struct totals_row *row_of(struct report *report, struct totals_row *key)
{
	uint64_t number;
	uintptr_t index;

	if (key->name > names_count(report->ring->catalog.names))
		key->name = 0;
	number = totals_row_key(key);
	index = (uintptr_t)map_get(&report->by_key, number);
	if (!index) {
		index = add_row(report, key) + 1;
		if (report->failed || map_set(&report->by_key, number, (void *)index)) {
			report->failed = true;
			return NULL;
		}
	}
	return totals_rows_get(&report->rows, index - 1);
}

/* Finds the rows by their keys. */
static void index_rows(struct report *report)
{
	const size_t none = SIZE_MAX;
	struct totals_row key;

	report->process = none;
	for (size_t i = 0; i < totals_rows_count(&report->rows); i++) {
		const struct totals_row *row = totals_rows_get(&report->rows, i);
		uint64_t number = totals_row_key(row);

		if (totals_row_kind(row) == TOTALS_PROCESS) {
			report->process = i;
			continue;
		}
		report->percentiles |=
			totals_row_kind(row) == TOTALS_FUNCTION && totals_has_buckets(row);
		if (!(row->frame.flags & TOTALS_OTHER) && !map_get(&report->by_key, number))
			report->failed |= map_set(&report->by_key, number, (void *)(i + 1)) != 0;
	}
	totals_row_of_process(&key);
	if (report->process == none)
		report->process = add_row(report, &key);
}

static const struct settings *settings_of(const struct report *report, unsigned api)
{
	const struct settings *settings = api < API_COUNT ? report->settings[api] : NULL;

	return settings && settings->totals ? settings : NULL;
}

static void add_interval(struct report *report, uint32_t device, const struct record *record)
{
	struct later *later = report->later[device];
	uint64_t start, end = record->started + amount_duration(record);
	struct totals_row key;
	const struct totals_row *row;

	if (!later) {
		later = report->later[device] = calloc(1, sizeof(*later));
		totals_row_of_device(&key, device < report->ring->catalog.device_count
						   ? device
						   : UINT32_MAX);
		row = later ? row_of(report, &key) : NULL;
		report->failed |= !row;
		if (!row)
			return;
		later->last = row->last;
	}
	start = record->started > later->last ? record->started : later->last;
	if (start <= end)
		busy_add(&later->busy, start, end);
}

static void add_record(struct report *report, const struct record *from)
{
	struct record record = *from; /* without its counters */
	unsigned bucket = TOTALS_BUCKETS;
	struct totals_row key, *row;

	record.frame.flags |= record.handle ? RECORD_UNFINISHED : 0;
	if (record.known & KNOWN_TIMES)
		bucket = totals_bucket(amount_duration(&record));
	totals_row_of_record(&key, &record);
	row = row_of(report, &key);
	if (!row)
		return;
	totals_row_add_record(row, &record, report->ring->catalog.process.monotonic_to_epoch);
	totals_row_add_bucket(row, bucket);
	if (!totals_row_has_size(&record))
		return;
	totals_row_of_sizes(&key, record.device);
	row = row_of(report, &key);
	if (!row)
		return;
	row->count++;
	totals_row_add_bucket(row, totals_bucket(record.bytes));
}

static void add_call(struct report *report, const struct call *call)
{
	struct totals_row key, *row;

	totals_row_of_function(&key, call, report->percentiles);
	row = row_of(report, &key);
	if (!row)
		return;
	totals_row_add_call(row, call);
	totals_row_add_bucket(row, totals_bucket(amount_call_duration(call)));
	if (!api_is_failure(call->api, call->result))
		return;
	totals_row_of_failure(&key, call);
	row = row_of(report, &key);
	if (row)
		row->count++;
}

/* The starts of the memory in use are not known any more. */
static void add_memory(struct totals_process *process, const struct allocation *allocation)
{
	if (!(allocation->frame.flags & ALLOCATION_FREED)) {
		process->in_use = amount_add(process->in_use, allocation->bytes);
		process->left++;
	} else if (process->left && process->in_use >= allocation->bytes) {
		process->in_use -= allocation->bytes;
		process->left--;
	}
	if (process->in_use > process->peak)
		process->peak = process->in_use;
}

static void add_event(struct report *report, const struct frame *event)
{
	const void *at = event;
	const struct timed *timed = at;
	struct totals_process *process;
	void *row = totals_rows_get(&report->rows, report->process);

	process = row;
	totals_row_add_event(process, event);
	if (event->kind == FRAME_ALLOCATION)
		add_memory(process, at);
	if (event->kind == FRAME_OVERHEAD && amount_is_own_overhead(at))
		process->overhead = amount_add(process->overhead,
					       amount_between(timed->enter, timed->leave));
}

static bool is_in_rows(const struct report *report, const struct frame *slot)
{
	return slot->flags & FRAME_TOTALLED && slot->correlation != report->interrupted;
}

/* Records that are in a row may not be in that of their device, which is written later. */
static void add_slot(struct report *report, const struct record *slot)
{
	const struct catalog *catalog = &report->ring->catalog;
	const struct call *call = (const void *)slot;
	bool event = frames_is_event(&slot->frame);
	unsigned api = event ? call->api : (unsigned)catalog_device(catalog, slot->device)->api;

	if (!settings_of(report, api))
		return;
	if (!event && slot->known & KNOWN_TIMES) {
		add_interval(report, slot->device, slot);
		add_interval(report, catalog->device_count, slot);
	}
	if (is_in_rows(report, &slot->frame))
		return;
	if (!event)
		add_record(report, slot);
	else if (slot->frame.kind == FRAME_CALL)
		add_call(report, call);
	else
		add_event(report, &slot->frame);
}

static void add_later(struct report *report)
{
	uint32_t devices = report->ring->catalog.device_count;
	struct totals_row key, *row;

	for (uint32_t device = 0; device <= devices; device++) {
		const struct later *later = report->later[device];

		if (!later || busy_is_empty(&later->busy))
			continue;
		totals_row_of_device(&key, device < devices ? device : UINT32_MAX);
		row = row_of(report, &key);
		if (!row)
			return;
		if (!row->last)
			row->first = later->busy.first;
		row->total = amount_add(row->total, busy_time(&later->busy));
		row->last = later->busy.last;
	}
}

/* Counts the records of all devices, and of the process, from the rows of activities: these numbers
 * are written later than those rows. */
static void count_records(struct report *report)
{
	struct totals_process *process;
	struct totals_row key;
	void *at = totals_rows_get(&report->rows, report->process);
	uint64_t timed = 0;

	process = at;
	process->records = 0;
	for (size_t i = 0; i < totals_rows_count(&report->rows); i++) {
		const struct totals_row *row = totals_rows_get(&report->rows, i);

		if (totals_row_kind(row) != TOTALS_ACTIVITY)
			continue;
		timed += row->count;
		process->records += row->count;
		for (int reason = 0; reason < TOTALS_MISSING; reason++)
			process->records += row->missing[reason];
	}
	totals_row_of_device(&key, UINT32_MAX);
	at = map_get(&report->by_key, totals_row_key(&key))
		     ? row_of(report, &key)
		     : NULL;
	if (at)
		((struct totals_row *)at)->count = timed;
}

/* Writes the names of the rows, each once. Returns -1 without memory. */
static int put_names(struct strbuf *to, const struct totals_rows *rows, const struct names *names)
{
	bool *seen = calloc((size_t)names_count(names) + 1, sizeof(*seen));

	if (!seen)
		return -1;
	for (size_t i = 0; i < totals_rows_count(rows); i++) {
		const struct totals_row *row = totals_rows_get(rows, i);

		if (totals_row_kind(row) == TOTALS_PROCESS || totals_row_is_empty(row) ||
		    !row->name || seen[row->name])
			continue;
		seen[row->name] = true;
		frames_put_name(to, names, row->name);
	}
	free(seen);
	return 0;
}

int totals_report_rows(struct strbuf *to, const struct totals_rows *rows,
		       const struct catalog *catalog, uint64_t lost)
{
	trace_put_header(to);
	frames_put_process(to, &catalog->process);
	if (put_names(to, rows, catalog->names))
		return -1;
	for (uint32_t i = 0; i < catalog->device_count; i++)
		frames_put_device(to, catalog_device(catalog, i));
	for (uint32_t i = 0; i < catalog->context_count; i++)
		frames_put_context(to, catalog_context(catalog, i));
	for (size_t i = 0; i < totals_rows_count(rows); i++) {
		const struct totals_row *row = totals_rows_get(rows, i);

		if (!totals_row_is_empty(row))
			strbuf_append(to, row, row->frame.size);
	}
	frames_put_lost(to, lost, 0, 0);
	trace_finish(to);
	return to->failed ? -1 : 0;
}

static bool has_totals(const struct report *report)
{
	bool requested = false;

	for (unsigned api = 0; api < API_COUNT; api++)
		requested |= settings_of(report, api) != NULL;
	return requested && !report->ring->header->totals_off;
}

static int make(struct strbuf *to, struct report *report, uint64_t lost)
{
	const struct ringfile_reader *ring = report->ring;

	if (totals_reader_dead(ring, &report->rows, &report->interrupted))
		return -1;
	report->later = calloc(ring->catalog.device_count + 1, sizeof(struct later *));
	if (!report->later)
		return -1;
	index_rows(report);
	/* After the end of a finished process nothing counts. */
	for (uint64_t i = 0; i < ring->count && !ring->header->finished && !report->failed; i++)
		add_slot(report, ring->records[i]);
	if (!report->failed)
		add_later(report);
	if (!report->failed)
		count_records(report);
	return report->failed ? -1 : totals_report_rows(to, &report->rows, &ring->catalog, lost);
}

int totals_report(struct strbuf *to, const struct ringfile_reader *ring,
		  const struct settings *const *settings, uint64_t lost)
{
	struct report report = {.ring = ring, .settings = settings};
	int result = 0;

	if (has_totals(&report))
		result = make(to, &report, lost);
	for (uint32_t i = 0; report.later && i <= ring->catalog.device_count; i++)
		free(report.later[i]);
	free(report.later);
	map_free(&report.by_key);
	totals_rows_free(&report.rows);
	if (result)
		strbuf_free(to);
	return result;
}

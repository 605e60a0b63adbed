/* SPDX-License-Identifier: MIT */
#include "view/totals/totals.h"

#include <stdlib.h>

#include "model/totals_row.h"

int totals_open(struct totals *totals, struct strbuf *error)
{
	totals->filter.demangled = totals->demangled;
	return name_filter_open(&totals->filter, totals->kernels, error);
}

void totals_close(struct totals *totals)
{
	name_filter_close(&totals->filter);
	free(totals->wanted);
	free(totals->asked);
	histogram_free(&totals->kernels_time);
	histogram_free(&totals->copies_size);
	activities_free(&totals->activities);
	call_stats_free(&totals->call_stats);
	event_totals_free(&totals->events);
}

/* Enlarges the cache of name results; -1 without memory. */
static int make_room(struct totals *totals, uint32_t name)
{
	uint32_t names = name < 32 ? 64 : 2 * name;
	bool *wanted, *asked;

	if (name < totals->names)
		return 0;
	wanted = realloc(totals->wanted, names);
	if (wanted)
		totals->wanted = wanted;
	asked = realloc(totals->asked, names);
	if (asked)
		totals->asked = asked;
	if (!wanted || !asked)
		return -1;
	for (; totals->names < names; totals->names++)
		asked[totals->names] = false;
	return 0;
}

/* Returns 1, 0, or -1 without memory. */
static int name_wanted(struct totals *totals, const struct names *names, uint32_t name)
{
	if (name > names_count(names))
		name = 0;
	if (make_room(totals, name))
		return -1;
	if (!totals->asked[name]) {
		size_t length;
		const char *text = names_text(names, name, &length);

		totals->asked[name] = true;
		totals->wanted[name] = name_filter_selects(&totals->filter, text, length);
	}
	return totals->wanted[name];
}

static bool device_wanted(const struct totals *totals, const struct device *device)
{
	for (unsigned i = 0; i < totals->device_count; i++)
		if (device && totals->devices[i] == device->number)
			return true;
	return !totals->device_count;
}

/* Returns -1 without memory. */
static int add_kernel(struct totals *totals, const struct record *record)
{
	totals->kernel_count++;
	if (!(record->known & KNOWN_TIMES))
		return 0;
	return histogram_add(&totals->kernels_time, amount_duration(record));
}

static void add_waiting(struct totals *totals, const struct catalog *catalog,
			const struct record *record)
{
	if (!amount_is_waited(record, catalog->process.monotonic_to_epoch))
		return;
	totals->waited_time = amount_add(totals->waited_time, record->leave - record->enter);
	totals->waited_count++;
}

static int add_transfer(struct totals *totals, const struct catalog *catalog,
			const struct record *record)
{
	uint64_t duration = amount_duration(record);

	totals->transfer_count++;
	if (record->frame.kind != FRAME_COPY || !(record->known & KNOWN_TIMES))
		return 0;
	add_waiting(totals, catalog, record);
	totals->copy_time = amount_add(totals->copy_time, duration);
	if (amount_is_pageable(record)) {
		totals->pageable_time = amount_add(totals->pageable_time, duration);
		totals->pageable_count++;
	}
	if (!(record->known & KNOWN_BYTES))
		return 0;
	return histogram_add(&totals->copies_size, record->bytes);
}

static int add(struct totals *totals, const struct catalog *catalog, const struct record *record)
{
	totals->records++;
	if (!(record->known & KNOWN_TIMES))
		totals->missing[amount_missing(record)]++;
	if (!activities_add(&totals->activities, catalog, record))
		return -1;
	return record->frame.kind == FRAME_KERNEL ? add_kernel(totals, record)
						  : add_transfer(totals, catalog, record);
}

int totals_wants(struct totals *totals, const struct catalog *catalog, const struct record *record)
{
	if (!device_wanted(totals, catalog_device(catalog, record->device)))
		return 0;
	if (totals->kernels && record->frame.kind == FRAME_KERNEL)
		return name_wanted(totals, catalog->names, record->name);
	return 1;
}

static int no_memory_for_records(struct strbuf *error)
{
	strbuf_string(error, "out of memory for the totals of records");
	return -1;
}

int totals_add(struct totals *totals, const struct catalog *catalog, const struct record *record,
	       struct strbuf *error)
{
	int wanted = totals->has_rows ? 0 : totals_wants(totals, catalog, record);

	if (totals->has_rows)
		return 0;
	totals->has_records = true;
	totals->seen++;
	/* Records that are not selected also make the device busy. */
	if (record->known & KNOWN_TIMES && !totals->no_starts)
		busy_add(&totals->busy, record->started,
			 record->started + amount_duration(record));
	if (!wanted)
		return 0;
	if (wanted > 0 && !add(totals, catalog, record))
		return 1;
	return no_memory_for_records(error);
}

static int no_memory_for_calls(struct strbuf *error)
{
	strbuf_string(error, "out of memory for the totals of calls");
	return -1;
}

int totals_add_call(struct totals *totals, const struct call *call, struct strbuf *error)
{
	if (totals->has_rows)
		return 0;
	totals->has_records = true;
	return call_stats_add(&totals->call_stats, call) ? no_memory_for_calls(error) : 0;
}

int totals_add_event(struct totals *totals, const struct frame *event, struct strbuf *error)
{
	const void *at = event;

	if (event->kind == FRAME_CALL)
		return totals_add_call(totals, at, error);
	if (totals->has_rows)
		return 0;
	totals->has_records = true;
	return event_totals_add(&totals->events, event, error);
}

static uint64_t records_of(const struct totals_row *row)
{
	uint64_t records = row->count;

	for (int i = 0; i < TOTALS_MISSING; i++)
		records = amount_add(records, row->missing[i]);
	return records;
}

/* As totals_wants. The row for all others has no names. */
static int wants_row(struct totals *totals, const struct catalog *catalog,
		     const struct totals_row *row)
{
	const struct record record = {
		.frame.kind = row->record_kind, .name = row->name, .device = row->device};

	if (totals->kernels && row->frame.flags & TOTALS_OTHER)
		return 0;
	return totals_wants(totals, catalog, &record);
}

static void add_copy_times(struct totals *totals, const struct totals_row *row)
{
	totals->copy_time = amount_add(totals->copy_time, row->total);
	totals->pageable_time = amount_add(totals->pageable_time, row->pageable_time);
	totals->pageable_count = amount_add(totals->pageable_count, row->pageable_count);
	totals->waited_time = amount_add(totals->waited_time, row->waited_time);
	totals->waited_count = amount_add(totals->waited_count, row->waited_count);
}

/* Returns -1 without memory. */
static int add_activity_row(struct totals *totals, const struct catalog *catalog,
			    const struct totals_row *row)
{
	int wanted = wants_row(totals, catalog, row);

	totals->seen = amount_add(totals->seen, records_of(row));
	if (wanted <= 0)
		return wanted;
	totals->records = amount_add(totals->records, records_of(row));
	for (int i = 0; i < TOTALS_MISSING; i++)
		totals->missing[i] = amount_add(totals->missing[i], row->missing[i]);
	if (row->record_kind == FRAME_COPY)
		add_copy_times(totals, row);
	if (row->record_kind == FRAME_KERNEL && histogram_add_row(&totals->kernels_time, row))
		return -1;
	return activities_add_row(&totals->activities, catalog, row);
}

static int add_sizes_row(struct totals *totals, const struct catalog *catalog,
			 const struct totals_row *row)
{
	if (!device_wanted(totals, catalog_device(catalog, row->device)))
		return 0;
	return histogram_add_row(&totals->copies_size, row);
}

static void add_process_row(struct totals *totals, const struct totals_process *row)
{
	event_totals_add_row(&totals->events, row);
	totals->ranges = amount_add(totals->ranges, row->ranges);
	totals->unnamed = amount_add(totals->unnamed, row->other);
	totals->in_process = amount_add(totals->in_process, row->records);
}

/* Returns -1 without memory. */
static int add_row(struct totals *totals, const struct catalog *catalog,
		   const struct totals_row *row)
{
	switch (totals_row_kind(row)) {
	case TOTALS_ACTIVITY:
		return add_activity_row(totals, catalog, row);
	case TOTALS_COPY_SIZES:
		return add_sizes_row(totals, catalog, row);
	case TOTALS_FUNCTION:
	case TOTALS_FAILURE:
		return call_stats_add_row(&totals->call_stats, catalog, row);
	case TOTALS_DEVICE:
		if (row->device == UINT32_MAX && row->last)
			busy_add_sum(&totals->busy, row->first, row->last, row->total);
		return 0;
	case TOTALS_PROCESS:
		add_process_row(totals, (const void *)row);
		return 0;
	}
	return 0;
}

int totals_add_row(struct totals *totals, const struct catalog *catalog, const struct frame *row,
		   struct strbuf *error)
{
	const struct totals_row *at = (const void *)row;

	if (totals->has_records)
		return 0;
	totals->has_rows = true;
	if (!add_row(totals, catalog, at))
		return 0;
	return totals_row_kind(at) == TOTALS_FUNCTION || totals_row_kind(at) == TOTALS_FAILURE
		       ? no_memory_for_calls(error)
		       : no_memory_for_records(error);
}

uint64_t totals_unplaced(const struct totals *totals)
{
	return totals->in_process > totals->seen ? totals->in_process - totals->seen : 0;
}

int totals_end(struct totals *totals, struct strbuf *error)
{
	return event_totals_end(&totals->events, error);
}

uint64_t totals_untimed(const struct totals *totals)
{
	uint64_t untimed = 0;

	for (int i = 0; i < MISSING_COUNT; i++)
		untimed += totals->missing[i];
	return untimed;
}

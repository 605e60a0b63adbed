/* SPDX-License-Identifier: MIT */
#include "view/totals/totals.h"

#include <stdlib.h>

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

static enum missing missing_of(const struct record *record)
{
	if (record->frame.flags & RECORD_UNFINISHED)
		return MISSING_UNFINISHED;
	if (record->frame.flags & RECORD_FAILED)
		return MISSING_FAILED;
	return record->frame.flags & RECORD_BAD_TIMES ? MISSING_BAD : MISSING_UNKNOWN;
}

/* Returns -1 without memory. */
static int add_kernel(struct totals *totals, const struct record *record)
{
	totals->kernel_count++;
	if (!(record->known & KNOWN_TIMES))
		return 0;
	return histogram_add(&totals->kernels_time, activity_duration(record));
}

static void add_waiting(struct totals *totals, const struct catalog *catalog,
			const struct record *record)
{
	uint64_t shift = (uint64_t)catalog->process.monotonic_to_epoch;

	if (record->frame.flags & RECORD_NO_CALL || record->leave < record->enter ||
	    record->ended > record->leave + shift)
		return;
	totals->waited_time = activity_sum(totals->waited_time, record->leave - record->enter);
	totals->waited_count++;
}

static int add_transfer(struct totals *totals, const struct catalog *catalog,
			const struct record *record)
{
	uint64_t duration = activity_duration(record);

	totals->transfer_count++;
	if (record->frame.kind != FRAME_COPY || !(record->known & KNOWN_TIMES))
		return 0;
	add_waiting(totals, catalog, record);
	totals->copy_time = activity_sum(totals->copy_time, duration);
	if ((record->known & KNOWN_HOST_MEMORY) && record->host_memory == HOST_MEMORY_PAGEABLE) {
		totals->pageable_time = activity_sum(totals->pageable_time, duration);
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
		totals->missing[missing_of(record)]++;
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

int totals_add(struct totals *totals, const struct catalog *catalog, const struct record *record,
	       struct strbuf *error)
{
	int wanted = totals_wants(totals, catalog, record);

	totals->seen++;
	/* Records that are not selected also make the device busy. */
	if (record->known & KNOWN_TIMES && !totals->no_starts)
		busy_add(&totals->busy, record->started,
			 record->started + activity_duration(record));
	if (!wanted)
		return 0;
	if (wanted > 0 && !add(totals, catalog, record))
		return 1;
	strbuf_string(error, "out of memory for the totals of records");
	return -1;
}

int totals_add_call(struct totals *totals, const struct call *call, struct strbuf *error)
{
	if (!call_stats_add(&totals->call_stats, call))
		return 0;
	strbuf_string(error, "out of memory for the totals of calls");
	return -1;
}

int totals_add_event(struct totals *totals, const struct frame *event, struct strbuf *error)
{
	const void *at = event;

	if (event->kind == FRAME_CALL)
		return totals_add_call(totals, at, error);
	return event_totals_add(&totals->events, event, error);
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

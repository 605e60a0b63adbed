/* SPDX-License-Identifier: MIT */
#include "session/pflog_calls.h"

#include <string.h>

#include "base/memory.h"
#include "model/amount.h"
#include "model/api.h"
#include "session/state.h"

enum {
	ENTRIES = 1 << 18, /* further calls are counted at once */
	COPIES = 1 << 16,  /* of back ends that collect; others make their call next in its ring */
	TEXT = 1 << 24,	   /* most bytes of lines that wait for a file */
};

/* A call that has a line in the timeline. */
struct pflog_entry {
	uint64_t start; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t bytes;
	uint64_t address; /* of memory */
	uint16_t memory; /* enum memory_kind */
	uint8_t api;
	uint8_t row; /* enum pflog_row, final */
	int8_t kind; /* enum pflog_kind */
	bool allocates;
	bool frees;
};

/* A copy that the next call of its ring has made. */
struct pflog_copy {
	uint64_t correlation;
	uint64_t bytes;
	int8_t kind; /* enum pflog_kind */
};

int pflog_calls_prepare(struct pflog_calls *calls)
{
	calls->entries = memory_map(ENTRIES * sizeof(*calls->entries));
	calls->sorted = memory_map(ENTRIES * sizeof(*calls->sorted));
	calls->copies = memory_map((COPIES + MAX_RINGS) * sizeof(*calls->copies));
	return calls->entries && calls->sorted && calls->copies ? 0 : -1;
}

static struct pflog_copy *place_of(const struct pflog_calls *calls, uint64_t correlation)
{
	uint64_t ring = correlation >> 40;

	if (ring && ring <= MAX_RINGS)
		return &calls->copies[COPIES + ring - 1];
	return &calls->copies[correlation % COPIES];
}

static enum pflog_kind kind_of(const struct record *record)
{
	bool from_host = record->source == MEMORY_HOST, to_host = record->target == MEMORY_HOST;

	if (from_host)
		return to_host ? PFLOG_HOST_TO_HOST : PFLOG_HOST_TO_DEVICE;
	return to_host ? PFLOG_DEVICE_TO_HOST : PFLOG_DEVICE_TO_DEVICE;
}

void pflog_calls_note_copy(struct pflog_calls *calls, const struct record *record)
{
	*place_of(calls, record->frame.correlation) = (struct pflog_copy){
		.correlation = record->frame.correlation,
		.bytes = record->known & KNOWN_BYTES ? record->bytes : 0,
		.kind = (int8_t)kind_of(record),
	};
}

static enum pflog_row row_of_call(struct pflog_calls *calls, const struct call *call)
{
	uintptr_t known = call->name ? (uintptr_t)map_get(&calls->rows, call->name) : 0;
	enum pflog_row row;

	if (known)
		return (enum pflog_row)(known - 1);
	row = pflog_row_of_function(names_text(calls->catalog->names, call->name, NULL));
	if (call->name)
		map_set(&calls->rows, call->name, (void *)((uintptr_t)row + 1));
	return row;
}

/* Returns false if the call has made no copy, or its record has not come. */
static bool find_copy(const struct pflog_calls *calls, const struct call *call,
		      struct pflog_entry *entry)
{
	const struct pflog_copy *copy = place_of(calls, call->made);

	if (call->records != 1 || copy->correlation != call->made)
		return false;
	entry->bytes = copy->bytes;
	entry->kind = copy->kind;
	return true;
}

static void put_line(struct pflog_calls *calls, const struct pflog_line *line)
{
	struct strbuf *text = calls->lines;
	size_t before = text->length;

	if (before < TEXT)
		pflog_put_line(text, calls->settings, line);
	if (text->failed)
		text->length = before;
	text->failed = false;
	calls->missing += text->length == before;
}

static void add(struct pflog_calls *calls, struct pflog_line *line)
{
	struct pflog_count *count = &calls->counts.rows[line->row];

	line->start += (uint64_t)calls->catalog->process.monotonic_to_epoch;
	count->calls++;
	count->time += line->duration;
	calls->changed = true;
	put_line(calls, line);
}

/* Memory that is allocated at an address in use replaces the one there, whose release was not
 * seen. */
static void add_unseen_release(struct pflog_calls *calls, const struct pflog_entry *entry,
			       uint64_t bytes)
{
	struct allocation event = {
		.frame.flags = ALLOCATION_FREED, .api = entry->api, .memory = entry->memory};
	enum pflog_row row = pflog_final_row(pflog_row_of_memory(&event), PFLOG_KIND_NONE,
					     calls->settings->native_names);
	struct pflog_line line = {
		.row = row, .start = entry->start, .bytes = bytes, .kind = PFLOG_KIND_NONE};

	if (bytes && row != PFLOG_NONE)
		add(calls, &line);
}

/* Returns the bytes by which the memory in use changes. An address is of one context at a time,
 * which CUPTI may report too late. */
static uint64_t change_memory(struct pflog_calls *calls, const struct pflog_entry *entry)
{
	uint64_t before = calls->memory.bytes;
	const struct allocation event = {
		.frame.flags = entry->frees ? ALLOCATION_FREED : 0,
		.enter = entry->start,
		.leave = entry->leave,
		.address = entry->address,
		.bytes = entry->bytes,
		.memory = entry->memory,
	};

	memory_in_use_add(&calls->memory, &event);
	calls->counts.memory = calls->memory.bytes;
	if (calls->memory.bytes > calls->peak)
		calls->peak = calls->memory.bytes;
	return calls->memory.bytes - before;
}

/* A release of memory whose allocation was not seen is not counted: then the difference between
 * the bytes of allocations and releases is the memory in use. */
static void count_entry(struct pflog_calls *calls, const struct pflog_entry *entry)
{
	struct pflog_line line = {
		.row = (enum pflog_row)entry->row,
		.start = entry->start,
		.duration = amount_between(entry->start, entry->leave),
		.bytes = entry->bytes,
		.kind = (enum pflog_kind)entry->kind,
	};
	uint64_t change = entry->allocates || entry->frees ? change_memory(calls, entry) : 0;

	if (entry->frees) {
		line.bytes = -change;
		if (!change)
			return;
	}
	add(calls, &line);
	if (entry->allocates)
		add_unseen_release(calls, entry, entry->bytes - change);
}

static void wait_for_order(struct pflog_calls *calls, const struct pflog_entry *entry)
{
	if (calls->entry_count < ENTRIES) {
		calls->entries[calls->entry_count++] = *entry;
		return;
	}
	count_entry(calls, entry);
}

void pflog_calls_take(struct pflog_calls *calls, const struct call *call)
{
	enum pflog_row row, own;
	struct pflog_entry entry = {
		.start = call->enter,
		.leave = call->leave,
		.api = (uint8_t)call->api,
		.kind = PFLOG_KIND_NONE,
	};

	own = row_of_call(calls, call);
	if (own == PFLOG_NONE || api_is_failure(call->api, call->result) ||
	    (pflog_is_copy(own) && !find_copy(calls, call, &entry)))
		return;
	row = pflog_final_row(own, (enum pflog_kind)entry.kind, calls->settings->native_names);
	if (row == PFLOG_NONE)
		return;
	/* OpenCL programs may query the platforms many times. */
	if (row == PFLOG_INIT && row != own) {
		if (calls->initialized)
			return;
		calls->initialized = true;
	}
	entry.row = (uint8_t)row;
	if (pflog_is_in_timeline(row)) {
		wait_for_order(calls, &entry);
		return;
	}
	calls->counts.rows[row].calls++;
	calls->counts.rows[row].time += amount_call_duration(call);
	calls->changed = true;
}

void pflog_calls_take_allocation(struct pflog_calls *calls, const struct allocation *event)
{
	bool freed = event->frame.flags & ALLOCATION_FREED;
	enum pflog_row row = pflog_final_row(pflog_row_of_memory(event), PFLOG_KIND_NONE,
					     calls->settings->native_names);

	if (row == PFLOG_NONE)
		return;
	wait_for_order(calls, &(struct pflog_entry){
				      .start = event->enter,
				      .leave = event->leave,
				      .bytes = event->bytes,
				      .address = event->address,
				      .memory = event->memory,
				      .api = (uint8_t)event->api,
				      .row = (uint8_t)row,
				      .kind = PFLOG_KIND_NONE,
				      .allocates = !freed,
				      .frees = freed,
			      });
}

/* Merges two sorted runs; of equal ones, those of the first run come first. */
static void merge(struct pflog_entry *to, const struct pflog_entry *from, uint32_t middle,
		  uint32_t end)
{
	uint32_t left = 0, right = middle;

	for (uint32_t i = 0; i < end; i++)
		to[i] = left < middle && (right >= end || from[left].start <= from[right].start)
				? from[left++]
				: from[right++];
}

static void sort(struct pflog_calls *calls)
{
	uint32_t count = calls->entry_count;

	for (uint32_t size = 1; size < count; size *= 2) {
		struct pflog_entry *from = calls->entries;

		for (uint32_t at = 0; at < count; at += 2 * size) {
			uint32_t left = count - at;

			merge(calls->sorted + at, from + at, size < left ? size : left,
			      2 * size < left ? 2 * size : left);
		}
		calls->entries = calls->sorted;
		calls->sorted = from;
	}
}

/* Writes the lines of the calls before which no other one can come. */
void pflog_calls_count(struct pflog_calls *calls, const uint64_t *horizons)
{
	uint32_t left = 0;

	sort(calls);
	for (uint32_t i = 0; i < calls->entry_count; i++) {
		const struct pflog_entry *entry = &calls->entries[i];

		if (horizons && entry->start >= horizons[entry->api])
			calls->entries[left++] = *entry;
		else
			count_entry(calls, entry);
	}
	calls->entry_count = left;
}

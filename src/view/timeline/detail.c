/* SPDX-License-Identifier: MIT */
#include "view/timeline/detail.h"

#include <string.h>

#include "model/field.h"
#include "view/timeline/eventrow.h"

#define ENTRIES(array) (sizeof(array) / sizeof((array)[0]))

static bool set_text(struct detail *detail, const char *text)
{
	detail->type = DETAIL_TEXT;
	detail->text = text;
	detail->length = strlen(text);
	return true;
}

static bool set_real(struct detail *detail, double real)
{
	detail->type = DETAIL_REAL;
	detail->real = real;
	return __builtin_isfinite(real);
}

static bool set_number(struct detail *detail, enum detail_type type, uint64_t number)
{
	detail->type = type;
	detail->number[0] = number;
	return true;
}

/* A gigabyte is 10^9 bytes, so the unit equals bytes per nanosecond. */
static bool set_speed(struct detail *detail, const struct timeline_event *event)
{
	const struct record *record = event->record;

	if (!(record->known & KNOWN_BYTES) || record->ended == record->started)
		return false;
	return set_real(detail, (double)record->bytes / (double)(record->ended - record->started));
}

/* Only events without a shown command have the reason. */
static bool set_fate(struct detail *detail, const struct timeline_event *event)
{
	uint16_t flags = event->record->frame.flags;

	if (event->has_times)
		return false;
	if (flags & RECORD_FAILED)
		return set_text(detail, "none: the device reported an error");
	if (flags & RECORD_UNFINISHED)
		return set_text(detail, "none: unfinished, or its times not read yet, when the "
					"program ended");
	if (flags & RECORD_BAD_TIMES || event->record->known & KNOWN_TIMES)
		return set_text(detail, "none: they were zero or out of order");
	return set_text(detail, "none");
}

static bool set_command(struct detail *detail, const struct timeline_event *event)
{
	detail->type = DETAIL_TEXT;
	detail->text = event->command;
	detail->length = event->command_length;
	return true;
}

static bool set_thread(struct detail *detail, const struct timeline_event *event)
{
	const struct frame *frame = event->other;

	return event->kind == TIMELINE_RANGE && !(frame->flags & MARK_PUSHED) && frame->thread &&
	       set_number(detail, DETAIL_NUMBER, frame->thread);
}

static bool set_end(struct detail *detail, const struct timeline_event *event)
{
	return event->unfinished && set_text(detail, "not known");
}

enum {
	CALL = 1 << TIMELINE_CALL,
	RUN = 1 << TIMELINE_COMMAND,
	MARK = 1 << TIMELINE_MARK,
	RANGE = 1 << TIMELINE_RANGE
};

/* Fields of records, and computed values; those of events are in model/events.def. */
static const struct detail_row {
	uint8_t events; /* kinds that have it */
	enum field_id field;
	const char *name; /* without a field */
	bool (*set)(struct detail *detail, const struct timeline_event *event);
} rows[] = {
	{CALL | RUN | MARK, FIELD_FRAME_CORRELATION, NULL, NULL},
	{CALL, FIELD_NONE, "command", set_command},
	{CALL | MARK, FIELD_NONE, "device_times", set_fate},
	{RUN | MARK, FIELD_RECORD_GRID, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_BLOCK, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_BLOCK_GIVEN, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_STATIC_SHARED, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_DYNAMIC_SHARED, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_REGISTERS, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_OCCUPANCY, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_CACHE_REQUESTED, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_CACHE_EXECUTED, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_BYTES, NULL, NULL},
	{RUN, FIELD_NONE, "gigabytes_per_second", set_speed},
	{RUN | MARK, FIELD_RECORD_DIRECTION, NULL, NULL},
	{RUN | MARK, FIELD_RECORD_HOST_MEMORY, NULL, NULL},
	{RUN, FIELD_RECORD_QUEUED, NULL, NULL},
	{RUN, FIELD_RECORD_SUBMITTED, NULL, NULL},
	{RANGE, FIELD_NONE, "thread", set_thread},
	{RANGE, FIELD_NONE, "end", set_end},
};

_Static_assert(ENTRIES(rows) <= DETAILS, "a detail has no room");

static bool set_payload(struct detail *detail, const struct mark *mark)
{
	double real;

	switch (mark->payload_kind) {
	case PAYLOAD_UNSIGNED:
		return set_number(detail, DETAIL_NUMBER, mark->payload);
	case PAYLOAD_SIGNED:
		return set_number(detail, DETAIL_SIGNED, mark->payload);
	case PAYLOAD_DOUBLE:
		memcpy(&real, &mark->payload, sizeof(real));
		return set_real(detail, real);
	default:
		return false;
	}
}

static bool set_result(struct detail *detail, uint64_t result)
{
	if ((int64_t)result == INT32_MIN)
		return set_text(detail, "failed");
	return set_number(detail, DETAIL_SIGNED, result);
}

/* Returns false without a name. */
static bool set_name(struct detail *detail, const struct names *names, uint64_t id)
{
	detail->type = DETAIL_TEXT;
	detail->text = names_text(names, (uint32_t)id, &detail->length);
	return detail->length;
}

static bool set_numbers(struct detail *detail, const struct field *field, const void *frame)
{
	const char *word = field_word(field, field_get(field, frame, 0));

	if (word)
		return set_text(detail, word);
	detail->type = field->count == 1 ? DETAIL_NUMBER : DETAIL_VECTOR;
	for (unsigned int i = 0; i < field->count; i++)
		detail->number[i] = field_get(field, frame, i);
	return true;
}

/* Returns false if the event does not have the value. */
static bool set_field(struct detail *detail, enum field_id id, const void *frame,
		      const struct names *names)
{
	const struct field *field = &field_rows[id];
	uint64_t number = field_get(field, frame, 0);

	detail->name = field->name;
	if (!field_is_known(field, frame))
		return false;
	switch (field->unit) {
	case FIELD_UNIT_NAME:
		return set_name(detail, names, number);
	case FIELD_UNIT_RESULT:
		return set_result(detail, number);
	case FIELD_UNIT_PAYLOAD:
		return set_payload(detail, frame);
	case FIELD_UNIT_EPOCH:
		return set_number(detail, DETAIL_TIME, number);
	case FIELD_UNIT_NUMBER:
	case FIELD_UNIT_BYTES:
	case FIELD_UNIT_MONOTONIC:
	case FIELD_UNIT_DEVICE:
	case FIELD_UNIT_CONTEXT:
	default: /* not reached: -Wswitch-enum */
		return field->type == FIELD_FLOAT ? set_real(detail, field_real(field, frame))
						  : set_numbers(detail, field, frame);
	}
}

/* Returns false if the event does not have the value. */
static bool set_row(struct detail *detail, const struct detail_row *row,
		    const struct timeline_event *event)
{
	if (row->field)
		return set_field(detail, row->field, event->record, event->names);
	detail->name = row->name;
	return row->set(detail, event);
}

unsigned details_of(const struct timeline_event *event, struct detail details[DETAILS])
{
	const struct frame *frame = event->call ? &event->call->frame : event->other;
	const enum field_id *list = frame ? event_rows[frame->kind].details : NULL;
	unsigned count = 0;

	for (int i = 0; list && i < EVENT_DETAILS && list[i]; i++)
		count += set_field(&details[count], list[i], frame, event->names);
	for (size_t i = 0; i < ENTRIES(rows); i++)
		if (rows[i].events & 1U << event->kind)
			count += set_row(&details[count], &rows[i], event);
	return count;
}

/* Values that are not finite are left out. */
static bool has_values(const struct record *record)
{
	const double *values = record_values(record);

	for (uint32_t i = 0; i < record_value_count(record); i++)
		if (__builtin_isfinite(values[i]))
			return true;
	return false;
}

const struct counter_set *details_counters(const struct timeline *timeline,
					   const struct timeline_event *event)
{
	const struct record *record = event->record;
	const struct counters_block *counters;
	const struct counter_set *set;

	if (event->kind != TIMELINE_COMMAND)
		return NULL;
	counters = record_counters(record);
	set = counters ? catalog_counters(timeline->catalog, counters->set) : NULL;
	return set && set->count == record_value_count(record) && has_values(record) ? set : NULL;
}

/* SPDX-License-Identifier: MIT */
#include "view/timeline/detail.h"

#include <string.h>

#include "model/event.h"

#define ENTRIES(array) (sizeof(array) / sizeof((array)[0]))
#define CHOICES(list)  .choices = list, .choice_count = ENTRIES(list)

static const char *const choosers[] = {"driver", "program"};
static const char *const caches[] = {"none", "shared", "L1", "equal"};
static const char *const directions[] = {
	[DIRECTION_HOST_TO_DEVICE] = "host to device",
	[DIRECTION_DEVICE_TO_HOST] = "device to host",
	[DIRECTION_DEVICE] = "device",
};
static const char *const memories[] = {
	[HOST_MEMORY_PAGEABLE] = "pageable",
	[HOST_MEMORY_PAGE_LOCKED] = "page-locked",
};

enum from { BYTE, HALF, WORD, WIDE, WORDS, WIDES, RATIO, MOMENT, SPEED, COMMAND, FATE, RESULT };

enum {
	CALL = 1 << TIMELINE_CALL,
	OWN = 1 << TIMELINE_OWN,
	RUN = 1 << TIMELINE_COMMAND,
	MARK = 1 << TIMELINE_MARK
};

/* clang-format off */
static const struct detail_row {
	const char *name;
	enum from from;
	uint16_t offset;  /* of the value in struct record; OWN alone: in struct call */
	uint8_t events;   /* which have it */
	uint32_t known;   /* where record.known has one of these bits; 0: always */
	const char *const *choices; /* BYTE: what it means */
	uint8_t choice_count;
} rows[] = {
#define AT(member) .offset = offsetof(struct record, member)
#define AT_CALL(member) .offset = offsetof(struct call, member)
	{ .name = "correlation", .from = WIDE, AT(frame.correlation), .events = CALL | RUN | MARK },
	{ .name = "correlation", .from = WIDE, AT_CALL(frame.correlation), .events = OWN },
	{ .name = "result", .from = RESULT, .events = OWN },
	{ .name = "records", .from = HALF, AT_CALL(records), .events = OWN },
	{ .name = "command", .from = COMMAND, .events = CALL },
	{ .name = "device_times", .from = FATE, .events = CALL | MARK },
	{ .name = "grid", .from = WIDES, AT(grid), .events = RUN | MARK, .known = KNOWN_GRID },
	{ .name = "block", .from = WORDS, AT(block), .events = RUN | MARK,
	  .known = KNOWN_GRID | KNOWN_BLOCK },
	{ .name = "block_chosen_by", .from = BYTE, AT(block_given), .events = RUN | MARK,
	  .known = KNOWN_BLOCK_GIVEN, CHOICES(choosers) },
	{ .name = "static_shared_bytes", .from = WORD, AT(static_shared), .events = RUN | MARK,
	  .known = KNOWN_STATIC_SHARED },
	{ .name = "dynamic_shared_bytes", .from = WORD, AT(dynamic_shared), .events = RUN | MARK,
	  .known = KNOWN_DYNAMIC_SHARED },
	{ .name = "registers", .from = WORD, AT(registers), .events = RUN | MARK,
	  .known = KNOWN_REGISTERS },
	{ .name = "occupancy", .from = RATIO, AT(occupancy), .events = RUN | MARK,
	  .known = KNOWN_OCCUPANCY },
	{ .name = "cache_requested", .from = BYTE, AT(cache_requested), .events = RUN | MARK,
	  .known = KNOWN_CACHE, CHOICES(caches) },
	{ .name = "cache_executed", .from = BYTE, AT(cache_executed), .events = RUN | MARK,
	  .known = KNOWN_CACHE, CHOICES(caches) },
	{ .name = "bytes", .from = WIDE, AT(bytes), .events = RUN | MARK, .known = KNOWN_BYTES },
	{ .name = "gigabytes_per_second", .from = SPEED, .events = RUN, .known = KNOWN_BYTES },
	{ .name = "direction", .from = BYTE, AT(direction), .events = RUN | MARK,
	  .known = KNOWN_DIRECTION, CHOICES(directions) },
	{ .name = "host_memory", .from = BYTE, AT(host_memory), .events = RUN | MARK,
	  .known = KNOWN_HOST_MEMORY, CHOICES(memories) },
	{ .name = "queued", .from = MOMENT, AT(queued), .events = RUN, .known = KNOWN_TIMES },
	{ .name = "submitted", .from = MOMENT, AT(submitted), .events = RUN, .known = KNOWN_TIMES },
#undef AT
#undef AT_CALL
};
/* clang-format on */

_Static_assert(ENTRIES(rows) <= DETAILS, "a detail has no room");

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

static bool set_words(struct detail *detail, const uint32_t words[3])
{
	detail->type = DETAIL_VECTOR;
	for (int i = 0; i < 3; i++)
		detail->number[i] = words[i];
	return true;
}

static bool set_wides(struct detail *detail, const uint64_t wides[3])
{
	detail->type = DETAIL_VECTOR;
	memcpy(detail->number, wides, sizeof(detail->number));
	return true;
}

/* A gigabyte is 10^9 bytes, so that it is bytes per nanosecond. */
static bool set_speed(struct detail *detail, const struct record *record)
{
	if (record->ended == record->started)
		return false;
	return set_real(detail, (double)record->bytes / (double)(record->ended - record->started));
}

/* Only events whose command is not shown say why. */
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

static bool set_choice(struct detail *detail, const struct detail_row *row, uint8_t number)
{
	if (number < row->choice_count)
		return set_text(detail, row->choices[number]);
	return set_number(detail, DETAIL_NUMBER, number);
}

static bool set_command(struct detail *detail, const struct timeline_event *event)
{
	detail->type = DETAIL_TEXT;
	detail->text = event->command;
	detail->length = event->command_length;
	return true;
}

static bool set_result(struct detail *detail, const struct call *call)
{
	if (call->result == INT32_MIN)
		return set_text(detail, "failed");
	return set_number(detail, DETAIL_SIGNED, (uint64_t)(int64_t)call->result);
}

/* False: there is nothing to say. */
static bool set(struct detail *detail, const struct detail_row *row,
		const struct timeline_event *event)
{
	const void *from = event->call ? (const void *)event->call : event->record;
	const void *at = (const char *)from + row->offset;

	detail->name = row->name;
	switch (row->from) {
	case BYTE:
		return set_choice(detail, row, *(const uint8_t *)at);
	case HALF:
		return set_number(detail, DETAIL_NUMBER, *(const uint16_t *)at);
	case WORD:
		return set_number(detail, DETAIL_NUMBER, *(const uint32_t *)at);
	case WIDE:
		return set_number(detail, DETAIL_NUMBER, *(const uint64_t *)at);
	case WORDS:
		return set_words(detail, at);
	case WIDES:
		return set_wides(detail, at);
	case RATIO:
		return set_real(detail, *(const float *)at);
	case MOMENT:
		set_number(detail, DETAIL_TIME, *(const uint64_t *)at);
		return record_has_queued(event->record);
	case SPEED:
		return set_speed(detail, event->record);
	case COMMAND:
		return set_command(detail, event);
	case RESULT:
		return set_result(detail, event->call);
	case FATE:
	default: /* there is no other: -Wswitch-enum */
		return set_fate(detail, event);
	}
}

unsigned details_of(const struct timeline_event *event, struct detail details[DETAILS])
{
	unsigned count = 0;

	if (event->other)
		return details_of_other(event, details);
	for (size_t i = 0; i < ENTRIES(rows); i++) {
		const struct detail_row *row = &rows[i];

		if (row->events & 1U << event->kind &&
		    (!row->known || row->known & event->record->known))
			count += set(&details[count], row, event);
	}
	return count;
}

const struct counter_set *details_counters(const struct timeline *timeline,
					   const struct timeline_event *event)
{
	const struct record *record = event->record;
	const struct counter_set *set;

	if (event->kind != TIMELINE_COMMAND || !record->frame.counters)
		return NULL;
	set = catalog_counters(timeline->catalog, record->frame.counters - 1);
	return set && set->count && set->count == record_value_count(record) ? set : NULL;
}

/* The next one, of which type and value are to be set. */
static struct detail *add(struct detail *details, unsigned *count, const char *name)
{
	struct detail *detail = &details[(*count)++];

	detail->name = name;
	return detail;
}

static void add_number(struct detail *details, unsigned *count, const char *name, uint64_t number)
{
	struct detail *detail = add(details, count, name);

	detail->type = DETAIL_NUMBER;
	detail->number[0] = number;
}

static void add_text(struct detail *details, unsigned *count, const char *name, const char *text,
		     size_t length)
{
	struct detail *detail = add(details, count, name);

	detail->type = DETAIL_TEXT;
	detail->text = text;
	detail->length = length;
}

/* Nothing for names that there are not. */
static void add_name(const struct timeline_event *event, struct detail *details, unsigned *count,
		     const char *name, uint32_t id)
{
	size_t length = 0;
	const char *text = id ? names_text(event->names, id, &length) : NULL;

	if (length)
		add_text(details, count, name, text, length);
}

static void add_payload(struct detail *details, unsigned *count, const struct mark *mark)
{
	struct detail *detail = add(details, count, "payload");

	detail->number[0] = mark->payload;
	switch (mark->payload_kind) {
	case PAYLOAD_UNSIGNED:
		detail->type = DETAIL_NUMBER;
		return;
	case PAYLOAD_SIGNED:
		detail->type = DETAIL_SIGNED;
		return;
	case PAYLOAD_DOUBLE:
		detail->type = DETAIL_REAL;
		memcpy(&detail->real, &mark->payload, sizeof(detail->real));
		if (__builtin_isfinite(detail->real))
			return;
		break;
	default:
		break;
	}
	(*count)--;
}

static unsigned details_of_mark(const struct timeline_event *event, struct detail *details)
{
	const struct mark *mark = (const void *)event->other;
	unsigned count = 0;

	add_name(event, details, &count, "domain", mark->domain);
	if (mark->category)
		add_number(details, &count, "category", mark->category);
	add_name(event, details, &count, "category_name", mark->category_name);
	if (mark->frame.flags & MARK_COLORED)
		add_number(details, &count, "color_argb", mark->color);
	add_payload(details, &count, mark);
	if (event->kind == TIMELINE_RANGE && !(mark->frame.flags & MARK_PUSHED) &&
	    mark->frame.thread)
		add_number(details, &count, "thread", mark->frame.thread);
	if (event->unfinished)
		add_text(details, &count, "end", "not known", strlen("not known"));
	return count;
}

unsigned details_of_other(const struct timeline_event *event, struct detail details[DETAILS])
{
	const void *at = event->other;
	const struct wait *wait = at;
	const struct overhead *overhead = at;
	unsigned count = 0;

	if (event->kind == TIMELINE_RANGE || event->kind == TIMELINE_MOMENT)
		return details_of_mark(event, details);
	if (event->kind == TIMELINE_WAIT) {
		if (wait->stream != UINT32_MAX)
			add_number(details, &count, "stream", wait->stream);
		if (wait->event)
			add_number(details, &count, "event", wait->event);
		return count;
	}
	if (overhead->count)
		add_number(details, &count, "count", overhead->count);
	return count;
}

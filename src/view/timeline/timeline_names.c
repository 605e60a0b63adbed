/* SPDX-License-Identifier: MIT */
/* The names in a timeline. */
#include <string.h>

#include "model/api.h"
#include "model/command.h"
#include "output/escape.h"
#include "view/timeline/eventrow.h"
#include "view/timeline/timeline.h"

enum { NAME_MOST = 256 /* bytes of a command line that is used as a name */ };

/* Indexed by frame kind, from FRAME_KERNEL on. */
static const struct kind {
	const char *command;
	const char *call;
} kinds[] = {
	[FRAME_KERNEL - FRAME_KERNEL] = {.command = "kernel", .call = "launch"},
	[FRAME_COPY - FRAME_KERNEL] = {.command = "copy", .call = "copy"},
	[FRAME_FILL - FRAME_KERNEL] = {.command = "fill", .call = "fill"},
};

static const struct kind *kind_of(const struct timeline_event *event)
{
	return &kinds[event->record->frame.kind - FRAME_KERNEL];
}

const char *timeline_incomplete(const struct stream *stream)
{
	if (stream_lost(stream))
		return "records or calls were lost";
	if (stream_is_damaged(stream))
		return "the file is damaged: everything after the damage is missing";
	if (stream_cut(stream) > TRACE_CUT_IN_FRAME)
		return trace_cut_text(stream_cut(stream));
	return stream_is_cut_off(stream) ? "the program ended in its last record" : NULL;
}

bool timeline_is_instant(const struct timeline_event *event)
{
	return event->kind == TIMELINE_MARK || event->kind == TIMELINE_MOMENT;
}

const char *timeline_category(const struct timeline_event *event)
{
	if (event->kind == TIMELINE_RANGE)
		return "range";
	if (event->other)
		return event_rows[event->other->kind].label;
	return event->record && event->kind != TIMELINE_CALL ? kind_of(event)->command : "call";
}

const char *timeline_category_at(size_t number)
{
	static const char *const first[] = {"call", "kernel", "copy", "fill", "range"};
	enum { FIRST = sizeof(first) / sizeof(first[0]) };

	if (number < FIRST)
		return first[number];
	number -= FIRST;
	for (int kind = FRAME_CALL + 1; kind < FRAME_KINDS; kind++)
		if (event_rows[kind].label && !number--)
			return event_rows[kind].label;
	return NULL;
}

const char *timeline_name(const struct timeline_event *event, size_t *length)
{
	const char *name = event->command;

	*length = event->command_length;
	if (event->kind == TIMELINE_CALL)
		name = kind_of(event)->call;
	else if (*length)
		return name;
	else if (event->other)
		return event_name(event->other, event->names, length);
	else
		name = "unknown_function";
	*length = strlen(name);
	return name;
}

/* Process ids have 22 bits. */
uint32_t timeline_key(const struct timeline *timeline)
{
	return timeline->is_repeated ? UINT32_C(1) << 31 | (uint32_t)timeline->part
				     : timeline->process.pid;
}

void timeline_name_process(const struct timeline *timeline, struct strbuf *to)
{
	size_t before;

	if (timeline->rank)
		strbuf_printf(to, "rank %llu: ", (unsigned long long)timeline->rank->rank);
	before = to->length;
	command_put(to, &timeline->process, NAME_MOST);
	if (to->length == before)
		strbuf_printf(to, "process %u", timeline->process.pid);
	else if (timeline->is_repeated)
		strbuf_printf(to, " (process %u)", timeline->process.pid);
}

void timeline_name_device(const struct device *device, struct strbuf *to)
{
	strbuf_printf(to, "%s device %u: ", api_row(device->api)->name, device->number);
	escape_put(to, device->name, strlen(device->name), ESCAPE_TEXT);
}

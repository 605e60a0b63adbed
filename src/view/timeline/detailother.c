/* SPDX-License-Identifier: MIT */
#include "view/timeline/detail.h"

#include <string.h>

#include "model/event.h"

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

/* SPDX-License-Identifier: MIT */
#include "backend/nvtx/mark.h"

#include <errno.h>
#include <string.h>

#include "backend/nvtx/stack.h"
#include "backend/nvtx/text.h"
#include "session/control.h"
#include "session/probe.h"
#include "session/session.h"

static const struct settings *asked;

void mark_begin(const struct settings *settings)
{
	asked = settings;
}

static void set_payload(struct mark *mark, const struct nvtx_attributes *attributes)
{
	double real;

	switch (attributes->payload_type) {
	case NVTX_UINT64:
	case NVTX_UINT32:
		mark->payload_kind = PAYLOAD_UNSIGNED;
		mark->payload = attributes->payload_type == NVTX_UINT64
					? attributes->payload.uint64
					: attributes->payload.uint32;
		return;
	case NVTX_INT64:
	case NVTX_INT32:
		mark->payload_kind = PAYLOAD_SIGNED;
		mark->payload = (uint64_t)(attributes->payload_type == NVTX_INT64
						   ? attributes->payload.int64
						   : attributes->payload.int32);
		return;
	case NVTX_DOUBLE:
	case NVTX_FLOAT:
		mark->payload_kind = PAYLOAD_DOUBLE;
		real = attributes->payload_type == NVTX_DOUBLE ? attributes->payload.real64
							       : (double)attributes->payload.real32;
		memcpy(&mark->payload, &real, sizeof(real));
		return;
	default:
		return;
	}
}

static void set_attributes(struct mark *mark, const struct mark_content *given,
			   uint32_t category_name)
{
	const struct nvtx_attributes *attributes = given->attributes;

	mark->category = attributes->category;
	mark->category_name = category_name;
	if (attributes->color_type == NVTX_ARGB) {
		mark->frame.flags |= MARK_COLORED;
		mark->color = attributes->color;
	}
	set_payload(mark, attributes);
}

static uint32_t name_of(const struct mark_content *given)
{
	if (given->text)
		return text_of(given->text);
	return given->wide ? text_of_wide(given->wide) : given->registered;
}

/* Names are looked up before the probe, since they take a lock. */
static uint64_t record(const struct mark_content *given)
{
	const struct nvtx_attributes *attributes = given->attributes;
	uint32_t category_name =
		attributes ? category_find(given->domain, attributes->category) : 0;
	uint32_t name = name_of(given);
	struct probe probe;
	struct mark *mark;
	uint64_t id = 0;

	probe_begin(&probe);
	mark = (void *)probe_event(&probe, FRAME_MARK);
	if (mark) {
		id = given->id ? given->id : mark->frame.correlation;
		mark->frame.flags = given->flags;
		mark->payload = 0;
		mark->id = given->flags & (MARK_START | MARK_END) ? id : 0;
		mark->name = name;
		mark->domain = given->domain;
		mark->api = (uint16_t)asked->layout.api;
		if (attributes)
			set_attributes(mark, given, category_name);
		probe_commit();
	}
	probe_end(&probe);
	return id;
}

uint64_t mark_record(const struct mark_content *given)
{
	int error = errno;
	uint64_t id;

	/* The end of a recorded range is always recorded. */
	if (!given->id && !control_wants_marks(asked))
		return 0;
	if (given->flags & MARK_START)
		session_need_calls();
	id = record(given);
	errno = error;
	return id;
}

int mark_read(struct mark_content *given, const struct nvtx_attributes *attributes)
{
	if (!attributes || attributes->size < sizeof(*attributes))
		return -1;
	given->attributes = attributes;
	switch (attributes->message_type) {
	case NVTX_ASCII:
		given->text = attributes->message.text;
		break;
	case NVTX_WIDE:
		given->wide = attributes->message.wide;
		break;
	case NVTX_REGISTERED:
		given->registered = text_of_handle(attributes->message.registered);
		break;
	default:
		break;
	}
	return 0;
}

uint64_t mark_start(struct mark_content *given)
{
	given->flags |= MARK_START;
	return mark_record(given);
}

/* A range that could not be recorded is pushed, too, so that its end is matched to it. */
int mark_push(struct mark_content *given)
{
	given->flags = MARK_PUSHED;
	return stack_push(given->domain, mark_start(given));
}

int mark_pop(uint32_t domain)
{
	struct mark_content given = {.domain = domain, .flags = MARK_END | MARK_PUSHED};
	int level = stack_pop(domain, &given.id);

	if (level >= 0 && given.id)
		mark_record(&given);
	return level;
}

/* SPDX-License-Identifier: MIT */
#include "output/trace.h"

#include <string.h>

#include "model/frames.h"

/* The kinds that a trace may have. */
static const uint16_t kinds[] = {
	FRAME_PROCESS, FRAME_NAME, FRAME_DEVICE, FRAME_CONTEXT, FRAME_KERNEL,
	FRAME_COPY,    FRAME_FILL, FRAME_LOST,	 FRAME_COUNTERS, FRAME_TOTALS, FRAME_END,
	FRAME_STACK,   FRAME_MODULE,
#define EVENT(kind, ...) FRAME_##kind,
#include "model/events.def"
#undef EVENT
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

void trace_put_header(struct strbuf *to)
{
	struct {
		struct trace_header header;
		struct trace_kind table[KINDS];
	} whole = {
		.header = {.version = TRACE_VERSION,
			   .byte_order = TRACE_BYTE_ORDER,
			   .header_size = sizeof(whole),
			   .kind_count = KINDS},
	};

	memcpy(whole.header.magic, TRACE_MAGIC, sizeof(whole.header.magic));
	for (int i = 0; i < KINDS; i++)
		whole.table[i] = (struct trace_kind){
			.kind = kinds[i],
			.size = frames_fixed_size((enum frame_kind)kinds[i]),
		};
	strbuf_append(to, &whole, sizeof(whole));
}

uint64_t trace_count_frames(const char *bytes, size_t length)
{
	const struct frame *frame;
	uint64_t count = 0;

	for (size_t at = 0; at < length; at += frame->size, count++) {
		frame = (const void *)(bytes + at);
		if (frame->size < sizeof(*frame))
			break;
	}
	return count;
}

void trace_finish(struct strbuf *whole)
{
	const struct trace_header *header = (const void *)whole->data;

	if (whole->failed)
		return;
	frames_put_end(whole, trace_count_frames(whole->data + header->header_size,
						 whole->length - header->header_size));
}

void trace_put_record(struct strbuf *to, const struct record *record)
{
	size_t blocks = record->frame.size > sizeof(*record)
				? record->frame.size - sizeof(*record)
				: 0;
	struct record *copy = (void *)strbuf_reserve_fast(to, sizeof(*record) + blocks);

	if (!copy)
		return;
	record_copy(copy, record);
	copy->handle = 0; /* has no meaning outside the process */
	if (blocks)
		memcpy(copy + 1, record + 1, blocks);
	to->length += sizeof(*record) + blocks;
}

static inline void put_event(struct strbuf *to, const struct frame *event, uint32_t size)
{
	struct frame *copy = (void *)strbuf_reserve_fast(to, size);

	if (!copy)
		return;
	memcpy(copy, event, size);
	copy->size = size;
	to->length += size;
}

/* The size is that of the kind, not that of its slot in the ring. For the most frequent kind it is
 * a constant for the compiler. */
void trace_put_event(struct strbuf *to, const struct frame *event)
{
	if (event->kind == FRAME_CALL)
		put_event(to, event, sizeof(struct call));
	else
		put_event(to, event, frames_fixed_size(event->kind));
}

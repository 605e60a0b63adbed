/* SPDX-License-Identifier: MIT */
#include "output/tracelayout.h"

#include <string.h>

#include "model/block.h"
#include "output/trace.h"

/* Sizes of version 1. They never change, also if the structs do. */
static const uint32_t sizes_of_version_1[FRAME_KINDS] = {
	[FRAME_PROCESS] = 64,
	[FRAME_NAME] = 32,
	[FRAME_DEVICE] = 52,
	[FRAME_CONTEXT] = 40,
	[FRAME_KERNEL] = 168,
	[FRAME_COPY] = 168,
	[FRAME_FILL] = 168,
	[FRAME_LOST] = 48,
	[FRAME_COUNTERS] = 48,
	[FRAME_CALL] = 64,
	[FRAME_MARK] = 72,
	[FRAME_ALLOCATION] = 72,
	[FRAME_WAIT] = 64,
	[FRAME_QUEUE] = 64,
	[FRAME_OVERHEAD] = 64,
};

/* The first traces of version 1 have these kinds without the last fields. */
static const uint32_t least_of_version_1[FRAME_KINDS] = {
	[FRAME_PROCESS] = 48,
	[FRAME_LOST] = 32,
};

/* The header of version 1 has these in place of header_size and kind_count. */
enum { FRAME_SIZE_1 = 24, RECORD_SIZE_1 = 168 };

static bool is_in_traces(uint32_t kind)
{
	const struct frame frame = {.kind = (uint16_t)kind};

	return kind < FRAME_KINDS &&
	       (sizes_of_version_1[kind] || kind == FRAME_TOTALS || kind == FRAME_END ||
		kind == FRAME_STACK || kind == FRAME_MODULE || frames_is_event(&frame));
}

/* Returns true if blocks, not texts, follow the struct. */
static bool has_blocks(const struct frame *frame)
{
	return frames_is_slot(frame);
}

static int read_entry(struct trace_layout *layout, const struct trace_kind *entry)
{
	const struct frame frame = {.kind = entry->kind};

	if (entry->size < sizeof(struct frame) || entry->size > TRACE_HEADER_LIMIT ||
	    entry->size % (has_blocks(&frame) ? 8 : 4))
		return -1;
	if (!is_in_traces(entry->kind))
		return 0;
	layout->sizes[entry->kind] = entry->size;
	if (entry->size != frames_fixed_size((enum frame_kind)entry->kind))
		layout->is_current = false;
	return 0;
}

/* A kind, known or not, may have one size only. */
static int read_table(struct trace_layout *layout, const struct trace_kind *table, uint32_t count)
{
	uint8_t seen[(UINT16_MAX + 1) / 8] = {0};

	layout->is_current = true;
	for (uint32_t i = 0; i < count; i++) {
		uint16_t kind = table[i].kind;

		if (seen[kind / 8] >> kind % 8 & 1 || read_entry(layout, &table[i]))
			return -1;
		seen[kind / 8] = (uint8_t)(seen[kind / 8] | 1 << kind % 8);
	}
	for (uint32_t kind = 0; kind < FRAME_KINDS; kind++)
		if (is_in_traces(kind) && !layout->sizes[kind])
			layout->is_current = false;
	return 0;
}

static int read_version_1(struct trace_layout *layout, const struct trace_header *header)
{
	layout->header_size = sizeof(*header);
	if (header->header_size != FRAME_SIZE_1 || header->kind_count != RECORD_SIZE_1)
		return -1;
	memcpy(layout->sizes, sizes_of_version_1, sizeof(layout->sizes));
	return 0;
}

int trace_layout_read(struct trace_layout *layout, const void *bytes, size_t have)
{
	const struct trace_header *header = bytes;

	*layout = (struct trace_layout){0};
	if (have < sizeof(*header) || memcmp(header->magic, TRACE_MAGIC, sizeof(header->magic)))
		return -1;
	layout->version = header->version;
	if (header->byte_order != TRACE_BYTE_ORDER)
		return -1;
	if (header->version == 1)
		return read_version_1(layout, header);
	if (header->version != TRACE_VERSION || header->header_size > TRACE_HEADER_LIMIT ||
	    header->header_size < sizeof(*header) || header->header_size % 8 ||
	    header->kind_count >
		    (header->header_size - sizeof(*header)) / sizeof(struct trace_kind))
		return -1;
	layout->header_size = header->header_size;
	if (have < header->header_size)
		return 0;
	return read_table(layout, (const void *)(header + 1), header->kind_count);
}

/* Returns the size of the frame's struct in the file; 0 if the frame is too short. */
static uint32_t size_in_file(const struct trace_layout *layout, const struct frame *frame)
{
	uint32_t size = layout->sizes[frame->kind];

	if (frame->size >= size)
		return size;
	if (layout->version == 1 && least_of_version_1[frame->kind] &&
	    frame->size >= least_of_version_1[frame->kind])
		return frame->size;
	return 0;
}

/* In version 1 a record is followed by the values of its counters. Their set is in the frame, in
 * the place of the stack. Bytes after other frames have no meaning. */
static void put_blocks_of_version_1(struct strbuf *to, const struct frame *frame, uint32_t fixed)
{
	struct counters_block counters = {
		.block = {.size = (uint32_t)sizeof(counters) + frame->size - fixed,
			  .tag = BLOCK_COUNTERS},
		.set = frame->stack - 1,
	};

	if (!frames_is_record(frame) || !frame->stack)
		return;
	strbuf_append(to, &counters, sizeof(counters));
	strbuf_append(to, (const char *)frame + fixed, frame->size - fixed);
}

static struct frame *copy(const struct trace_layout *layout, const struct frame *frame,
			  uint32_t fixed, struct strbuf *room)
{
	uint32_t own = frames_fixed_size((enum frame_kind)frame->kind);
	struct frame *made;

	room->length = 0;
	strbuf_append(room, frame, fixed < own ? fixed : own);
	while (room->length < own && !room->failed)
		strbuf_char(room, '\0');
	if (layout->version == 1 && has_blocks(frame))
		put_blocks_of_version_1(room, frame, fixed);
	else
		strbuf_append(room, (const char *)frame + fixed, frame->size - fixed);
	while (room->length % 8 && !room->failed)
		strbuf_char(room, '\0');
	if (room->failed)
		return NULL;
	made = (struct frame *)(void *)room->data;
	made->size = (uint32_t)room->length;
	return made;
}

/* Returns true if the frame must be converted. */
static bool is_different(const struct trace_layout *layout, const struct frame *frame,
			 uint32_t fixed)
{
	if (fixed != frames_fixed_size((enum frame_kind)frame->kind))
		return true;
	return layout->version == 1 && has_blocks(frame) && (frame->size > fixed || frame->stack);
}

enum trace_frame_state trace_layout_convert(const struct trace_layout *layout,
					    struct frame **frame, struct strbuf *room)
{
	uint32_t fixed;

	if (!is_in_traces((*frame)->kind) ||
	    (layout->version == 1 && !sizes_of_version_1[(*frame)->kind]))
		return TRACE_FRAME_UNKNOWN;
	fixed = size_in_file(layout, *frame);
	if (!fixed)
		return TRACE_FRAME_DAMAGED;
	if (is_different(layout, *frame, fixed)) {
		*frame = copy(layout, *frame, fixed, room);
		if (!*frame)
			return TRACE_FRAME_DAMAGED;
	}
	if (layout->version == 1)
		(*frame)->stack = 0;
	return TRACE_FRAME_KNOWN;
}

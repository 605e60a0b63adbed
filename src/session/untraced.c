/* SPDX-License-Identifier: MIT */
#include "session/untraced.h"

#include "output/trace.h"

const struct trace_commit *untraced_commit(const struct ringfile_header *header)
{
	const struct trace_commit *slots = header->untraced;
	uint64_t first = __atomic_load_n(&slots[0].sequence, __ATOMIC_ACQUIRE);
	uint64_t second = __atomic_load_n(&slots[1].sequence, __ATOMIC_ACQUIRE);

	return first > second ? &slots[0] : &slots[1];
}

/* As for a log's commit, the older slot is written, and its number last. Recovery counts nothing:
 * what it cannot write stays in the ring file. */
static void commit(struct logs *logs, uint64_t correlation)
{
	const struct trace_file *trace = &logs->trace;
	struct trace_commit *slot;
	uint64_t sequence;

	if (!logs->ringfile || logs->keep_existing)
		return;
	sequence = untraced_commit(logs->ringfile->header)->sequence + 1;
	slot = &logs->ringfile->header->untraced[~sequence & 1];
	slot->correlation = correlation;
	slot->missing = trace->missing;
	slot->missing_events = trace->missing_events;
	__atomic_store_n(&slot->sequence, sequence, __ATOMIC_RELEASE);
}

static void count(struct logs *logs, const struct frame *frame)
{
	logs->trace.missing++;
	logs->trace.missing_events += frames_is_event(frame);
	commit(logs, frame->correlation);
}

void untraced_note(struct logs *logs, const struct frame *frame)
{
	count(logs, frame);
	untraced_mark(logs, frame);
}

/* The records and events of a buffer, by correlation. */
struct buffered {
	struct logs *logs;
	struct map frames; /* NULL: it is counted */
};

/* Calls `take` for each record and event in the buffer. */
static void each_frame(struct buffered *buffered, bool header,
		       void (*take)(struct buffered *buffered, struct frame *frame))
{
	const struct strbuf *buffer = &buffered->logs->trace.buffer;
	const struct trace_header *start = (const void *)buffer->data;
	size_t at = header && buffer->length ? start->header_size : 0;

	while (at < buffer->length) {
		struct frame *frame = (void *)(buffer->data + at);

		at += frame->size;
		if (frames_is_slot(frame))
			take(buffered, frame);
	}
}

static void add(struct buffered *buffered, struct frame *frame)
{
	map_set(&buffered->frames, frame->correlation, frame);
}

/* Without memory for the map, those that are not in it are counted here. */
static void count_rest(struct buffered *buffered, struct frame *frame)
{
	if (frame->flags & FRAME_UNTRACED)
		return;
	count(buffered->logs, frame);
}

static void note_place(void *argument, struct frame *place)
{
	struct buffered *buffered = argument;
	struct frame *frame = map_get(&buffered->frames, place->correlation);

	if (!frame)
		return;
	untraced_note(buffered->logs, place);
	frame->flags |= FRAME_UNTRACED;
}

/* An event without a pending place is the last in the buffer, so that the commit names it. */
void untraced_note_buffer(struct logs *logs, bool header)
{
	struct buffered buffered = {.logs = logs};

	if (logs->pending) {
		each_frame(&buffered, header, add);
		pending_each(logs->pending, note_place, &buffered);
		map_free(&buffered.frames);
	}
	each_frame(&buffered, header, count_rest);
}

/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_frames.h"

#include <limits.h>

#include "model/block.h"
#include "model/frames.h"

enum {
	RING_SHIFT = 40,	/* of the ring's number in a correlation */
	THREAD_LIMIT = 1 << 22, /* the highest number of a thread */
	PART_SHIFT = 52,
};

int rank_frames_open(struct rank_frames *frames)
{
	*frames = (struct rank_frames){0};
	return rank_catalog_open(&frames->catalog);
}

void rank_frames_close(struct rank_frames *frames)
{
	rank_catalog_close(&frames->catalog);
	map_free(&frames->rings);
	map_free(&frames->owners);
	map_free(&frames->threads);
}

void rank_frames_begin(struct rank_frames *frames, const struct catalog *part, uint64_t rank)
{
	frames->part++;
	rank_catalog_begin(&frames->catalog, part, rank);
}

void rank_frames_align(struct rank_frames *frames, int64_t epoch, int64_t first_epoch)
{
	const struct process *process = &frames->catalog.part->process;

	frames->host_shift = (uint64_t)epoch - (uint64_t)first_epoch;
	frames->device_shift = (uint64_t)epoch - (uint64_t)process->monotonic_to_epoch;
}

static int no_memory(struct strbuf *error)
{
	strbuf_string(error, "out of memory for the numbers of all processes");
	return -1;
}

/* Equal correlations of a part stay equal, and consecutive ones consecutive. */
static int convert_correlation(struct rank_frames *frames, uint64_t *correlation,
			       struct strbuf *error)
{
	uint64_t low = *correlation & ((UINT64_C(1) << RING_SHIFT) - 1);
	uint64_t key = frames->part << (64 - RING_SHIFT) | *correlation >> RING_SHIFT;
	uintptr_t ring;

	if (!*correlation)
		return 0;
	ring = (uintptr_t)map_get(&frames->rings, key);
	if (!ring) {
		ring = ++frames->ring_count;
		if (ring >> (64 - RING_SHIFT) || map_set(&frames->rings, key, (void *)ring))
			return no_memory(error);
	}
	*correlation = (uint64_t)ring << RING_SHIFT | low;
	return 0;
}

static int convert_thread(struct rank_frames *frames, uint32_t *thread, struct strbuf *error)
{
	uint64_t key = frames->part << 32 | *thread;
	uintptr_t owner = *thread ? (uintptr_t)map_get(&frames->owners, *thread) : frames->part;
	uintptr_t other;

	if (owner == frames->part)
		return 0;
	if (!owner)
		return map_set(&frames->owners, *thread, (void *)(uintptr_t)frames->part)
			       ? no_memory(error)
			       : 0;
	other = (uintptr_t)map_get(&frames->threads, key);
	if (!other) {
		/* A merged trace has such numbers already. */
		do
			other = THREAD_LIMIT + (uintptr_t)++frames->thread_count;
		while (map_get(&frames->owners, other));
		if (map_set(&frames->owners, other, (void *)UINTPTR_MAX) ||
		    map_set(&frames->threads, key, (void *)other))
			return no_memory(error);
	}
	*thread = (uint32_t)other;
	return 0;
}

static void convert_address(const struct rank_frames *frames, uint64_t *address)
{
	if (*address)
		*address += (frames->part - 1) << PART_SHIFT;
}

static int convert_place(struct rank_frames *frames, uint32_t *device, uint32_t *context,
			 struct strbuf *error)
{
	return rank_catalog_device(&frames->catalog, device, error) ||
			       rank_catalog_context(&frames->catalog, context, error)
		       ? -1
		       : 0;
}

static int convert_peers(struct rank_frames *frames, struct peers *peers, struct strbuf *error)
{
	return convert_place(frames, &peers->source_device, &peers->source_context, error) ||
			       convert_place(frames, &peers->target_device, &peers->target_context,
					     error)
		       ? -1
		       : 0;
}

static int convert_record(struct rank_frames *frames, struct record *record, struct strbuf *error)
{
	struct counters_block *counters = (void *)(uintptr_t)record_counters(record);
	uint64_t shift = record->known & KNOWN_TIMES ? frames->device_shift : 0;

	record->queued += shift;
	record->submitted += shift;
	record->started += shift;
	record->ended += shift;
	if (counters && rank_catalog_counters(&frames->catalog, &counters->set, error))
		return -1;
	if (record->known & KNOWN_PEERS && convert_peers(frames, &record->peers, error))
		return -1;
	return rank_catalog_name(&frames->catalog, &record->name, error) ||
			       rank_catalog_device(&frames->catalog, &record->device, error) ||
			       rank_catalog_context(&frames->catalog, &record->context, error)
		       ? -1
		       : 0;
}

static int convert_mark(struct rank_frames *frames, struct mark *mark, struct strbuf *error)
{
	return convert_correlation(frames, &mark->id, error) ||
			       rank_catalog_name(&frames->catalog, &mark->name, error) ||
			       rank_catalog_name(&frames->catalog, &mark->domain, error) ||
			       rank_catalog_name(&frames->catalog, &mark->category_name, error)
		       ? -1
		       : 0;
}

static int convert_allocation(struct rank_frames *frames, struct allocation *allocation,
			      struct strbuf *error)
{
	convert_address(frames, &allocation->address);
	return convert_place(frames, &allocation->device, &allocation->context, error) ||
			       rank_catalog_name(&frames->catalog, &allocation->name, error)
		       ? -1
		       : 0;
}

/* A number that is no device's, such as the host's, stays. */
static int convert_processor(struct rank_frames *frames, uint16_t api, uint32_t *number,
			     struct strbuf *error)
{
	return *number < INT32_MAX ? rank_catalog_number(&frames->catalog, api, number, error) : 0;
}

/* A bit for each device, as far as its new number has one. */
static int convert_processors(struct rank_frames *frames, uint16_t api, uint32_t *set,
			      struct strbuf *error)
{
	uint32_t before = *set;

	*set = 0;
	for (uint32_t i = 0; i < CHAR_BIT * sizeof(*set); i++) {
		uint32_t number = i;

		if (!(before >> i & 1))
			continue;
		if (convert_processor(frames, api, &number, error))
			return -1;
		if (number < CHAR_BIT * sizeof(*set))
			*set |= UINT32_C(1) << number;
	}
	return 0;
}

/* Converts the numbers that an event of this kind has. */
static int convert_managed(struct rank_frames *frames, struct managed *managed,
			   struct strbuf *error)
{
	enum {
		TARGETS = 1 << MANAGED_HOST_TO_DEVICE | 1 << MANAGED_REMOTE_MAP |
			  1 << MANAGED_DEVICE_TO_DEVICE,
		SOURCES = 1 << MANAGED_DEVICE_TO_HOST | 1 << MANAGED_DEVICE_FAULT |
			  1 << MANAGED_THROTTLING | 1 << MANAGED_REMOTE_MAP |
			  1 << MANAGED_DEVICE_TO_DEVICE,
	};
	unsigned kind = managed->kind < MANAGED_KINDS ? 1u << managed->kind : 0;

	convert_address(frames, &managed->address);
	if (managed->api >= API_COUNT)
		return 0;
	if (kind & SOURCES && convert_processor(frames, managed->api, &managed->source, error))
		return -1;
	if (managed->kind == MANAGED_THRASHING)
		return convert_processors(frames, managed->api, &managed->source, error);
	return kind & TARGETS ? convert_processor(frames, managed->api, &managed->target, error)
			      : 0;
}

/* The thread that an overhead has stopped. */
static int convert_stopped(struct rank_frames *frames, uint64_t *object, struct strbuf *error)
{
	uint32_t thread = (uint32_t)*object;

	if (thread != *object)
		return 0;
	if (convert_thread(frames, &thread, error))
		return -1;
	*object = thread;
	return 0;
}

/* What only this kind of event has. */
static int convert_event(struct rank_frames *frames, union event *event, struct strbuf *error)
{
	switch (event->frame.kind) {
	case FRAME_CALL:
		return convert_correlation(frames, &event->call.made, error) ||
				       rank_catalog_name(&frames->catalog, &event->call.name, error)
			       ? -1
			       : 0;
	case FRAME_MARK:
		return convert_mark(frames, &event->mark, error);
	case FRAME_ALLOCATION:
		return convert_allocation(frames, &event->allocation, error);
	case FRAME_WAIT:
		return convert_place(frames, &event->wait.device, &event->wait.context, error);
	case FRAME_QUEUE:
		return convert_place(frames, &event->queue.device, &event->queue.context, error);
	case FRAME_OVERHEAD:
		return convert_stopped(frames, &event->overhead.object, error);
	case FRAME_USE:
		convert_address(frames, &event->use.address);
		return convert_correlation(frames, &event->use.record, error);
	case FRAME_CHANGE:
		return convert_correlation(frames, &event->change.use, error);
	case FRAME_PATTERN:
		return convert_correlation(frames, &event->pattern.use, error);
	case FRAME_VALUE:
		return convert_correlation(frames, &event->pattern_value.use, error);
	case FRAME_SOURCE_LINE:
		return rank_catalog_name(&frames->catalog, &event->source_line.text, error);
	case FRAME_RECORDED:
		return convert_place(frames, &event->recorded.device, &event->recorded.context,
				     error);
	case FRAME_ATTRIBUTE:
		return rank_catalog_device(&frames->catalog, &event->attribute.device, error);
	case FRAME_MANAGED:
		return convert_managed(frames, &event->managed, error);
	case FRAME_SAMPLE:
		return 0;
	default: /* no other frame is an event */
		return -1;
	}
}

int rank_frames_convert(struct rank_frames *frames, struct frame *frame, struct strbuf *error)
{
	struct timed *timed = (void *)frame;

	timed->enter += frames->host_shift;
	if (frames_is_record(frame) || frames_is_timed_event(frame))
		timed->leave += frames->host_shift;
	if (convert_correlation(frames, &frame->correlation, error) ||
	    convert_thread(frames, &frame->thread, error) ||
	    rank_catalog_stack(&frames->catalog, &frame->stack, error))
		return -1;
	return frames_is_record(frame) ? convert_record(frames, (void *)frame, error)
				       : convert_event(frames, (void *)frame, error);
}

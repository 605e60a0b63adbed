/* SPDX-License-Identifier: MIT */
#include "view/totals/eventsum.h"
#include "model/api.h"

/* An end of a range whose other one has not come. */
struct half {
	uint64_t moment;
	uint32_t name;
};

static int add_range(struct eventsum *sum, uint32_t name, uint64_t start, uint64_t end)
{
	struct call like = {.name = name, .enter = start, .leave = end, .api = API_ASSUMED};

	return activities_add_call(&sum->ranges, &like) ? 0 : -1;
}

static int keep(struct recent_map *window, const struct mark *mark)
{
	if (!window->size && recent_map_open(window, EVENTSUM_RANGES, sizeof(struct half)))
		return -1;
	*(struct half *)recent_map_add(window, mark->id) = (struct half){mark->enter, mark->name};
	return 0;
}

static const struct half *take(struct recent_map *window, const struct mark *mark)
{
	return window->size ? recent_map_take(window, mark->id) : NULL;
}

static int add_start(struct eventsum *sum, const struct mark *mark)
{
	const struct half *end = take(&sum->ends, mark);

	if (end)
		return add_range(sum, mark->name, mark->enter, end->moment);
	sum->unfinished++;
	return keep(&sum->starts, mark);
}

static int add_end(struct eventsum *sum, const struct mark *mark)
{
	const struct half *start = take(&sum->starts, mark);

	if (!start)
		return keep(&sum->ends, mark);
	sum->unfinished--;
	return add_range(sum, start->name, start->moment, mark->enter);
}

/* The earliest change of the memory in use; false if there is none. */
static bool shift(struct eventsum *sum)
{
	struct memory_usage_sample sample;
	bool is_there = memory_usage_shift(&sum->inuse, &sample);

	if (is_there && sample.total > sum->peak)
		sum->peak = sample.total;
	return is_there;
}

void eventsum_end(struct eventsum *sum)
{
	while (shift(sum))
		;
}

static int add_allocation(struct eventsum *sum, const struct allocation *allocation)
{
	if (!(allocation->frame.flags & ALLOCATION_FREED)) {
		sum->allocations++;
		sum->allocated = activity_sum(sum->allocated, allocation->bytes);
	}
	if (!sum->inuse.waiting && memory_usage_open(&sum->inuse))
		return -1;
	if (memory_usage_is_full(&sum->inuse))
		shift(sum);
	memory_usage_add(&sum->inuse, allocation);
	return 0;
}

static uint64_t length_of(uint64_t enter, uint64_t leave)
{
	return leave > enter ? leave - enter : 0;
}

static void add_wait(struct eventsum *sum, const struct wait *wait)
{
	if (wait->kind == WAIT_STREAM_FOR_EVENT)
		return;
	sum->waits++;
	sum->waiting = activity_sum(sum->waiting, length_of(wait->enter, wait->leave));
}

/* Compiling, loading and full command buffers are the driver's, with and without a profiler. */
static bool is_profilers(uint16_t kind)
{
	return kind == OVERHEAD_FLUSH || kind == OVERHEAD_INSTRUMENTATION ||
	       kind == OVERHEAD_RESOURCE || kind == OVERHEAD_BUFFER || kind == OVERHEAD_MANAGED;
}

static void add_overhead(struct eventsum *sum, const struct overhead *overhead)
{
	if (!is_profilers(overhead->kind))
		return;
	sum->overheads++;
	if (overhead->leave > overhead->enter)
		busy_add(&sum->overhead, overhead->enter, overhead->leave);
}

uint64_t eventsum_overhead(const struct eventsum *sum)
{
	return busy_span(&sum->overhead) - busy_idle(&sum->overhead);
}

int eventsum_add(struct eventsum *sum, const struct frame *event)
{
	const void *at = event;

	switch (event->kind) {
	case FRAME_MARK:
		if (event->flags & MARK_START)
			return add_start(sum, at);
		if (event->flags & MARK_END)
			return add_end(sum, at);
		sum->marks++;
		return 0;
	case FRAME_ALLOCATION:
		return add_allocation(sum, at);
	case FRAME_WAIT:
		add_wait(sum, at);
		return 0;
	case FRAME_OVERHEAD:
		add_overhead(sum, at);
		return 0;
	default:
		return 0;
	}
}

uint64_t eventsum_left(const struct eventsum *sum, uint64_t *bytes)
{
	*bytes = sum->inuse.total;
	return sum->inuse.live;
}

void eventsum_free(struct eventsum *sum)
{
	activities_free(&sum->ranges);
	memory_usage_close(&sum->inuse);
	recent_map_close(&sum->starts);
	recent_map_close(&sum->ends);
}

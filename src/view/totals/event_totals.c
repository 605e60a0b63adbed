/* SPDX-License-Identifier: MIT */
#include "view/totals/event_totals.h"

#include "model/api.h"
#include "view/stream/ordered.h"

struct start {
	uint64_t moment;
	uint32_t name;
	uint32_t padding;
};

static int no_memory(struct strbuf *error)
{
	strbuf_string(error, "out of memory for the totals of events");
	return -1;
}

/* A range, whose end may be missing. */
static int take_range(void *context, const struct ordered_pair *pair, struct strbuf *error)
{
	struct event_totals *sum = context;
	const struct start *start = pair->first;
	const uint64_t *end = pair->second;
	struct call like = {.api = API_ASSUMED};

	if (!end) {
		sum->unfinished++;
		return 0;
	}
	like.name = start->name;
	like.enter = start->moment;
	like.leave = *end;
	return activities_add_call(&sum->ranges, &like) ? 0 : no_memory(error);
}

static int begin_pairs(struct event_totals *sum, struct strbuf *error)
{
	const struct ordered_options options = {
		.firsts_only = true,
		.first_size = sizeof(struct start),
		.second_size = sizeof(uint64_t),
		.take = take_range,
		.context = sum,
	};

	if (!sum->pairs)
		sum->pairs = ordered_new(&options);
	return sum->pairs ? 0 : no_memory(error);
}

static int add_mark(struct event_totals *sum, const struct mark *mark, struct strbuf *error)
{
	const struct start start = {.moment = mark->enter, .name = mark->name};
	struct ordered_side side = {.key = mark->id};

	if (!(mark->frame.flags & (MARK_START | MARK_END))) {
		sum->marks++;
		return 0;
	}
	if (begin_pairs(sum, error))
		return -1;
	if (mark->frame.flags & MARK_START) {
		side.bytes = &start;
		side.size = sizeof(start);
		return ordered_add_first(sum->pairs, &side, 1, error);
	}
	side.bytes = &mark->enter;
	side.size = sizeof(mark->enter);
	return ordered_add_second(sum->pairs, &side, error);
}

int event_totals_end(struct event_totals *sum, struct strbuf *error)
{
	struct memory_usage_sample sample;
	int found = 0;

	if (sum->pairs && ordered_end(sum->pairs, error))
		return -1;
	while (sum->usage && (found = memory_usage_next(sum->usage, &sample, error)) > 0)
		if (sample.total > sum->peak)
			sum->peak = sample.total;
	return found;
}

static int add_allocation(struct event_totals *sum, const struct allocation *allocation,
			  struct strbuf *error)
{
	if (!(allocation->frame.flags & ALLOCATION_FREED)) {
		sum->allocations++;
		sum->allocated = amount_add(sum->allocated, allocation->bytes);
	}
	if (!sum->usage)
		sum->usage = memory_usage_new();
	return sum->usage ? memory_usage_add(sum->usage, allocation, error) : no_memory(error);
}

static void add_wait(struct event_totals *sum, const struct wait *wait)
{
	if (!amount_is_host_wait(wait))
		return;
	sum->waits++;
	sum->waiting = amount_add(sum->waiting, amount_between(wait->enter, wait->leave));
}

static void add_overhead(struct event_totals *sum, const struct overhead *overhead)
{
	if (!amount_is_own_overhead(overhead))
		return;
	sum->overheads++;
	if (overhead->leave > overhead->enter)
		busy_add(&sum->overhead, overhead->enter, overhead->leave);
}

uint64_t event_totals_overhead(const struct event_totals *sum)
{
	return amount_add(busy_time(&sum->overhead), sum->overhead_sum);
}

int event_totals_add(struct event_totals *sum, const struct frame *event, struct strbuf *error)
{
	const void *at = event;

	switch (event->kind) {
	case FRAME_MARK:
		return add_mark(sum, at, error);
	case FRAME_ALLOCATION:
		return add_allocation(sum, at, error);
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

void event_totals_add_row(struct event_totals *sum, const struct totals_process *row)
{
	sum->marks = amount_add(sum->marks, row->marks);
	sum->allocations = amount_add(sum->allocations, row->allocations);
	sum->allocated = amount_add(sum->allocated, row->allocated);
	sum->peak = row->peak > sum->peak ? row->peak : sum->peak;
	sum->left = amount_add(sum->left, row->left);
	sum->in_use = amount_add(sum->in_use, row->in_use);
	sum->waits = amount_add(sum->waits, row->waits);
	sum->waiting = amount_add(sum->waiting, row->waiting);
	sum->overheads = amount_add(sum->overheads, row->overheads);
	sum->overhead_sum = amount_add(sum->overhead_sum, row->overhead);
}

uint64_t event_totals_left(const struct event_totals *sum, uint64_t *bytes)
{
	*bytes = sum->in_use;
	return sum->usage ? memory_usage_left(sum->usage, bytes) : sum->left;
}

void event_totals_free(struct event_totals *sum)
{
	activities_free(&sum->ranges);
	memory_usage_free(sum->usage);
	ordered_free(sum->pairs);
}
